import * as z from "zod";

/** No name that a resource can declare or import has a control character. */
const SEPARATOR = "\n";

/**
 * When the service last changed each variable of a set, as state holds it: for each time the names that have it, one a
 * line. Variables that were written together share a time. An entry for each name would cost several percent of every
 * operation: the engine, the provider and the program each read and write all entries (docs/decisions/0021).
 */
export const updateTimesSchema = z.record(z.string(), z.string());

/** `updated_at` by name. */
export type UpdateTimes = ReadonlyMap<string, string>;

/** What state says, by name. */
export function readUpdateTimes(stored: z.output<typeof updateTimesSchema>): UpdateTimes {
  return new Map(
    Object.entries(stored).flatMap(([time, names]) => names.split(SEPARATOR).map((name) => [name, time] as const)),
  );
}

/** The form for state; the names of a time keep their order. */
export function storedUpdateTimes(times: UpdateTimes): z.output<typeof updateTimesSchema> {
  const names = new Map<string, string[]>();
  for (const [name, time] of times) {
    const same = names.get(time);
    if (same === undefined) names.set(time, [name]);
    else same.push(name);
  }
  return Object.fromEntries([...names].map(([time, same]) => [time, same.join(SEPARATOR)]));
}

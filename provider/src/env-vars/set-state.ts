import * as z from "zod";
import { isMap, type Properties } from "../framework/properties";
import { readStored } from "../framework/stored-state";
import { type KnownVariable, scope, type Variable } from "./variable";

/** What an EnvVarSet declares, as far as variables go. */
export interface Declaration {
  readonly environmentId: string;
  readonly variables?: Readonly<Record<string, string>> | undefined;
  readonly secrets?: Readonly<Record<string, string>> | undefined;
  readonly services?: readonly string[] | undefined;
}

/** Bookkeeping of a set, frozen: no mask and no hash of a value stands in it. */
export const observedSchema = z.looseObject({
  v: z.literal(1),
  /** `updated_at` of each variable of the set, as the service gave it. */
  at: z.record(z.string(), z.string()),
  /** Names whose last write failed although state already holds the declared value. */
  owed: z.array(z.string()).optional(),
  /** Names that the last create or update did not write or delete; gone once one has succeeded. */
  unfinished: z.array(z.string()).optional(),
  /** Secrets that an unfinished update wrote, and the engine's inputs lack: a refresh must not show their values there. */
  unmarked: z.array(z.string()).optional(),
  /** What a refresh found beside the values of secrets, which are encrypted and cannot tell: `visible`, `services web`. */
  notes: z.record(z.string(), z.string()).optional(),
});

/** What is read of a set's state. A program that looks at what something else manages gives inputs in its place. */
export const storedSet = z
  .looseObject({
    variables: z.record(z.string(), z.string()).optional(),
    secrets: z.record(z.string(), z.string()).optional(),
    services: z.array(z.string()).optional(),
    revision: z.string().optional(),
    observed: observedSchema.optional(),
  })
  // Every set that was ever stored has both: without the times nothing would be its own, and a destroy would delete nothing.
  .refine(({ revision, observed }) => revision === undefined || observed !== undefined, { path: ["observed"] });

function read(state: Properties): z.output<typeof storedSet> {
  return readStored("EnvVarSet", storedSet, state);
}

/** The declared variables, in the order in which they are written: by name. */
export function declared({ variables = {}, secrets = {}, services }: Declaration): readonly Variable[] {
  const wide = scope(services);
  const entry =
    (hidden: boolean) =>
    ([name, value]: [string, string]): Variable => ({ name, value, hidden, services: wide });
  return [...Object.entries(variables).map(entry(false)), ...Object.entries(secrets).map(entry(true))].toSorted(
    (left, right) => (left.name < right.name ? -1 : 1),
  );
}

/** What state knows, by name; or what inputs declare. @throws UnreadableStateError */
export function known(state: Properties): ReadonlyMap<string, KnownVariable> {
  const { variables, secrets, services, observed } = read(state);
  const at = new Map(Object.entries(observed?.at ?? {}));
  const owed = new Set(observed?.owed);
  const unmarked = new Set(observed?.unmarked);
  return new Map(
    declared({ environmentId: "", variables, secrets, services }).map((variable) => [
      variable.name,
      {
        ...variable,
        updatedAt: at.get(variable.name),
        owed: owed.has(variable.name),
        ...(unmarked.has(variable.name) && { isUnmarked: true }),
      },
    ]),
  );
}

/** Names that the last create or update did not write or delete; `undefined` when it succeeded, or did not keep them. */
export function unfinished(state: Properties): readonly string[] | undefined {
  return read(state).observed?.unfinished;
}

/** State of a set: its inputs, with the variables as they are now; `open` names what was not written or deleted. */
export function toState(
  inputs: Properties,
  variables: Iterable<KnownVariable>,
  revision: unknown,
  open: readonly string[] = [],
): Properties {
  const all = [...variables].toSorted((left, right) => (left.name < right.name ? -1 : 1));
  const map = (name: string, hidden: boolean): Properties => {
    const entries = all.filter((variable) => variable.hidden === hidden).map((one) => [one.name, one.value]);
    return entries.length > 0 || isMap(inputs[name]) ? { [name]: Object.fromEntries(entries) } : {};
  };
  const notes = all.flatMap(({ name, hidden, note }) => (hidden && note !== undefined ? [[name, note]] : []));
  const owed = all.filter((variable) => variable.owed).map(({ name }) => name);
  const unmarked = all.filter(({ hidden, isUnmarked }) => hidden && isUnmarked === true).map(({ name }) => name);
  const { variables: _variables, secrets: _secrets, ...rest } = inputs;
  return {
    ...rest,
    ...map("variables", false),
    ...map("secrets", true),
    revision,
    observed: {
      v: 1,
      at: Object.fromEntries(
        all.flatMap(({ name, updatedAt }) => (updatedAt === undefined ? [] : [[name, updatedAt]])),
      ),
      ...(owed.length > 0 && { owed }),
      ...(open.length > 0 && { unfinished: open.toSorted() }),
      ...(unmarked.length > 0 && { unmarked }),
      ...(notes.length > 0 && { notes: Object.fromEntries(notes) }),
    },
  };
}

import * as z from "zod";
import type { Step } from "./engine-event";
import type { DriftItem } from "./report-schema";

const text = z.string().optional().catch(undefined);
/** A resource or component that knows the address of its environment knows its name, too. */
const described = z.object({ environmentId: z.string(), name: text, url: z.string() });
/** One component may have several environments. */
const listed = z.object({ environments: z.array(z.object({ id: z.string(), name: text, url: z.string() })) });

/** An environment as a report names it. */
export type NamedEnvironment = Pick<DriftItem, "environmentId" | "environmentName" | "environmentUrl">;

/** Environments by id, with names and addresses as the state of a stack has them: resources of variables have the id alone. */
export function namedEnvironments(steps: readonly Step[]): ReadonlyMap<string, NamedEnvironment> {
  const environments = steps.flatMap(({ old: { outputs } }) => {
    const own = described.safeParse(outputs).data;
    const others = listed.safeParse(outputs).data?.environments ?? [];
    return own === undefined ? others : [...others, { ...own, id: own.environmentId }];
  });
  return new Map(
    environments.map(({ id, name, url }) => [
      id,
      {
        environmentId: id,
        ...(name !== undefined && { environmentName: name }),
        ...(url !== "" && { environmentUrl: url }),
      },
    ]),
  );
}

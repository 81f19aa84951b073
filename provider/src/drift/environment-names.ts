import * as z from "zod";
import type { OwnStep } from "./engine-event";
import type { DriftItem } from "./report-schema";

const text = z.string().optional().catch(undefined);
/** A resource or component that knows the address of its environment knows its name, too. */
const described = z.object({ environmentId: z.string(), name: text, url: z.string() });
/** One component may have several environments. */
const listed = z.object({
  environments: z.array(
    z
      .object({ id: z.string(), name: text, url: z.string() })
      .transform(({ id, ...rest }) => ({ environmentId: id, ...rest })),
  ),
});

/** An environment as a report names it. */
export type NamedEnvironment = Pick<DriftItem, "environmentId" | "environmentName" | "environmentUrl">;

/** Names and addresses of environments, as the state of a stack has them: resources of variables have the id alone. */
export class EnvironmentNames {
  readonly #known = new Map<string, NamedEnvironment>();

  constructor(steps: readonly OwnStep[]) {
    const states = steps.map(({ old }) => old.outputs);
    const found = states.flatMap((outputs) => [
      ...(listed.safeParse(outputs).data?.environments ?? []),
      ...(described.safeParse(outputs).data ? [described.parse(outputs)] : []),
    ]);
    for (const { environmentId, name, url } of found)
      this.#known.set(environmentId, {
        environmentId,
        ...(name !== undefined && { environmentName: name }),
        ...(url !== "" && { environmentUrl: url }),
      });
  }

  /** Its id, and name and address when they are known. */
  of(environmentId: string | undefined): NamedEnvironment {
    return environmentId === undefined ? {} : (this.#known.get(environmentId) ?? { environmentId });
  }
}

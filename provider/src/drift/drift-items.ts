import * as z from "zod";
import { changesOf } from "./changes";
import { isUnfinished, resourceOf, SINGLE_VARIABLE, type ReportedStep, textOf } from "./engine-event";
import type { DriftItem } from "./report-schema";

/** A variable that was deleted. The environment may have gone with it, when no other resource has seen the environment. */
export const OR_GONE = "or its environment is gone";

const text = z.string().optional().catch(undefined);
/** A resource or component that knows the address of its environment knows its name, too. */
const described = z.object({ environmentId: z.string(), name: text, url: z.string() });
/** One component may have several environments. */
const describedList = z.object({ environments: z.array(z.object({ id: z.string(), name: text, url: z.string() })) });

/** The drift of this package's resources, by the steps of a previewed refresh. */
export function driftItemsAmong(all: readonly ReportedStep[]): readonly DriftItem[] {
  const own = all.filter(({ ownType }) => ownType !== "");
  const environments = new Map(own.flatMap(describedEnvironments));
  // A resource from `.get()` belongs to somebody else, who may change it. A replaced one is not deployed any more.
  const deployed = own.filter(({ old }) => !old.external && !old.delete);
  const gone = new Set(deployed.filter(provesGone).map(environmentOf));
  const seen = new Set(deployed.filter(({ op }) => op !== "delete").map(environmentOf));
  const items = deployed.flatMap((step): readonly DriftItem[] => {
    const { op, urn, ownType, old } = step;
    const id = environmentOf(step);
    const resource = { ...resourceOf(urn, ownType, old.outputs), ...environments.get(id) };
    // A refresh finds nothing where state has what the service has, and the update that was to change that has failed.
    if (op === "update" || (op !== "delete" && isUnfinished(old)))
      return changesOf(step).map((change) => ({ ...resource, ...change }));
    if (op !== "delete") return [];
    if (gone.has(id)) return [{ ...resource, kind: "gone" }];
    const name = textOf(old.outputs, "name");
    const detail = seen.has(id) ? undefined : OR_GONE;
    return [{ ...resource, ...(name !== undefined && { name }), kind: "deleted", ...(detail && { detail }) }];
  });
  return items.toSorted((left, right) => (sortKey(left) < sortKey(right) ? -1 : 1));
}

/** The URNs of resources that were replaced by one of the same URN, and are still to be deleted. */
export function stillToBeDeleted(steps: readonly ReportedStep[]): ReadonlySet<string> {
  return new Set(steps.filter(({ old }) => old.delete).map(({ urn }) => urn));
}

/** A single variable leaves with its variable. The other types leave only together with their environment. */
function provesGone({ op, ownType }: ReportedStep): boolean {
  return op === "delete" && ownType !== SINGLE_VARIABLE;
}

function environmentOf({ old }: ReportedStep): string | undefined {
  return textOf(old.outputs, "environmentId");
}

/** Environments by id, with names and addresses as a resource has them: resources of variables have the id alone. */
function describedEnvironments({ old: { outputs } }: ReportedStep) {
  const own = described.safeParse(outputs).data;
  const others = describedList.safeParse(outputs).data?.environments ?? [];
  const environments = own === undefined ? others : [...others, { ...own, id: own.environmentId }];
  return environments.map(({ id, name, url }): [string | undefined, Partial<DriftItem>] => [
    id,
    { ...(name !== undefined && { environmentName: name }), ...(url !== "" && { environmentUrl: url }) },
  ]);
}

function sortKey({ resource, name = "", kind }: DriftItem): string {
  return `${resource}\0${name}\0${kind}`;
}

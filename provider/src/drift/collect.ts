import * as z from "zod";
import { changes } from "./changes";
import { resourceOf, SINGLE_VARIABLE, type Step, textOf } from "./engine-event";
import type { DriftItem } from "./report-schema";

const text = z.string().optional().catch(undefined);
/** A resource or component that knows the address of its environment knows its name, too. */
const described = z.object({ environmentId: z.string(), name: text, url: z.string() });
/** One component may have several environments. */
const listed = z.object({ environments: z.array(z.object({ id: z.string(), name: text, url: z.string() })) });

/** Turns the steps of a previewed refresh into what drifted of this package's resources. */
export function collect(all: readonly Step[]): readonly DriftItem[] {
  const own = all.filter(({ ownType }) => ownType !== "");
  // What was looked up with `.get()` belongs to somebody else, who may change it. What was replaced is not deployed any more.
  const steps = own.filter(({ old }) => !old.external && !old.delete);
  const gone = new Set(steps.filter(isGone).map(environmentOf));
  const seen = new Set(steps.filter(({ op }) => op !== "delete").map(environmentOf));
  const named = new Map(own.flatMap(namedBy));
  const drift = steps.flatMap((step): readonly DriftItem[] => {
    const { op, urn, ownType, old } = step;
    const id = environmentOf(step);
    const resource = { ...resourceOf(urn, ownType, old.outputs), ...named.get(id) };
    if (op === "delete" && gone.has(id)) return [{ ...resource, kind: "gone" }];
    return changes(step, seen.has(id)).map((change) => ({ ...resource, ...change }));
  });
  return drift.toSorted(compare);
}

/** The resources that were replaced by one of the same URN, and are still to be deleted. */
export function stillToBeDeleted(steps: readonly Step[]): ReadonlySet<string> {
  return new Set(steps.flatMap(({ urn, old }) => (old.delete ? [urn] : [])));
}

/** A single variable leaves with its variable. The other types leave only together with their environment. */
function isGone({ op, ownType }: Step): boolean {
  return op === "delete" && ownType !== SINGLE_VARIABLE;
}

function environmentOf({ old }: Step): string | undefined {
  return textOf(old.outputs, "environmentId");
}

/** Environments by id, with names and addresses as a resource has them: resources of variables have the id alone. */
function namedBy({ old: { outputs } }: Step) {
  const own = described.safeParse(outputs).data;
  const others = listed.safeParse(outputs).data?.environments ?? [];
  const environments = own === undefined ? others : [...others, { ...own, id: own.environmentId }];
  return environments.map(({ id, name, url }): [string | undefined, Partial<DriftItem>] => [
    id,
    { ...(name !== undefined && { environmentName: name }), ...(url !== "" && { environmentUrl: url }) },
  ]);
}

function compare(left: DriftItem, right: DriftItem): number {
  const key = ({ resource, name = "", kind }: DriftItem): string => `${resource}\0${name}\0${kind}`;
  return key(left) < key(right) ? -1 : 1;
}

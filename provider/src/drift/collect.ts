import { textSchema } from "./change";
import { changes } from "./changes";
import { resourceName, SINGLE_VARIABLE, type Step } from "./engine-event";
import { namedEnvironments } from "./environment-names";
import type { DriftItem } from "./report-schema";

/** Turns the steps of a previewed refresh into what drifted of this package's resources. */
export function collect(all: readonly Step[]): readonly DriftItem[] {
  const own = all.filter(({ ownType }) => ownType !== "");
  // What was looked up with `.get()` belongs to somebody else, who may change it. What was replaced is not deployed any more.
  const steps = own.filter(({ old }) => !old.external && !old.delete);
  const gone = new Set(steps.filter(isGone).map(environmentOf));
  const seen = new Set(steps.filter(({ op }) => op !== "delete").map(environmentOf));
  const named = namedEnvironments(own);
  const drift = steps.flatMap((step) => {
    const { op, urn, ownType: type } = step;
    const id = environmentOf(step);
    const environment = id === undefined ? {} : (named.get(id) ?? { environmentId: id });
    const resource = { urn, resource: resourceName(urn), type, ...environment };
    if (op === "delete" && gone.has(id)) return [{ ...resource, kind: "gone" } as const];
    return changes(step, seen.has(id)).map((change): DriftItem => ({ ...resource, ...change }));
  });
  return drift.toSorted(compare);
}

/** The resources that were replaced by one of the same URN, and are still to be deleted. */
export function stillToBeDeleted(steps: readonly Step[]): ReadonlySet<string> {
  return new Set(steps.flatMap(({ urn, old }) => (old.delete ? [urn] : [])));
}

/** A single variable leaves with its variable; the other types leave only together with their environment. */
function isGone({ op, ownType }: Step): boolean {
  return op === "delete" && ownType !== SINGLE_VARIABLE;
}

function environmentOf({ old }: Step): string | undefined {
  return textSchema.parse(old.outputs["environmentId"]);
}

function compare(left: DriftItem, right: DriftItem): number {
  const key = ({ resource, name = "", kind }: DriftItem): string => `${resource}\0${name}\0${kind}`;
  return key(left) < key(right) ? -1 : 1;
}

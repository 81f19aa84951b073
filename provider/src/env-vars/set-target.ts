import { diffValue } from "../framework/diff";
import { matchesAny } from "../framework/globs";
import type { Properties } from "../framework/properties";
import { type RunNames, plan, type Step, type Target } from "./plan";
import { storedSet, storedVariables } from "./set-state";
import { declared, isPrunable } from "./variable";

/** What an update does to a set, or a create when there is no state. @throws UnreadableStateError */
export function planSet(old: Properties, news: Properties, ownership: RunNames): readonly Step[] {
  return plan(storedVariables(old), targetOf(old, news), ownership);
}

/** What the inputs of a set declare, beside a state with earlier ones. */
export function targetOf(old: Properties, news: Properties): Target {
  return {
    variables: declared(storedSet.read(news)),
    isTriggered: isTriggered(old, news),
    isPruned: (name) => prunes(news, name) && isPrunable(name),
  };
}

/** Whether a set deletes a variable that it does not declare. */
export function prunes({ prune, keep }: Properties, name: string): boolean {
  if (prune !== true) return false;
  const globs = Array.isArray(keep) ? keep.filter((glob) => typeof glob === "string") : [];
  return !matchesAny(name, globs);
}

/** Whether `triggers` changed, so that everything is written again. */
export function isTriggered(old: Properties, input: Properties): boolean {
  return diffValue(["triggers"], old["triggers"] ?? {}, input["triggers"] ?? {}).length > 0;
}

import type { PropertyChange } from "./diff";
import type { Properties } from "./properties";

/**
 * The list mark: an input that no program writes. The component PreviewEnvironments gives it to the children of an environment that it
 * found in a list, and state keeps it. A delete of such a child asks for the environment first: a list may lack one that exists.
 */
export const LISTED_KEY = "__listed";

/** Whether inputs or state have the mark. */
export function isListed(bag: Properties): boolean {
  return bag[LISTED_KEY] === true;
}

/** The mark of inputs or state, to be added to what is made of them. */
export function listMarkOf(bag: Properties): Properties {
  return isListed(bag) ? { [LISTED_KEY]: true } : {};
}

/** The change of the mark. Unreported, state would keep what it has, and `onUnlisted` would have no effect on what exists. */
export function diffListMark(old: Properties, news: Properties): readonly PropertyChange[] {
  if (isListed(old) === isListed(news)) return [];
  return [{ path: [LISTED_KEY], kind: isListed(news) ? "add" : "delete", mustReport: true }];
}

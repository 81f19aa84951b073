import type { PropertyChange } from "./diff";
import { FROM_LIST_KEY } from "./host-keys";
import type { Properties } from "./properties";

/** Whether a child that a program declares is of an environment in a list, whatever happens when the list lacks it. */
export function isFromList(given: Properties): boolean {
  return given[FROM_LIST_KEY] !== undefined;
}

/** Whether a delete asks first, because a list may lack an environment that exists. */
export function isKeptUnlisted(bag: Properties): boolean {
  return bag[FROM_LIST_KEY] === true;
}

/** The mark of inputs or state, to be added to what is made of them. */
export function listMarkOf(bag: Properties): Properties {
  return isKeptUnlisted(bag) ? { [FROM_LIST_KEY]: true } : {};
}

/** The change of the mark. Unreported, state would keep what it has, and `onUnlisted` would have no effect on what exists. */
export function diffListMark(old: Properties, news: Properties): readonly PropertyChange[] {
  if (isKeptUnlisted(old) === isKeptUnlisted(news)) return [];
  return [{ path: [FROM_LIST_KEY], kind: isKeptUnlisted(news) ? "add" : "delete", mustReport: true }];
}

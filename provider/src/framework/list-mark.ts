import type { PropertyChange } from "./diff";
import { FROM_LIST_KEY } from "./host-keys";
import type { Properties } from "./properties";

/** Whether a program declares it because a list of environments has its environment, whatever happens when the list lacks that. */
export function isFromList(given: Properties): boolean {
  return given[FROM_LIST_KEY] !== undefined;
}

/** Whether a delete leaves what the program has only dropped: a list may lack an environment that exists. */
export function isKeptWhenDropped(bag: Properties): boolean {
  return bag[FROM_LIST_KEY] === true;
}

/** The mark of inputs or state, to be added to what is made of them. */
export function listMarkOf(bag: Properties): Properties {
  return isKeptWhenDropped(bag) ? { [FROM_LIST_KEY]: true } : {};
}

/** The change of the mark. State follows it, or `onUnlisted` would have no effect on what exists. */
export function diffListMark(old: Properties, news: Properties): readonly PropertyChange[] {
  if (isKeptWhenDropped(old) === isKeptWhenDropped(news)) return [];
  return [{ path: [FROM_LIST_KEY], kind: isKeptWhenDropped(news) ? "add" : "delete" }];
}

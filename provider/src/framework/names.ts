import { displayableName } from "../client/error-text";

/** How many names one list shows. */
const MAX_LISTED = 100;

/** Names for people, sorted: `A, B, C`; of more than 100 the first ones, and the number of the others. */
export function nameList(names: Iterable<string>): string {
  return list(names, displayableName);
}

/** The same for names that may be empty, or nothing but dots: `"", "."`. */
export function quotedList(names: Iterable<string>): string {
  return list(names, (name) => `"${displayableName(name)}"`);
}

function list(names: Iterable<string>, show: (name: string) => string): string {
  const sorted = [...names].toSorted();
  const shown = sorted.slice(0, MAX_LISTED).map(show).join(", ");
  return sorted.length > MAX_LISTED ? `${shown} and ${sorted.length - MAX_LISTED} more` : shown;
}

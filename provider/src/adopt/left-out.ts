/** Something of the environment that the program cannot declare. */
export interface LeftOut {
  /** Such as `variable "A"`, as it may be shown to people: on one line, without control characters. */
  readonly what: string;
  /** After that: `has an empty name`. */
  readonly reason: string;
}

/** Why a language has no way to write a name, as text after the name; `undefined` when it has one. */
export type NameRule = (name: string) => string | undefined;

/** The same entries, sorted by name: the service may list them in any order. */
export function sortedMap<T>(entries: Iterable<readonly [string, T]>): ReadonlyMap<string, T> {
  return new Map([...entries].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

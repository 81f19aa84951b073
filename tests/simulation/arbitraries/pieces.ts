import * as fc from "fast-check";

/** Names that programs declare; others may use them too. */
export const NAMES = ["A", "B", "C", "D", "E", "constructor", "WITH.DOT", "__D"] as const;
const SERVICES = [[], [], ["web"], ["worker", "web"]] as const;
const BRANCHES = ["main", "feature/one", "feature/two"] as const;
const VALUES = 6;

export const name = fc.constantFrom(...NAMES);
export const services = fc.constantFrom(...SERVICES);
export const branch = fc.constantFrom(...BRANCHES);
/** Which of the environments: mostly the first. */
export const environment = fc.nat({ max: 9 }).map((number) => (number === 9 ? 1 : 0));
/** Of a value. */
export const number = fc.nat({ max: VALUES });

/** A list with up to so many items. */
export function few<T>(item: fc.Arbitrary<T>, maxLength: number): fc.Arbitrary<T[]> {
  return fc.array(item, { maxLength, size: "max" });
}

import * as fc from "fast-check";
import type { Edit } from "../program/edits";
import type { Owner } from "../program/model";
import { REPOSITORIES } from "../service";

/** Names that programs declare. Others may use them too. */
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

/** Who is to have a variable. */
export const owner = fc.constantFrom<Owner>("s", "s", "t", "single");

/** What masks cut, JSON escapes, and binary that was read as text has at its ends. */
const ODD_SECRETS: ReadonlyMap<number, string> = new Map([
  [1, "abc"],
  [5, "\uFFFD\uFFFD-5-correct-*-horse-5-e\u0301\uFFFD"],
  [6, "m🎉-6-correct-\u0000**-horse-日🎉9"],
]);
const ODD_VALUES: ReadonlyMap<number, string> = new Map([
  [1, "***"],
  [6, "\uFEFF\u0000plain\uFFFD\r\ne\u0301🎉"],
]);

/** Values of one kind look alike at both ends, as masks show them. */
export function declaredValue(hidden: boolean, index: number): string {
  if (index === 0) return "";
  if (hidden) return ODD_SECRETS.get(index) ?? `sk-${index}-correct-horse-${index}-9x`;
  return ODD_VALUES.get(index) ?? `plain ${index}`;
}

/** Declares a variable, anew or with another value or place. */
export const declare: fc.Arbitrary<Edit> = fc
  .record({ in: owner, name, index: number, hidden: fc.boolean() })
  .map(({ index, ...rest }) => ({ edit: "declare", ...rest, value: declaredValue(rest.hidden, index) }));

/** One of several, each with its weight. */
export function weighted<T>(
  ...all: readonly (readonly [weight: number, arbitrary: fc.Arbitrary<T>])[]
): fc.Arbitrary<T> {
  return fc.oneof(...all.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}

function change<E extends string, T>(edit: E, rest: { [K in keyof T]: fc.Arbitrary<T[K]> }) {
  return fc.record<T>(rest).map((one) => ({ edit, ...one }));
}

const set = fc.constantFrom("s", "t");
const ignored = fc.constantFrom([], ["variables.A"], ["secrets.B"], ["secrets"]);
const ofAny = fc.record({
  edit: fc.constantFrom("remove", "rename", "rename"),
  of: fc.constantFrom("s", "s", "t", "branches"),
});
const ofSet = fc.record({ edit: fc.constantFrom("overwrite", "prune", "trigger"), of: fc.constantFrom("s", "s", "t") });
/** Any other change of a program. */
export const otherEdit: fc.Arbitrary<Edit> = weighted<Edit>(
  [3, change("give", { name, to: owner })],
  [4, change("drop", { name })],
  [3, change("branch", { repo: fc.constantFrom(...REPOSITORIES), branch })],
  [2, change("services", { of: owner, services })],
  [2, change("scope", { of: set, name, services })],
  [6, fc.oneof(ofAny, ofSet)],
  [1, change("move", { of: fc.constantFrom("s", "t", "branches"), to: fc.nat({ max: 1 }) })],
  [1, change("ignore", { of: set, paths: ignored })],
  [1, fc.record({ edit: fc.constantFrom("rebuilds", "looks", "waits", "restores") })],
  [1, change("whenStopped", { whenStopped: fc.constantFrom("fail", "skip", "wake") })],
  [2, change("power", { power: fc.constantFrom("running", "stopped", undefined) })],
);

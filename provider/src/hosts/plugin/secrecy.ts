import { isMap, type Properties } from "../../core/properties";
import type { Resource } from "../../core/resource";

/** Where the secrets of a value are: it is one as a whole, or some of its entries (of a list: by index) have some. */
export type Secrecy = "all" | ReadonlyMap<string, Secrecy>;

/** No secret anywhere. */
export const NOTHING: Secrecy = new Map();

/** Whether there is a secret anywhere. */
export function isSecret(secrecy: Secrecy): boolean {
  return secrecy === "all" || secrecy.size > 0;
}

/** What is secret of one entry. */
export function secrecyOf(secrecy: Secrecy, name: string): Secrecy {
  return secrecy === "all" ? "all" : (secrecy.get(name) ?? NOTHING);
}

/** Secret is what either says. */
export function union(left: Secrecy, right: Secrecy): Secrecy {
  if (left === "all" || right === "all") return "all";
  const names = new Set([...left.keys(), ...right.keys()]);
  return new Map([...names].map((name) => [name, union(secrecyOf(left, name), secrecyOf(right, name))]));
}

/**
 * What is secret of a resource's inputs or outputs: what the declaration says, and what came as a secret. The engine
 * does not carry secrecy from inputs to outputs for a provider that accepts secrets. A secret map is one entry by entry,
 * so that a diff can name what changes.
 */
export function protection(resource: Resource, bag: Properties, received: Secrecy): Secrecy {
  const { secrets, secretUnlessFalse } = resource;
  const declared = secretUnlessFalse !== undefined && bag[secretUnlessFalse] === false ? [] : secrets;
  const own = new Map(declared.filter((name) => Object.hasOwn(bag, name)).map((name) => [name, eachOf(bag[name])]));
  if (received === "all") return "all";
  const rest = new Map([...received].filter(([name, secrecy]) => secrecy !== "all" || !own.has(name)));
  return union(own, rest);
}

function eachOf(value: unknown): Secrecy {
  return isMap(value) ? new Map(Object.keys(value).map((name) => [name, "all"])) : "all";
}

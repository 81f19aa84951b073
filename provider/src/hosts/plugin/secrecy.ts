import { isMap, isSpecial, type Path, type Properties } from "../../framework/properties";
import type { Resource } from "../../framework/resource";
import { secretInputsOf, secretOutputsOf } from "../../framework/resource-facts";
import { textsIn } from "../../framework/secret-texts";
import type { Received } from "./values";

/** Which parts of a value are secret: all of it, or some of its entries. A list is secret as a whole or not at all. */
export type Secrecy = "all" | ReadonlyMap<string, Secrecy>;

/** No secret. */
export const NOTHING: Secrecy = new Map();

/** Whether any part is secret. */
export function isSecret(secrecy: Secrecy): boolean {
  return secrecy === "all" || secrecy.size > 0;
}

/** Which parts of one entry are secret. */
export function secrecyOf(secrecy: Secrecy, name: string): Secrecy {
  return secrecy === "all" ? "all" : (secrecy.get(name) ?? NOTHING);
}

/** The paths of the secrets in an input: it, or entries of it. */
export function secretPathsOf(secrecy: Secrecy, input: string): readonly Path[] {
  const marked = secrecyOf(secrecy, input);
  if (marked === "all") return [[input]];
  return [...marked].filter(([, part]) => isSecret(part)).map(([name]) => [input, name]);
}

/** A part is secret when either says so. */
export function union(first: Secrecy, second: Secrecy): Secrecy {
  if (first === "all" || second === "all") return "all";
  const names = new Set([...first.keys(), ...second.keys()]);
  return new Map([...names].map((name) => [name, union(secrecyOf(first, name), secrecyOf(second, name))]));
}

/** The secret parts of a resource's inputs. A secret map is one entry by entry, so that a diff can name what changes. */
export function inputSecrecy(resource: Resource, inputs: Properties, received: Secrecy): Secrecy {
  const declared = declaredSecrets(resource, inputs);
  const own = new Map(declared.map((name) => [name, eachOf(inputs[name])]));
  if (received === "all") return "all";
  return union(own, new Map([...received].filter(([name]) => !own.has(name))));
}

/**
 * The secret parts of a resource's state: those that the declaration says, and those that came as secrets. The engine does not mark
 * outputs by their inputs for a provider that accepts secrets. A secret map is one as a whole: programs in YAML
 * lose the values of a map of secrets that they read from a resource.
 */
export function stateSecrecy(resource: Resource, state: Properties, received: Secrecy): Secrecy {
  return union(wholly(declaredSecrets(resource, state)), received);
}

/** The outputs that are secrets as a whole, from all that the engine sent of a resource. */
export function secretOutputs(resource: Resource, received: Secrecy): readonly string[] {
  const names = [...resource.inputNames, ...resource.computed];
  return secretOutputsOf(resource, new Set(names.filter((name) => isSecret(secrecyOf(received, name)))));
}

/** Properties that are secrets as a whole. */
export function wholly(names: readonly string[]): Secrecy {
  return new Map(names.map((name) => [name, "all"]));
}

function declaredSecrets(resource: Resource, bag: Properties): readonly string[] {
  return secretInputsOf(resource, bag).filter((name) => Object.hasOwn(bag, name));
}

/** The texts of the secrets in the properties of these names. */
export function secretTextsIn(names: readonly string[], received: readonly Received[]): readonly string[] {
  return received.flatMap(({ bag, secrecy }) =>
    names.flatMap((name) => secretsIn(bag[name], secrecyOf(secrecy, name))),
  );
}

function secretsIn(value: unknown, secrecy: Secrecy): readonly string[] {
  if (secrecy === "all") return textsIn(value);
  if (!isSecret(secrecy) || typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => secretsIn(item, secrecyOf(secrecy, name)));
}

function eachOf(value: unknown): Secrecy {
  return isMap(value) && !isSpecial(value) ? new Map(Object.keys(value).map((name) => [name, "all"])) : "all";
}

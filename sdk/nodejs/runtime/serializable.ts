import { toUSVString } from "node:util";
import * as pulumi from "@pulumi/pulumi";

/** What to pass in place of an instance of a class, by the class's name. */
const adviceByClass: ReadonlyMap<string, string> = new Map([
  ["Map", "an empty object. Pass a plain object: `Object.fromEntries(map)`"],
  ["Set", "an empty object. Pass a list: `[...set]`"],
  ["Date", "an empty object. Pass a text: `date.toISOString()`"],
]);
const OTHER_ADVICE = "only its own properties, without its class. Pass a plain object, a list or a text";

/** The class of an object that is no plain one; `undefined` for plain objects, also of other contexts, and `process.env`,
 * whose class has no name. */
export function classOf(value: object): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (typeof prototype !== "object" || prototype === null) return undefined;
  const name: unknown = typeof prototype.constructor === "function" ? prototype.constructor.name : undefined;
  return typeof name === "string" && name !== "Object" && name !== "" ? name : undefined;
}

/** Whether the SDK sends a value in a way of its own: it is not checked here. */
function isPulumiValue(value: object): boolean {
  return (
    pulumi.Output.isInstance(value) ||
    value instanceof Promise ||
    pulumi.Resource.isInstance(value) ||
    pulumi.asset.Asset.isInstance(value) ||
    pulumi.asset.Archive.isInstance(value)
  );
}

/**
 * Refuses values that the Pulumi SDK would change or lose on the way to the provider, at any depth. The values of Outputs are
 * not known yet: they are looked at when they are.
 * @throws pulumi.RunError that names the place, and no value
 */
export function refuseUnserializable(label: string, place: string, value: unknown): void {
  if (typeof value === "string") return refuseLoneSurrogate(label, place, value);
  if (typeof value === "function")
    throw new pulumi.RunError(
      `${label}: ${place} is a function: the Pulumi SDK would leave it out. Call it, and pass what it returns.`,
    );
  if (typeof value !== "object" || value === null || isPulumiValue(value)) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) refuseUnserializable(label, `${place}[${index}]`, item);
    return;
  }
  const kind = classOf(value);
  if (kind !== undefined)
    throw new pulumi.RunError(
      `${label}: ${place} is a ${kind}: the Pulumi SDK would send ${adviceByClass.get(kind) ?? OTHER_ADVICE}.`,
    );
  if (Object.hasOwn(value, "__proto__"))
    throw new pulumi.RunError(
      `${label}: ${place} has an entry named "__proto__", which the Pulumi SDK cannot send. Choose another name.`,
    );
  for (const [name, one] of Object.entries(value)) {
    refuseLoneSurrogate(label, `a name in ${place}`, name);
    refuseUnserializable(label, `${place}.${name}`, one);
  }
}

/** Refuses a text with a lone surrogate: it was cut within a character, or is binary data. */
function refuseLoneSurrogate(label: string, place: string, text: string): void {
  if (toUSVString(text) === text) return;
  throw new pulumi.RunError(
    `${label}: ${place} contains half of a character (a lone surrogate), which UTF-8 cannot represent. Cut texts between ` +
      "characters, and encode binary data, for example as Base64.",
  );
}

import { toUSVString } from "node:util";
import * as pulumi from "@pulumi/pulumi";

/** What to pass in the place of values that have entries of their own, by class. */
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

/** What the SDK knows how to send: it is not looked into. */
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
 * Refuses what the Pulumi SDK would change or lose on its way to the provider, at any depth; what Outputs will hold is not
 * known yet.
 * @throws pulumi.RunError that names the place, and no value
 */
export function refuseUnserializable(label: string, place: string, value: unknown): void {
  if (typeof value === "string") return refuseLoneSurrogate(label, place, value);
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
      `${label}: ${place} has an entry named "__proto__", which the Pulumi SDK cannot carry. Choose another name.`,
    );
  for (const [name, one] of Object.entries(value)) {
    refuseLoneSurrogate(label, `a name in ${place}`, name);
    refuseUnserializable(label, `${place}.${name}`, one);
  }
}

/** A text that was cut within a character, or was no text from the start. */
function refuseLoneSurrogate(label: string, place: string, text: string): void {
  if (toUSVString(text) === text) return;
  throw new pulumi.RunError(
    `${label}: ${place} holds half of a character (a lone surrogate), which UTF-8 cannot carry. Cut texts between ` +
      "characters, and encode what is no text, for example as Base64.",
  );
}

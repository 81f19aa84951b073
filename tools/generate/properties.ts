import * as z from "zod";
import type { InputKind, InputKinds } from "../../provider/src/framework/missing-value-text";
import type { PreviewenvFunction } from "../../provider/src/framework/function";
import type { Resource } from "../../provider/src/framework/resource";

/** The part of JSON Schema that the declarations use. */
export const Shape = z.object({
  type: z.enum(["string", "boolean", "integer", "number", "array", "object"]).optional(),
  description: z.string().optional(),
  default: z.unknown().optional(),
  /** Without a default, a plain `undefined` of a program counts as left out. */
  undefinedIsLeftOut: z.boolean().optional(),
  enum: z.array(z.string()).optional(),
  /** Of an enum: what each value means. */
  valueDescriptions: z.record(z.string(), z.string()).optional(),
  get items() {
    return Shape.optional();
  },
  get properties() {
    return z.record(z.string(), Shape).optional();
  },
  required: z.array(z.string()).optional(),
  get additionalProperties() {
    return z.union([z.boolean(), Shape]).optional();
  },
});
export type Shape = z.infer<typeof Shape>;

/** One property of a declaration, ready to be written down. */
export interface Property {
  readonly name: string;
  readonly required: boolean;
  readonly shape: Shape;
}

/** The properties of a declared object, in its order. `input` is what may be written, `output` what is given back. */
export function propertiesOf(schema: z.ZodObject, io: "input" | "output"): readonly Property[] {
  return propertiesOfShape(Shape.parse(z.toJSONSchema(schema, { io })));
}

/** The description of a property. Of an enum, with what each value means. @throws Error when there is none */
export function descriptionOf({ name, shape }: Omit<Property, "required">, separator = " "): string {
  const { description, valueDescriptions = {} } = shape;
  if (description === undefined) throw new Error(`the property ${name} of a declaration has no description`);
  const values = Object.entries(valueDescriptions).map(([value, text]) => `\`${value}\`: ${text}`);
  return [description, ...values].join(separator);
}

/** The meaning of a value of an enum. @throws Error for one that is not described: `describedEnum` declares all. */
export function valueDescription({ valueDescriptions = {} }: Shape, value: string): string {
  const text = valueDescriptions[value];
  if (text === undefined) throw new Error(`the value ${JSON.stringify(value)} is not described: use describedEnum`);
  return text;
}

/** The facts about missing values that the classes and functions of a program need. */
export function inputKinds(properties: readonly Property[]): InputKinds {
  return Object.fromEntries(
    properties.flatMap(({ name, required, shape }) => {
      const kind = required ? "required" : inputKind(shape);
      return kind === undefined ? [] : [[name, kind] as const];
    }),
  );
}

/** @throws Error for a list or map with a default: a program that gives it no value would silently get the default */
function inputKind({ type, items, undefinedIsLeftOut, default: fallback }: Shape): InputKind | undefined {
  const isSingle = type !== "array" && type !== "object";
  if (!isSingle && fallback !== undefined) throw new Error("a list or a map cannot have a default");
  if (isSingle) return fallback !== undefined || undefinedIsLeftOut === true ? "default" : undefined;
  if (type === "object") return "map";
  return items === undefined || Object.keys(items).length === 0 ? "anything" : "list";
}

/** The properties of an object within another one. */
export function propertiesOfShape({ properties = {}, required = [] }: Shape): readonly Property[] {
  return Object.entries(properties).map(([name, shape]) => ({ name, required: required.includes(name), shape }));
}

/** The facts of a declaration about some of its properties. */
export type Marks = Pick<Resource, "secrets" | "replaceOnChanges"> & Partial<Pick<Resource, "secretUnlessFalse">>;

/** The properties of a function have none. */
export const noMarks: Marks = { secrets: [], replaceOnChanges: [] };

/** The facts of a property beyond its description and its default, as sentences. */
export function remarks(
  { secrets, secretUnlessFalse, replaceOnChanges }: Marks,
  { name }: Property,
): readonly string[] {
  return [
    secrets.includes(name) ? secrecy(secretUnlessFalse) : "",
    replaceOnChanges.includes(name) ? "Changing it replaces the resource." : "",
  ].filter((one) => one !== "");
}

/** The default of a property as a program would write it. `undefined` when it has none. */
export function defaultOf({ shape }: Property): string | undefined {
  return shape.default === undefined ? undefined : JSON.stringify(shape.default);
}

function secrecy(unlessFalse: string | undefined): string {
  return unlessFalse === undefined
    ? "Always a Pulumi secret."
    : `A Pulumi secret, unless \`${unlessFalse}\` is \`false\` (outside TypeScript: always).`;
}

/** What a function does, in Markdown, with what only Go programs need to know. */
export function functionText({ name, description, secret }: PreviewenvFunction): string {
  const go = "the plain form fails, because Pulumi's SDK for Go cannot return a secret as plain text";
  return secret ? `${description} In Go, call \`${capitalized(name)}Output\`: ${go}.` : description;
}

/** What an import takes, or why there is none, in Markdown. */
export function importText({ importFormat, importDescription }: Resource): string {
  const what = importFormat === undefined ? "Cannot be imported." : `The id is ${importForms(importFormat)}.`;
  return `${what} ${importDescription}`;
}

/** The ids that an import takes, in Markdown. */
export function importForms(importFormat: string): string {
  return importFormat
    .split(" or ")
    .map((form) => `\`${form}\``)
    .join(" or ");
}

/** `EnvVarSet` lives in `env-var-set`, in every folder. */
export function fileName(type: string): string {
  return type.replaceAll(/(?<=[a-z])(?=[A-Z])/gu, "-").toLowerCase();
}

/** `GetEnvironment` of `getEnvironment`: types are named after functions and properties so. */
export function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

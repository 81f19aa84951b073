import * as z from "zod";
import type { InputKind, InputKinds } from "../../provider/src/framework/no-value";

/** The part of JSON Schema that the declarations use. */
export interface Shape {
  readonly type?: string | undefined;
  readonly description?: string | undefined;
  readonly default?: unknown;
  /** Without a default, a plain `undefined` of a program counts as left out. */
  readonly undefinedIsLeftOut?: boolean | undefined;
  readonly enum?: readonly string[] | undefined;
  readonly const?: unknown;
  readonly anyOf?: readonly Shape[] | undefined;
  /** Of an enum: what each value means. */
  readonly valueDescriptions?: Readonly<Record<string, string>> | undefined;
  readonly items?: Shape | undefined;
  readonly properties?: Readonly<Record<string, Shape>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly additionalProperties?: Shape | boolean | undefined;
}

const Shape: z.ZodType<Shape> = z.lazy(() =>
  z.looseObject({
    type: z.string().optional(),
    description: z.string().optional(),
    default: z.unknown().optional(),
    undefinedIsLeftOut: z.boolean().optional(),
    enum: z.array(z.string()).optional(),
    const: z.unknown().optional(),
    anyOf: z.array(Shape).optional(),
    valueDescriptions: z.record(z.string(), z.string()).optional(),
    items: Shape.optional(),
    properties: z.record(z.string(), Shape).optional(),
    required: z.array(z.string()).optional(),
    additionalProperties: z.union([z.boolean(), Shape]).optional(),
  }),
);

/** One property of a declaration, ready to be written down. */
export interface Property {
  readonly name: string;
  readonly required: boolean;
  readonly shape: Shape;
}

/** The properties of a declared object, in its order; `input` is what may be written, `output` what is given back. */
export function propertiesOf(schema: z.ZodObject, io: "input" | "output"): readonly Property[] {
  return propertiesOfShape(Shape.parse(z.toJSONSchema(schema, { io })));
}

/** The description of a property; of an enum, with what each value means. @throws Error when there is none */
export function descriptionOf({ name, shape }: Property, separator = " "): string {
  const { description, valueDescriptions = {} } = shape;
  if (description === undefined) throw new Error(`the property ${name} of a declaration has no description`);
  const values = Object.entries(valueDescriptions).map(([value, text]) => `\`${value}\`: ${text}`);
  return [description, ...values].join(separator);
}

/** What a value of an enum means. @throws Error for one that is not described: `describedEnum` declares all. */
export function valueDescription({ valueDescriptions = {} }: Shape, value: string): string {
  const text = valueDescriptions[value];
  if (text === undefined) throw new Error(`the value ${JSON.stringify(value)} is not described: use describedEnum`);
  return text;
}

/** What the classes and functions of a program must know about missing values. */
export function inputKinds(properties: readonly Property[]): InputKinds {
  return Object.fromEntries(
    properties.flatMap(({ name, shape }) => {
      const kind = inputKind(shape);
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

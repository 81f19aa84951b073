import * as z from "zod";

/** The part of JSON Schema that the declarations use. */
export interface Shape {
  readonly type?: string | undefined;
  readonly description?: string | undefined;
  readonly default?: unknown;
  readonly enum?: readonly string[] | undefined;
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
    enum: z.array(z.string()).optional(),
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

/** The properties of an object within another one. */
export function propertiesOfShape({ properties = {}, required = [] }: Shape): readonly Property[] {
  return Object.entries(properties).map(([name, shape]) => ({ name, required: required.includes(name), shape }));
}

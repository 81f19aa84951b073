import * as z from "zod";

/** The part of JSON Schema that the declarations use. */
export interface Shape {
  readonly type?: string | undefined;
  readonly description?: string | undefined;
  readonly default?: unknown;
  readonly enum?: readonly string[] | undefined;
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

/** The properties of an object within another one. */
export function propertiesOfShape({ properties = {}, required = [] }: Shape): readonly Property[] {
  return Object.entries(properties).map(([name, shape]) => ({ name, required: required.includes(name), shape }));
}

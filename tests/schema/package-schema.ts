import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

/** The checkout. */
export const root = join(__dirname, "..", "..");

/** The committed package schema. */
export const schemaFile = join(root, "provider", "schema.json");

const Property = z.looseObject({
  type: z.string().optional(),
  $ref: z.string().optional(),
  default: z.unknown().optional(),
  defaultInfo: z.object({ environment: z.array(z.string()) }).optional(),
  secret: z.boolean().optional(),
  willReplaceOnChanges: z.boolean().optional(),
  plain: z.boolean().optional(),
  description: z.string().optional(),
});
/** A property of the schema. */
export type Property = z.output<typeof Property>;

const Properties = z.record(z.string(), Property);
const Bag = z.looseObject({ properties: Properties, required: z.array(z.string()) });
const Schema = z.looseObject({
  name: z.string(),
  version: z.string(),
  config: z.object({ variables: Properties }),
  types: z.record(
    z.string(),
    z.looseObject({ enum: z.array(z.object({ name: z.string(), value: z.string() })).optional() }),
  ),
  provider: z.looseObject({ properties: Properties, inputProperties: Properties }),
  resources: z.record(
    z.string(),
    Bag.extend({
      description: z.string(),
      inputProperties: Properties,
      aliases: z.array(z.object({ type: z.string() })).optional(),
      isComponent: z.boolean().optional(),
    }),
  ),
  functions: z.record(z.string(), z.looseObject({ description: z.string(), inputs: Bag, outputs: Bag })),
});
/** A package schema, as far as tests look at it. */
export type PackageSchema = z.output<typeof Schema>;

/** The committed package schema, parsed. */
export function readSchema(): PackageSchema {
  return Schema.parse(JSON.parse(readFileSync(schemaFile, "utf8")));
}

/** One of several things by name. */
export function entry<T>(all: Readonly<Record<string, T>>, name: string): T {
  const found = all[name];
  if (found === undefined) throw new Error(`there is no ${name}; there are ${Object.keys(all).join(", ")}`);
  return found;
}

/** Names of the properties that fit. */
export function namesOf(all: Readonly<Record<string, Property>>, fits: (one: Property) => boolean): readonly string[] {
  return Object.entries(all)
    .filter(([, one]) => fits(one))
    .map(([name]) => name)
    .toSorted();
}

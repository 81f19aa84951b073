import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

/** The checkout. */
export const root = join(__dirname, "..", "..");

/** The committed package schema. */
export const schemaFile = join(root, "provider", "schema.json");

const Schema = z.looseObject({
  version: z.string(),
  types: z.record(
    z.string(),
    z.looseObject({ enum: z.array(z.object({ name: z.string(), value: z.string() })).optional() }),
  ),
  resources: z.record(z.string(), z.looseObject({ inputProperties: z.record(z.string(), z.unknown()) })),
  functions: z.record(z.string(), z.unknown()),
});
/** A package schema, as far as tests look at it. */
export type PackageSchema = z.output<typeof Schema>;

/** The committed package schema, parsed. */
export function readSchema(): PackageSchema {
  return Schema.parse(JSON.parse(readFileSync(schemaFile, "utf8")));
}

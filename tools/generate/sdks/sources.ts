import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import * as path from "node:path";
import * as z from "zod";

/** Where it stands which package schema the SDK of each language was generated from. */
export const SOURCES = path.join("sdk", "generated-from.json");

/** SHA-256 of the schema that an SDK was generated from, by language; a machine without its generator can compare it. */
export function readSources(checkout = "."): Readonly<Record<string, string>> {
  const file = path.join(checkout, SOURCES);
  return existsSync(file) ? z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(file, "utf8"))) : {};
}

/** SHA-256 of a file. */
export function hashOf(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

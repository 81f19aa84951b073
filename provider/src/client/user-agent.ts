import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import { parseJson } from "./answer";

const NAME = "pulumi-previewenv";
const Manifest = z.looseObject({ name: z.literal(NAME), version: z.string() });

let found: string | undefined;

/** The value of the User-Agent header: the package's name and version. */
export function userAgent(): string {
  return `${NAME}/${packageVersion()}`;
}

/** The version of this package; "unknown" when the code was copied out of it. */
export function packageVersion(): string {
  return (found ??= findVersion(__dirname));
}

/** Searches the parent folders: sources and compiled files are at different depths below package.json. */
function findVersion(directory: string): string {
  const manifest = Manifest.safeParse(parseJson(readOptional(join(directory, "package.json"))));
  if (manifest.success) return manifest.data.version;
  const parent = dirname(directory);
  return parent === directory ? "unknown" : findVersion(parent);
}

function readOptional(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

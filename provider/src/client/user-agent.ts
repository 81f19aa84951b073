import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isMap } from "./answer";

const NAME = "pulumi-previewenv";

let found: string | undefined;

/** The value of the User-Agent header: the package's name and version. A scope (`@owner/`) is no part of it: the header allows neither character. */
export function userAgent(): string {
  return `${NAME.replace(/^@[^/]+\//u, "")}/${packageVersion()}`;
}

/** The version of this package; "unknown" when the code was copied out of it. */
export function packageVersion(): string {
  return (found ??= findVersion(__dirname));
}

/** Searches the parent folders: sources and compiled files are at different depths below package.json. */
function findVersion(directory: string): string {
  const manifest = readManifest(join(directory, "package.json"));
  if (manifest["name"] === NAME && typeof manifest["version"] === "string") return manifest["version"];
  const parent = dirname(directory);
  return parent === directory ? "unknown" : findVersion(parent);
}

function readManifest(file: string): Record<string, unknown> {
  try {
    const manifest: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isMap(manifest) ? manifest : {};
  } catch {
    return {};
  }
}

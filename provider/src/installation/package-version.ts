import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The name of this package. */
export const PACKAGE_NAME = "pulumi-previewenv";

let ownVersion: string | undefined;

/** The version of this package. "unknown" when the code was copied out of it. */
export function packageVersion(): string {
  return (ownVersion ??= findVersion(__dirname));
}

/** Searches the parent folders: sources and compiled files are at different depths below package.json. */
function findVersion(directory: string): string {
  const { name, version } = readManifest(join(directory, "package.json"));
  if (name === PACKAGE_NAME && typeof version === "string") return version;
  const parent = dirname(directory);
  return parent === directory ? "unknown" : findVersion(parent);
}

function readManifest(file: string): { readonly name?: unknown; readonly version?: unknown } {
  try {
    const manifest: unknown = JSON.parse(readFileSync(file, "utf8"));
    return typeof manifest === "object" && manifest !== null ? manifest : {};
  } catch {
    return {};
  }
}

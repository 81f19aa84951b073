// Removes from dist/ what was compiled from sources that are gone, which tsc leaves behind: it would be packed. `npm run build` starts with it.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The sources of dist/, where they have the same folders. */
export const SOURCE_FOLDERS = ["provider/src", "sdk/nodejs"];
const OUTPUT = /\.(?:d\.ts|js)$/;

/** @param {string} root The checkout. */
export function removeStaleOutputs(root) {
  for (const folder of SOURCE_FOLDERS) {
    const outputs = join(root, "dist", folder);
    if (!existsSync(outputs)) continue;
    for (const name of readdirSync(outputs, { recursive: true, encoding: "utf8" })) {
      if (!OUTPUT.test(name)) continue;
      if (!existsSync(join(root, folder, name.replace(OUTPUT, ".ts")))) rmSync(join(outputs, name));
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  removeStaleOutputs(resolve(dirname(fileURLToPath(import.meta.url)), "..", ".."));

// Lets a program load a file of the package only when it uses a name from it: a third of the files, for a program with one class.
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "./bundling.mjs";

/** What the compiler makes of the TypeScript SDK. */
const SDK = join(ROOT, "dist", "sdk", "nodejs");
/** The files that do nothing but export the names of others. */
const ENTRIES = ["index.js", "native.js", "generated/index.js", "generated/native/index.js"];

/** As the compiler writes `export { name } from "./file"`, before a getter for each name: `return file_1.name;`. */
const LOADED = /^var (\w+) = (require\("\.[^"]+"\));$/gmu;
const LAZY = "const lazy = (load, file) => new Proxy({}, { get: (_, name) => (file ??= load())[name] });";

/**
 * Rewrites the compiled entries. The getters stay as they are, because Node finds the names for ECMAScript modules in their text.
 * @param {string} [folder] Default: that of the checkout.
 * @throws when the compiler writes exports in another way.
 */
export async function makeEntriesLazy(folder = SDK) {
  await Promise.all(ENTRIES.map((name) => makeLazy(join(folder, name))));
}

/** @param {string} file */
async function makeLazy(file) {
  const compiled = await readFile(file, "utf8");
  // The compiler leaves a file as it is when its source is the same.
  if (compiled.includes(LAZY)) return;
  const lazy = compiled.replaceAll(LOADED, "var $1 = lazy(() => $2);");
  if (lazy === compiled) throw new Error(`${file} has no exports of other files that could be loaded later`);
  const part = `${file}.${process.pid}.part`;
  await writeFile(part, lazy.replace('"use strict";\n', `"use strict";\n${LAZY}\n`));
  await rename(part, file);
}

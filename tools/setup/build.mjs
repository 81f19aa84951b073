// Compiles the provider and the SDK into dist/, and bundles the hosts: `npm run build`.
import { existsSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { runOrFail } from "./command.mjs";
import { nodeOf } from "./node.mjs";
import { SetupError } from "./setup-error.mjs";

/** What is compiled: dist/ has the same folders. */
const SOURCE_FOLDERS = ["provider/src", "sdk/nodejs"];
/** `npm run generate` makes the page of the sandbox from it, and tsc leaves it out. */
const PAGE_SOURCE = "provider/src/sandbox/page/source";
const OTHER_INPUTS = [
  "tsconfig.json",
  "provider/tsconfig.json",
  "package.json",
  "package-lock.json",
  "provider/schema.json",
];
const BUNDLER = "tools/package";
/** Written last. Its time is that at which the build began: what changed during the build is newer. */
const PLUGIN = "dist/plugin/plugin.cjs";
const DYNAMIC = "dist/dynamic/index.js";

/**
 * Builds, unless dist/ has an output of each source, none of other sources, and no source is newer.
 * @param {import("./dependencies.mjs").SetupContext} context
 */
export async function provideBuild({ root, env, progress }) {
  if (!isBuilt(root)) await progress.step("build: tsc -p provider (about 10 s)", () => build(root, env));
}

/**
 * @param {string} root The checkout.
 * @param {NodeJS.ProcessEnv} env
 */
async function build(root, env) {
  const began = new Date();
  // tsc leaves behind what it compiled from sources that are gone, and it would be packed.
  for (const output of outputsWithoutSource(root)) rmSync(output);
  // What tsc remembers of an earlier run is only true while its outputs are still there.
  if (!hasAllOutputs(root)) rmSync(join(root, "dist", ".tsbuildinfo"), { force: true });
  const node = nodeOf(root);
  const options = { cwd: root, env };
  const compiler = join("node_modules", "typescript", "bin", "tsc");
  await runOrFail("The build (tsc -p provider)", [node, compiler, "-p", "provider"], options);
  await runOrFail("The bundles of the hosts", [node, join(BUNDLER, "bundle.mjs")], options);
  utimesSync(join(root, PLUGIN), began, began);
}

/** @param {string} root */
function isBuilt(root) {
  if (![PLUGIN, DYNAMIC].every((bundle) => existsSync(join(root, bundle)))) return false;
  if (!hasAllOutputs(root) || outputsWithoutSource(root).length > 0) return false;
  const inputs = [...OTHER_INPUTS.map((file) => join(root, file)), ...filesOf(join(root, BUNDLER)), ...sources(root)];
  const began = statSync(join(root, PLUGIN)).mtimeMs;
  return inputs.every((file) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) <= began);
}

/** @param {string} root */
function hasAllOutputs(root) {
  return sources(root).every((file) => existsSync(join(root, "dist", file.slice(root.length).replace(/\.ts$/, ".js"))));
}

/** @param {string} root */
function outputsWithoutSource(root) {
  return SOURCE_FOLDERS.flatMap((folder) => filesOf(join(root, "dist", folder))).filter((file) => {
    const source = file.slice(join(root, "dist").length).replace(/(?:\.d\.ts|\.js)$/, ".ts");
    return !existsSync(join(root, source));
  });
}

/** @param {string} root */
function sources(root) {
  return SOURCE_FOLDERS.flatMap((folder) => filesOf(join(root, folder))).filter(
    (file) => file.endsWith(".ts") && !file.startsWith(join(root, PAGE_SOURCE)),
  );
}

/**
 * All files below a folder that may be missing.
 * @param {string} folder
 */
function filesOf(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await build(resolve(dirname(fileURLToPath(import.meta.url)), "..", ".."), process.env);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

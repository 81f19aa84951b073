import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join, sep } from "node:path";
import { runOrFail } from "./command.mjs";
import { withLock } from "./lock.mjs";
import { useNode } from "./node.mjs";
import { removeStaleOutputs, SOURCE_FOLDERS } from "./stale-outputs.mjs";
import { readStamp, writeStamp } from "./stamp.mjs";

const SETTINGS = ["tsconfig.json", "provider/tsconfig.json", "package.json", "package-lock.json"];
const BUNDLER = "tools/package";
const BUNDLED = ["provider/schema.json"];
const BUNDLES = ["dist/plugin/plugin.cjs", "dist/dynamic/index.js"];

/**
 * Compiles the provider and the SDK into dist/, and bundles the hosts, unless dist/ was built from exactly these sources.
 * @param {import("./dependencies.mjs").SetupContext} context
 */
export async function provideBuild(context) {
  const { root, progress, signal } = context;
  if (isBuilt(root)) return;
  await withLock(join(root, "dist", ".locks", "build"), { onWait: progress.waiting("build"), signal }, async () => {
    if (!isBuilt(root)) await progress.step("build: tsc -p provider (about 10 s)", () => build(context));
  });
}

/** @param {import("./dependencies.mjs").SetupContext} context */
async function build({ root, env, signal }) {
  const hash = contentHash(root, sourceFiles(root));
  const before = readStamp(stampPath(root));
  removeStaleOutputs(root);
  // What tsc remembers of an earlier run is only true while its outputs are still there.
  if (before === undefined || !outputsExist(root)) await rm(join(root, "dist", ".tsbuildinfo"), { force: true });
  await rm(stampPath(root), { force: true });
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  const node = await useNode(root, env);
  const options = { cwd: root, env, signal };
  await runOrFail("The build (tsc -p provider)", [node, compiler, "-p", "provider"], options);
  await runOrFail("The bundles of the hosts (npm run build:hosts)", [node, join(BUNDLER, "bundle.mjs")], options);
  await writeStamp(stampPath(root), { hash });
}

/** @param {string} root */
function isBuilt(root) {
  const stamp = readStamp(stampPath(root));
  return stamp !== undefined && outputsExist(root) && stamp.hash === contentHash(root, sourceFiles(root));
}

/** @param {string} root */
function stampPath(root) {
  return join(root, "dist", ".previewenv-setup.json");
}

/** @param {string} root */
function outputsExist(root) {
  const { main } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return [main, ...BUNDLES].every((output) => existsSync(join(root, output)));
}

/**
 * The TypeScript files of the build, relative to the checkout, sorted.
 * @param {string} root
 */
function sourceFiles(root) {
  return SOURCE_FOLDERS.flatMap((folder) => filesOf(root, folder)).filter((file) => file.endsWith(".ts"));
}

/**
 * All files below a folder of the checkout, relative to it, sorted.
 * @param {string} root
 * @param {string} folder
 */
function filesOf(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1))
    .map((file) => file.split(sep).join("/"))
    .toSorted((one, other) => (one < other ? -1 : 1));
}

/**
 * Of contents, not times: a fresh clone, or a branch changed and changed back, builds only what differs.
 * @param {string} root
 * @param {string[]} sources
 */
function contentHash(root, sources) {
  const hash = createHash("sha256");
  for (const file of [...SETTINGS, ...BUNDLED, ...filesOf(root, BUNDLER), ...sources]) {
    hash.update(`${file}\0`);
    if (existsSync(join(root, file))) hash.update(readFileSync(join(root, file)));
  }
  return hash.digest("hex");
}

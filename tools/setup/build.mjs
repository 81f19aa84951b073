// Compiles the provider and the SDK into dist/, and bundles the hosts: `npm run build`.
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { runOrFail, SetupError } from "./command.mjs";
import { nodeOf } from "./dependencies.mjs";

const SOURCES = ["provider", "sdk/nodejs", "tools/package", "tsconfig.json", "package.json", "package-lock.json"];
const BUNDLES = ["dist/plugin/plugin.cjs", "dist/dynamic/index.js"];
/** What dist/ was built from: each source with its time, one a line. */
const BUILT_FROM = "dist/.built-from";

/**
 * Builds, unless dist/ was built from the sources as they are.
 * @param {import("./dependencies.mjs").SetupContext} context
 */
export async function provideBuild({ root, env, progress }) {
  const isBuilt = BUNDLES.every((file) => existsSync(join(root, file))) && builtFrom(root) === sources(root);
  if (!isBuilt) await progress.step("build: tsc -p provider (about 10 s)", () => build(root, env));
}

/**
 * @param {string} root The checkout.
 * @param {NodeJS.ProcessEnv} env
 */
async function build(root, env) {
  // Listed before: what changes during the build is built the next time.
  const from = sources(root);
  // tsc leaves behind what it compiled from a source that is gone, and it would be packed.
  if (namesOf(from) !== namesOf(builtFrom(root)))
    for (const output of ["provider", "sdk", ".tsbuildinfo"])
      rmSync(join(root, "dist", output), { recursive: true, force: true });
  const node = nodeOf(root);
  const compiler = join("node_modules", "typescript", "bin", "tsc");
  await runOrFail("The build (tsc -p provider)", [node, compiler, "-p", "provider"], { cwd: root, env });
  await runOrFail("The bundles of the hosts", [node, join("tools", "package", "bundle.mjs")], { cwd: root, env });
  writeFileSync(join(root, BUILT_FROM), from);
}

/** @param {string} root */
function sources(root) {
  return SOURCES.flatMap((path) => filesOf(join(root, path)))
    .map((file) => `${relative(root, file)} ${statSync(file).mtimeMs}`)
    .join("\n");
}

/** @param {string} root */
function builtFrom(root) {
  const file = join(root, BUILT_FROM);
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/** @param {string} list */
function namesOf(list) {
  return list.replaceAll(/ \S+$/gm, "");
}

/**
 * A file itself, or all files below a folder.
 * @param {string} path
 */
function filesOf(path) {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
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

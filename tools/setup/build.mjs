import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { runOrFail } from "./command.mjs";
import { nodeOf } from "./dependencies.mjs";

const SOURCES = ["provider", "sdk/nodejs", "tools/package", "tsconfig.json", "package.json", "package-lock.json"];
/** The outputs of tsc. */
const COMPILED = ["dist/provider", "dist/sdk"];
/** An empty file, which has the time at which the last build began. */
const BEGUN = "dist/.begun";

/**
 * Compiles the provider and the SDK into dist/, and bundles the hosts, unless dist/ was built from the sources as they are.
 * @param {import("./dependencies.mjs").SetupContext} context
 */
export async function provideBuild({ root, env, progress }) {
  const begun = statSync(join(root, BEGUN), { throwIfNoEntry: false });
  const sources = SOURCES.flatMap((path) => entriesOf(join(root, path)));
  if (begun !== undefined && sources.every((entry) => statSync(entry).mtimeMs < begun.mtimeMs)) return;
  await progress.step("build: tsc -p provider (about 10 s)", () => build(root, env));
}

/**
 * @param {string} root The checkout.
 * @param {NodeJS.ProcessEnv} env
 */
async function build(root, env) {
  const begun = join(root, `${BEGUN}.${process.pid}`);
  mkdirSync(dirname(begun), { recursive: true });
  writeFileSync(begun, "");
  // tsc leaves behind what it compiled from a source that is gone, and it would be packed.
  const stale = COMPILED.flatMap((path) => entriesOf(join(root, path))).filter(
    (file) => !existsSync(sourceOf(root, file)),
  );
  if (stale.length > 0) stale.push(join(root, "dist", ".tsbuildinfo"));
  for (const file of stale) rmSync(file, { recursive: true, force: true });
  const node = nodeOf(root);
  const compiler = join("node_modules", "typescript", "bin", "tsc");
  await runOrFail("The build (tsc -p provider)", [node, compiler, "-p", "provider"], { cwd: root, env });
  const bundle = ["-r", "ts-node/register", join("tools", "package", "bundle.ts")];
  await runOrFail("The bundles of the hosts", [node, ...bundle], { cwd: root, env });
  renameSync(begun, join(root, BEGUN));
}

/**
 * @param {string} root
 * @param {string} compiled
 */
function sourceOf(root, compiled) {
  return join(root, relative(join(root, "dist"), compiled)).replace(/\.d\.ts$|\.js$/, ".ts");
}

/**
 * A file itself, or a folder and everything below it. The time of a folder tells what was added to it or removed.
 * @param {string} path
 */
function entriesOf(path) {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return existsSync(path) ? [path] : [];
  return [path, ...readdirSync(path, { recursive: true, encoding: "utf8" }).map((name) => join(path, name))];
}

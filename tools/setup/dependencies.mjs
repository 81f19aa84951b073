import { existsSync, lstatSync, readFileSync, realpathSync } from "node:fs";
import { mkdir, rm, symlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { runOrFail } from "./command.mjs";
import { nodeOf } from "./node.mjs";
import { withPath } from "./run-script.mjs";
import { SetupError } from "./setup-error.mjs";

/**
 * @typedef {object} SetupContext What every step of the set-up works with.
 * @property {string} root The checkout.
 * @property {string} cache The folder that `cacheFolder` names.
 * @property {NodeJS.ProcessEnv} env
 * @property {import("./progress.mjs").Progress} progress
 */

const NPM = process.platform === "win32" ? "npm.cmd" : "npm";

/**
 * Installs what package-lock.json names, unless node_modules holds exactly that already, and makes sure of a Node that is new enough.
 * @param {SetupContext} context
 */
export async function provideDependencies({ root, env, progress }) {
  if (!isInstalled(root)) {
    // The lock fixes versions and checksums, so that what npm remembers of the registry is as good as asking again.
    const command = /** @type {const} */ ([NPM, "ci", "--prefer-offline", "--no-audit", "--no-fund"]);
    await progress.step("dependencies: npm ci (about 30 s)", () =>
      runOrFail("npm ci", [...command], { cwd: root, env: installEnvironment(root, env) }),
    );
  }
  nodeOf(root);
  await linkToItself(root);
}

/**
 * Without the settings that leave out development dependencies, without the dry run of an `npm pack` or `npm publish` that started this, and
 * without the Node of the very node_modules that npm is about to replace.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 */
function installEnvironment(root, env) {
  const kept = Object.entries(env).filter(
    ([name]) => name !== "NODE_ENV" && !/^npm_config_(omit|production|only|include|dry_run)$/i.test(name),
  );
  const own = join(root, "node_modules");
  return withPath(Object.fromEntries(kept), [], (folder) => !folder.startsWith(own));
}

/**
 * Whether `npm ci` or `npm install` has put in place what the lock names; npm notes at the end of each what is installed. Optional packages may
 * be missing: most are for other platforms.
 * @param {string} root
 */
function isInstalled(root) {
  const wanted = lockedPackages(join(root, "package-lock.json"));
  if (wanted === undefined) throw new SetupError(`${join(root, "package-lock.json")} is missing, or cannot be read.`);
  const installed = lockedPackages(join(root, "node_modules", ".package-lock.json"));
  if (installed === undefined) return false;
  return Object.entries(wanted).every(([path, { optional, version }]) => {
    const found = installed[path];
    return path === "" || (found === undefined ? optional === true : found.version === version);
  });
}

/**
 * @param {string} path
 * @returns {Record<string, { optional?: boolean, version?: string }> | undefined}
 */
function lockedPackages(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages;
  } catch {
    // Missing, or npm is just writing it.
    return undefined;
  }
}

/**
 * The examples import the package by its name, but npm cannot lock a package that depends on itself; `npm ci` removes the link.
 * @param {string} root
 */
async function linkToItself(root) {
  const { name } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const link = join(root, "node_modules", name);
  if (existsSync(link) && realpathSync(link) === realpathSync(root)) return;
  try {
    if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) await rm(link, { recursive: true, force: true });
    // A name with a scope lies one folder deeper.
    await mkdir(dirname(link), { recursive: true });
    await (process.platform === "win32"
      ? symlink(root, link, "junction")
      : symlink(relative(dirname(link), root), link));
  } catch (error) {
    // Another set-up may have made it in between.
    if (!existsSync(link)) throw error;
  }
}

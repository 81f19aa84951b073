import { existsSync, readFileSync, realpathSync } from "node:fs";
import { mkdir, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runOrFail, SetupError, withPath } from "./command.mjs";
import { isAtLeast, OLDEST_NODE } from "./version.mjs";

/**
 * @typedef {object} SetupContext What every step of the set-up works with.
 * @property {string} root The checkout.
 * @property {string} cache The folder that `cacheFolder` names.
 * @property {NodeJS.ProcessEnv} env
 * @property {import("./progress.mjs").Progress} progress
 */

const NPM = process.platform === "win32" ? "npm.cmd" : "npm";
/** Stronger than NODE_ENV and npm's settings, and than the dry run of an `npm pack` or `npm publish` that started this. */
const WHOLE = ["--include=dev", "--no-dry-run"];

/**
 * Installs what package-lock.json names, unless node_modules holds exactly that already, and makes sure of a Node that is new enough.
 * @param {SetupContext} context
 */
export async function provideDependencies({ root, env, progress }) {
  if (!existsSync(join(root, "node_modules")) || !isInstalled(root)) {
    // The lock fixes versions and checksums, so that what npm remembers of the registry is as good as asking again.
    /** @type {[string, ...string[]]} */
    const command = [NPM, "ci", ...WHOLE, "--prefer-offline", "--no-audit", "--no-fund"];
    // Without the Node of the very node_modules that npm is about to replace.
    const elsewhere = withPath(env, [], (folder) => !folder.startsWith(join(root, "node_modules")));
    await progress.step("dependencies: npm ci (about 30 s)", () =>
      runOrFail("npm ci", command, { cwd: root, env: elsewhere }),
    );
  }
  nodeOf(root);
  await linkToItself(root);
}

/**
 * Whether `npm ci` or `npm install` has put in place what the lock names. Npm notes at the end of each what is installed. Optional packages may
 * be missing: most are for other platforms.
 * @param {string} root
 */
function isInstalled(root) {
  const wanted = lockedPackages(join(root, "package-lock.json"));
  const installed = lockedPackages(join(root, "node_modules", ".package-lock.json"));
  return Object.entries(wanted).every(([path, { optional, version }]) => {
    const found = installed[path];
    return path === "" || (found === undefined ? optional === true : found.version === version);
  });
}

/**
 * @param {string} path
 * @returns {Record<string, { optional?: boolean, version?: string }>}
 */
function lockedPackages(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages;
  } catch {
    // Missing, or npm is just writing it.
    return {};
  }
}

/**
 * The examples import the package by its name, but npm cannot lock a package that depends on itself. `npm ci` removes the link.
 * @param {string} root
 */
async function linkToItself(root) {
  const { name } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const link = join(root, "node_modules", name);
  if (existsSync(link) && realpathSync(link) === realpathSync(root)) return;
  await rm(link, { recursive: true, force: true });
  // A name with a scope lies one folder deeper.
  await mkdir(dirname(link), { recursive: true });
  await symlink(root, link, "junction").catch((error) => {
    // Another set-up may have made it in between.
    if (!existsSync(link)) throw error;
  });
}

/**
 * The Node that steps and programs run on: the one running now, when it is new enough, else Node 24 of the npm package `node`.
 * @param {string} root The checkout, with its dependencies installed.
 */
export function nodeOf(root) {
  if (isAtLeast(process.version, OLDEST_NODE)) return process.execPath;
  const installed = join(root, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");
  if (existsSync(installed)) return installed;
  throw new SetupError(
    [
      `Node ${OLDEST_NODE} or newer is needed; this is ${process.version}.`,
      "The npm package node, which brings Node 24, did not install: npm must be allowed to run its install script (npm config get ignore-scripts).",
      "Allow it, or install Node 24 (https://nodejs.org/en/download), and run the command again.",
    ].join("\n"),
  );
}

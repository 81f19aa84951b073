import { existsSync } from "node:fs";
import { chmod, copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findOnPath, isExecutable, run } from "../command.mjs";
import { isAtLeast, OLDEST_PULUMI, PULUMI_VERSION } from "../version.mjs";

/** @typedef {import("../dependencies.mjs").SetupContext} SetupContext */
/** @typedef {{ folder: string } | { reason: string }} Candidate The folder with `pulumi`, or why there is none. */

const VERSION_TIMEOUT_MS = 20_000;
const SCRIPT_SUFFIX = process.platform === "win32" ? ".cmd" : "";
const EXECUTABLE_MODE = 0o755;

/**
 * The file name of a program on this platform.
 * @param {string} name
 */
export function programName(name) {
  return process.platform === "win32" ? `${name}.exe` : name;
}

/** The CLI's own program. */
export const CLI = programName("pulumi");

/** Runs Node programs for the CLI. */
export const LANGUAGE_HOST = programName("pulumi-language-nodejs");

/** Runs dynamic resources for the CLI: a script that the npm package @pulumi/pulumi ships too. */
const DYNAMIC_HOST = `pulumi-resource-pulumi-nodejs${SCRIPT_SUFFIX}`;

/**
 * Where a cache folder keeps the CLI of this platform.
 * @param {string} cache
 */
export function cachedPulumi(cache) {
  return join(cache, "pulumi", `v${PULUMI_VERSION}-${process.platform}-${process.arch}`);
}

/**
 * The CLI that an earlier set-up put into the cache.
 * @param {Pick<SetupContext, "cache">} context
 * @returns {Candidate}
 */
export function inCache({ cache }) {
  const target = cachedPulumi(cache);
  const folder = join(target, "bin");
  if (!existsSync(folder)) return { reason: `${target} does not exist yet` };
  const missing = missingProgram(folder);
  return missing === undefined ? { folder } : { reason: `${folder} has no ${missing}` };
}

/**
 * The CLI that is on PATH, when it is new enough and its hosts for Node are there too.
 * @param {Pick<SetupContext, "env">} context
 * @returns {Promise<Candidate>}
 */
export async function onPath({ env }) {
  const cli = findOnPath("pulumi", env);
  if (cli === undefined) return { reason: "there is no pulumi on PATH" };
  for (const host of ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"]) {
    if (findOnPath(host, env) === undefined) return { reason: `${cli} is there, but no ${host} is on PATH` };
  }
  const reason = await unusable(cli, OLDEST_PULUMI, { env });
  return reason === undefined ? { folder: dirname(cli) } : { reason };
}

/**
 * Completes a new folder of programs with the script for dynamic resources, and tries them.
 * @param {string} folder
 * @param {Pick<SetupContext, "root" | "env">} context
 * @returns {Promise<string | undefined>} Why they cannot be used; undefined when they can.
 */
export async function complete(folder, context) {
  const source = join(context.root, "node_modules", "@pulumi", "pulumi", DYNAMIC_HOST);
  const target = join(folder, DYNAMIC_HOST);
  if (!existsSync(target) && existsSync(source)) await copyProgram(source, target);
  const missing = missingProgram(folder);
  return missing === undefined ? unusable(join(folder, CLI), PULUMI_VERSION, context) : `it contains no ${missing}`;
}

/**
 * @param {string} source
 * @param {string} target
 */
export async function copyProgram(source, target) {
  await copyFile(source, target);
  await chmod(target, EXECUTABLE_MODE);
}

/**
 * The first of the three programs that `folder` lacks; undefined when it is complete.
 * @param {string} folder
 */
function missingProgram(folder) {
  return [CLI, LANGUAGE_HOST, DYNAMIC_HOST].find((name) => !isExecutable(join(folder, name)));
}

/**
 * Why the CLI at `path` cannot be used; undefined when it can.
 * @param {string} path
 * @param {string} oldest
 * @param {Pick<SetupContext, "env">} context
 */
async function unusable(path, oldest, { env }) {
  // Even `pulumi version` writes a log into its home.
  const home = await mkdtemp(join(tmpdir(), "previewenv-pulumi-"));
  try {
    const { code, stdout, output } = await run(path, ["version"], {
      env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true", PULUMI_HOME: home },
      timeoutMs: VERSION_TIMEOUT_MS,
    });
    if (code !== 0) return `${path} version ended with exit ${code}: ${output.trim().split("\n")[0]}`;
    if (!isAtLeast(stdout, oldest))
      return `${path} is ${stdout.trim() || "of an unknown version"}, older than v${oldest}`;
    return undefined;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

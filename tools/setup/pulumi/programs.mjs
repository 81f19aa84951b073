import { existsSync } from "node:fs";
import { chmod, copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isExecutable, run } from "../command.mjs";
import { isAtLeast } from "../version.mjs";

/**
 * @typedef {object} PulumiContext What the candidates for the Pulumi CLI work with.
 * @property {string} root The checkout.
 * @property {string} target The folder in the cache that holds, or will hold, `bin/` with the programs.
 * @property {NodeJS.ProcessEnv} env
 * @property {import("../progress.mjs").Progress} progress
 * @property {AbortSignal | undefined} [signal]
 * @property {{ archives: string, checksums: string, connectMs: number }} [download] For tests.
 */

/** @typedef {{ folder: string } | { reason: string }} Candidate The folder with `pulumi`, or why there is none. */

const VERSION_TIMEOUT_MS = 20_000;
const SCRIPT_SUFFIX = process.platform === "win32" ? ".cmd" : "";
/** For what the set-up itself puts beside the CLI. */
export const EXECUTABLE_MODE = 0o755;

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
export const DYNAMIC_HOST = `pulumi-resource-pulumi-nodejs${SCRIPT_SUFFIX}`;

/**
 * The first of the three programs that `folder` lacks; undefined when it is complete.
 * @param {string} folder
 */
export function missingProgram(folder) {
  return [CLI, LANGUAGE_HOST, DYNAMIC_HOST].find((name) => !isExecutable(join(folder, name)));
}

/**
 * Why the CLI at `path` cannot be used; undefined when it can.
 * @param {string} path
 * @param {string} oldest
 * @param {Pick<PulumiContext, "env" | "signal">} context
 */
export async function unusable(path, oldest, { env, signal }) {
  // Even `pulumi version` writes a log into its home.
  const home = await mkdtemp(join(tmpdir(), "previewenv-pulumi-"));
  try {
    const { code, stdout, output } = await run(path, ["version"], {
      env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true", PULUMI_HOME: home },
      timeoutMs: VERSION_TIMEOUT_MS,
      signal,
    });
    if (code !== 0) return `${path} version ended with exit ${code}: ${output.trim().split("\n")[0]}`;
    if (!isAtLeast(stdout, oldest))
      return `${path} is ${stdout.trim() || "of an unknown version"}, older than v${oldest}`;
    return undefined;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/**
 * Puts the script for dynamic resources beside the CLI, unless it is there.
 * @param {string} root The checkout, with its dependencies installed.
 * @param {string} folder
 */
export async function addDynamicHost(root, folder) {
  const source = join(root, "node_modules", "@pulumi", "pulumi", DYNAMIC_HOST);
  const target = join(folder, DYNAMIC_HOST);
  if (existsSync(target) || !existsSync(source)) return;
  await copyFile(source, target);
  await chmod(target, EXECUTABLE_MODE);
}

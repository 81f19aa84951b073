import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fillFolder } from "../cache-folder.mjs";
import { findOnPath, run, SetupError } from "../command.mjs";
import { isAtLeast, OLDEST_PULUMI, PULUMI_VERSION } from "../version.mjs";
import { goBuild } from "./go-build.mjs";

/** @typedef {import("../dependencies.mjs").SetupContext} SetupContext */

/** Runs dynamic resources for the CLI: a script that the npm package @pulumi/pulumi ships too. */
const DYNAMIC_HOST = "pulumi-resource-pulumi-nodejs";
/** The programs that the CLI needs for Node programs. */
const HOSTS = ["pulumi-language-nodejs", DYNAMIC_HOST];
const DYNAMIC_HOST_FILE = DYNAMIC_HOST + (process.platform === "win32" ? ".cmd" : "");
const EXECUTABLE_MODE = 0o755;

/** @type {readonly [title: string, find: (context: SetupContext) => Promise<string>][]} Each gives a folder, or throws why it cannot. */
const SOURCES = [
  ["PATH", onPath],
  ["cache", inCache],
  ["download", (context) => intoCache(context, download)],
  ["Go build", (context) => intoCache(context, build)],
];

/**
 * Where a cache folder keeps the CLI of this platform.
 * @param {string} cache
 */
export function cachedPulumi(cache) {
  return join(cache, "pulumi", `v${PULUMI_VERSION}-${process.platform}-${process.arch}`);
}

/**
 * The folder of a Pulumi CLI with its host for Node, from the first source that has one: PATH, the cache, Pulumi's download, a build from
 * Go modules. The error of the last resort says why each of them failed.
 * @param {SetupContext} context
 * @returns {Promise<string>}
 */
export async function providePulumi(context) {
  const tried = [];
  for (const [title, find] of SOURCES) {
    try {
      return await find(context);
    } catch (error) {
      tried.push(`  - ${title}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new SetupError(
    [
      "There is no Pulumi CLI, and none could be installed. What was tried:",
      ...tried,
      `Install the Pulumi CLI ${OLDEST_PULUMI} or newer (https://www.pulumi.com/docs/install/), or Go with access to a module proxy (https://go.dev/dl/), and run the command again.`,
      `The folder ${context.cache} must be writable: PREVIEWENV_CACHE_DIR names another one.`,
    ].join("\n"),
  );
}

/**
 * The CLI that is on PATH, when it is new enough and its hosts for Node are there too.
 * @param {SetupContext} context
 */
async function onPath(context) {
  const { env } = context;
  const cli = findOnPath("pulumi", env);
  if (cli === undefined) throw new Error("there is no pulumi on PATH");
  const missing = HOSTS.find((program) => findOnPath(program, env) === undefined);
  if (missing !== undefined) throw new Error(`${cli} is there, but no ${missing} is on PATH`);
  await requireVersion(cli, OLDEST_PULUMI, context);
  return dirname(cli);
}

/**
 * The CLI that an earlier set-up put into the cache.
 * @param {SetupContext} context
 */
async function inCache({ cache }) {
  const bin = join(cachedPulumi(cache), "bin");
  if (!existsSync(bin)) throw new Error(`${bin} is not there yet`);
  return bin;
}

/**
 * @param {SetupContext} context
 * @param {(context: SetupContext, bin: string) => Promise<void>} obtain Puts the programs into a folder.
 */
async function intoCache(context, obtain) {
  const target = cachedPulumi(context.cache);
  await fillFolder(target, async (folder) => {
    const bin = join(folder, "bin");
    await mkdir(bin);
    await obtain(context, bin);
    const script = join(bin, DYNAMIC_HOST_FILE);
    if (!existsSync(script)) {
      await copyFile(join(context.root, "node_modules", "@pulumi", "pulumi", DYNAMIC_HOST_FILE), script);
      await chmod(script, EXECUTABLE_MODE);
    }
    await requireVersion(join(bin, "pulumi"), PULUMI_VERSION, context);
  });
  return join(target, "bin");
}

/**
 * Puts Pulumi's own release of the CLI into a folder, as Pulumi's page on installation does.
 * @param {SetupContext} context
 * @param {string} bin
 */
async function download({ progress }, bin) {
  // Here since `npm ci`.
  const { PulumiCommand } = await import("@pulumi/pulumi/automation/index.js");
  const { SemVer } = await import("semver");
  await progress.step(`Pulumi CLI: download v${PULUMI_VERSION} (about 1 min)`, () =>
    PulumiCommand.install({ root: dirname(bin), version: new SemVer(PULUMI_VERSION) }),
  );
}

/**
 * Builds the CLI and its host for Node into a folder, for machines that reach a Go proxy but not Pulumi's servers.
 * @param {SetupContext} context
 * @param {string} bin
 */
async function build(context, bin) {
  const title = `Pulumi CLI: build v${PULUMI_VERSION} with Go`;
  // Go's cache keeps everything that was compiled: a build that was stopped goes on there.
  await context.progress.step(`${title}, program 1 of 2 (the first time up to 8 min)`, () =>
    goBuild("pulumi", /\/cmd\/pulumi$/, bin, context),
  );
  await context.progress.step(`${title}, program 2 of 2 (the first time up to 2 min)`, () =>
    goBuild("language-hosts", /pulumi-language-nodejs/, bin, context),
  );
}

/**
 * Fails for a CLI that does not run, or is too old.
 * @param {string} cli
 * @param {string} oldest
 * @param {SetupContext} context
 */
async function requireVersion(cli, oldest, { cache, env }) {
  // Even `pulumi version` writes a log into its home.
  const own = { PULUMI_SKIP_UPDATE_CHECK: "true", PULUMI_HOME: join(cache, "pulumi-home") };
  const { code, stdout, output } = await run(cli, ["version"], { env: { ...env, ...own } });
  if (code !== 0) throw new Error(`${cli} version ended with exit ${code}: ${output.trim().split("\n")[0]}`);
  if (!isAtLeast(stdout, oldest))
    throw new Error(`${cli} is ${stdout.trim() || "of an unknown version"}, older than v${oldest}`);
}

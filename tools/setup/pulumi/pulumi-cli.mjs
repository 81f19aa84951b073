import { constants } from "node:fs";
import { access, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fillFolder } from "../cache-folder.mjs";
import { SetupError } from "../setup-error.mjs";
import { OLDEST_PULUMI } from "../version.mjs";
import { download } from "./download.mjs";
import { buildCli } from "./go-build.mjs";
import { cachedPulumi, complete, inCache, onPath } from "./programs.mjs";

/** @typedef {import("./programs.mjs").SetupContext} SetupContext */
/** @typedef {(context: SetupContext, bin: string) => Promise<{ reason: string } | undefined>} Obtain Puts the programs into a folder. */
/** @typedef {[title: string, find: (context: SetupContext) => import("./programs.mjs").Candidate | Promise<import("./programs.mjs").Candidate>]} Source */

/** @type {Source[]} */
const SOURCES = [
  ["PATH", onPath],
  ["cache", inCache],
  ["download", (context) => intoCache(context, download)],
  ["Go build", (context) => intoCache(context, buildCli)],
];

const INSTALL_GUIDE = "https://www.pulumi.com/docs/install/";

/**
 * The folder of a Pulumi CLI with its host for Node, from the first source that has one: PATH, the cache, Pulumi's download, a build from
 * Go modules. The error of the last resort says why each of them failed.
 * @param {SetupContext} context
 * @returns {Promise<string>}
 */
export async function providePulumi(context) {
  const tried = [];
  for (const [title, find] of SOURCES) {
    const candidate = await find(context);
    if ("folder" in candidate) return candidate.folder;
    tried.push(`  - ${title}: ${candidate.reason}`);
  }
  throw new SetupError(
    [
      "There is no Pulumi CLI, and none could be installed. What was tried:",
      ...tried,
      `Install the Pulumi CLI ${OLDEST_PULUMI} or newer (${INSTALL_GUIDE}), or Go with access to a module proxy (https://go.dev/dl/), and run the command again.`,
    ].join("\n"),
  );
}

/**
 * @param {SetupContext} context
 * @param {Obtain} obtain
 * @returns {Promise<import("./programs.mjs").Candidate>}
 */
async function intoCache(context, obtain) {
  await requireWritable(context.cache);
  const failed = await fillFolder(
    cachedPulumi(context.cache),
    () => "folder" in inCache(context),
    async (folder) => {
      const bin = join(folder, "bin");
      await mkdir(bin);
      const refused = await obtain(context, bin);
      if (refused !== undefined) return refused;
      const reason = await complete(bin, context);
      return reason === undefined ? undefined : { reason };
    },
  );
  return failed ?? inCache(context);
}

/** @param {string} cache */
async function requireWritable(cache) {
  try {
    await mkdir(join(cache, "pulumi"), { recursive: true });
    await access(join(cache, "pulumi"), constants.W_OK);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SetupError(
      `The cache folder ${cache} cannot be written: ${reason}\nSet PREVIEWENV_CACHE_DIR to a folder that can, or install the Pulumi CLI (${INSTALL_GUIDE}).`,
    );
  }
}

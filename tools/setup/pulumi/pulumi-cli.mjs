import { constants } from "node:fs";
import { access, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { SetupError } from "../setup-error.mjs";
import { withLock } from "../lock.mjs";
import { OLDEST_PULUMI } from "../version.mjs";
import { cachedPulumi, inCache } from "./cache.mjs";
import { byDownload } from "./download.mjs";
import { byGoBuild } from "./go-build.mjs";
import { onPath } from "./path.mjs";

/** @typedef {[title: string, find: (context: import("./programs.mjs").PulumiContext) => import("./programs.mjs").Candidate | Promise<import("./programs.mjs").Candidate>]} Source */

/** @type {Source[]} */
const READY = [
  ["PATH", onPath],
  ["cache", inCache],
];

/** @type {Source[]} */
const OBTAIN = [
  ["download", byDownload],
  ["Go build", byGoBuild],
];

const INSTALL_GUIDE = "https://www.pulumi.com/docs/install/";

/**
 * The folder of a Pulumi CLI with its host for Node, from the first source that has one: PATH, the cache, Pulumi's download, a build from
 * Go modules. The error of the last resort says why each of them failed.
 * @param {Omit<import("./programs.mjs").PulumiContext, "target"> & { cache: string }} options
 * @returns {Promise<string>}
 */
export async function providePulumi({ cache, ...rest }) {
  const context = { ...rest, target: cachedPulumi(cache) };
  /** @type {Map<string, string>} */
  const reasons = new Map();
  const ready = await firstOf(READY, context, reasons);
  if (ready !== undefined) return ready;
  await requireWritable(cache);
  return withLock(
    `${context.target}.lock`,
    { onWait: context.progress.waiting("Pulumi CLI"), signal: context.signal },
    async () => {
      // Another set-up may have put one into the cache while this one waited.
      const found = await firstOf([["cache", inCache], ...OBTAIN], context, reasons);
      if (found !== undefined) return found;
      throw new SetupError(nothingFound(reasons));
    },
  );
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

/**
 * @param {Source[]} sources
 * @param {import("./programs.mjs").PulumiContext} context
 * @param {Map<string, string>} reasons Filled with why a source has none.
 */
async function firstOf(sources, context, reasons) {
  for (const [title, find] of sources) {
    const candidate = await find(context);
    if ("folder" in candidate) return candidate.folder;
    reasons.set(title, candidate.reason);
  }
  return undefined;
}

/** @param {Map<string, string>} reasons */
function nothingFound(reasons) {
  const tried = [...reasons].map(([title, reason]) => `  - ${title}: ${reason}`);
  return [
    "There is no Pulumi CLI, and none could be installed. What was tried:",
    ...tried,
    `Install the Pulumi CLI ${OLDEST_PULUMI} or newer (${INSTALL_GUIDE}), or Go with access to a module proxy (https://go.dev/dl/), and run the command again.`,
  ].join("\n");
}

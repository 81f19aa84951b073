import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { PULUMI_VERSION } from "../version.mjs";
import { addDynamicHost, CLI, missingProgram, unusable } from "./programs.mjs";

/**
 * Where a cache folder keeps the CLI of this platform.
 * @param {string} cache
 */
export function cachedPulumi(cache) {
  return join(cache, "pulumi", `v${PULUMI_VERSION}-${process.platform}-${process.arch}`);
}

/**
 * The CLI that an earlier set-up put into the cache.
 * @param {Pick<import("./programs.mjs").PulumiContext, "target">} context
 * @returns {import("./programs.mjs").Candidate}
 */
export function inCache({ target }) {
  const folder = join(target, "bin");
  if (!existsSync(folder)) return { reason: `${target} does not exist yet` };
  const missing = missingProgram(folder);
  return missing === undefined ? { folder } : { reason: `${folder} has no ${missing}` };
}

/**
 * Lets `fill` put the programs into a new folder beside the target, tries them, and only then renames that folder into place: a set-up
 * that is stopped never leaves half a CLI. The caller holds the lock of the target.
 * @param {import("./programs.mjs").PulumiContext} context
 * @param {(bin: string, folder: string) => Promise<{ reason: string } | undefined>} fill
 * @returns {Promise<import("./programs.mjs").Candidate>}
 */
export async function intoCache(context, fill) {
  return withNewFolder(dirname(context.target), basename(context.target), async (folder) => {
    const bin = join(folder, "bin");
    await mkdir(bin);
    const failed = await fill(bin, folder);
    if (failed !== undefined) return failed;
    await addDynamicHost(context.root, bin);
    const missing = missingProgram(bin);
    if (missing !== undefined) return { reason: `it contains no ${missing}` };
    const reason = await unusable(join(bin, CLI), PULUMI_VERSION, context);
    if (reason !== undefined) return { reason };
    await rm(context.target, { recursive: true, force: true });
    await rename(folder, context.target);
    return { folder: join(context.target, "bin") };
  });
}

/**
 * Runs `work` with a new folder in `parent`, and removes it afterwards, with what a set-up that was killed has left of the same name.
 * @template T
 * @param {string} parent
 * @param {string} name
 * @param {(folder: string) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withNewFolder(parent, name, work) {
  const prefix = `.new-${name}-`;
  await mkdir(parent, { recursive: true });
  for (const left of await readdir(parent)) {
    if (left.startsWith(prefix)) await rm(join(parent, left), { recursive: true, force: true });
  }
  const folder = join(parent, prefix + randomUUID());
  try {
    await mkdir(folder);
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

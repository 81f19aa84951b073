import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";

const DAY_MS = 86_400_000;

/**
 * The only folder outside the checkout that the set-up writes to: `PREVIEWENV_CACHE_DIR`, else the platform's place for caches.
 * @param {NodeJS.ProcessEnv} environment
 * @param {NodeJS.Platform} platform
 */
export function cacheFolder(environment = process.env, platform = process.platform) {
  const chosen = environment.PREVIEWENV_CACHE_DIR;
  if (chosen) return resolve(chosen);
  const home = environment.HOME || homedir();
  if (platform === "win32") return join(environment.LOCALAPPDATA || join(home, "AppData", "Local"), "previewenv");
  if (environment.XDG_CACHE_HOME) return join(environment.XDG_CACHE_HOME, "previewenv");
  if (platform === "darwin") return join(home, "Library", "Caches", "previewenv");
  return join(home, ".cache", "previewenv");
}

/**
 * Lets `fill` write into a new folder, which gets its name when it is complete: a set-up that is stopped leaves nothing half done. Two set-ups
 * at a time both do the work, and the folder of the first stays.
 * @param {string} target The folder, which may be there, but not ready.
 * @param {() => boolean} isReady Whether the folder is there now.
 * @param {(folder: string) => Promise<{ reason: string } | undefined>} fill Gives the reason why it cannot.
 */
export async function fillFolder(target, isReady, fill) {
  await mkdir(dirname(target), { recursive: true });
  const prefix = `.new-${basename(target)}-`;
  await removeOldLeftovers(dirname(target), prefix);
  const folder = join(dirname(target), prefix + randomUUID());
  try {
    await mkdir(folder);
    const failed = await fill(folder);
    if (failed !== undefined || isReady()) return failed;
    await rm(target, { recursive: true, force: true });
    await rename(folder, target).catch((error) => {
      if (!isReady()) throw error;
    });
    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Removes what set-ups left that were killed. A younger folder may be that of one that runs.
 * @param {string} parent
 * @param {string} prefix
 */
async function removeOldLeftovers(parent, prefix) {
  for (const name of await readdir(parent)) {
    const path = join(parent, name);
    if (!name.startsWith(prefix) || Date.now() - (await stat(path)).mtimeMs < DAY_MS) continue;
    await rm(path, { recursive: true, force: true });
  }
}

import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

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
 * Makes a folder that is whole or absent: `fill` writes into a new one, which gets the name in the end. Two set-ups at a time both do the
 * work, and the folder of the first stays.
 * @param {string} target
 * @param {(folder: string) => Promise<unknown>} fill
 */
export async function fillFolder(target, fill) {
  const folder = `${target}.new-${randomUUID()}`;
  try {
    await mkdir(folder, { recursive: true });
    await fill(folder);
    await rename(folder, target).catch((error) => {
      if (!existsSync(target)) throw error;
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

import { randomUUID } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
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
 * Lends a new folder beside a target, on the same file system. It is removed in the end, also when this process ends before.
 * @param {string} target
 * @param {(folder: string) => Promise<unknown>} work
 */
export async function withNewFolder(target, work) {
  const folder = `${target}.new-${randomUUID()}`;
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.on("exit", remove);
  try {
    await mkdir(folder, { recursive: true });
    await work(folder);
  } finally {
    process.off("exit", remove);
    remove();
  }
}

/**
 * Makes a folder that is whole or absent: `fill` writes into a new one, which gets the name in the end. Two set-ups at a time both do the
 * work, and the folder of the first stays.
 * @param {string} target
 * @param {(folder: string) => Promise<unknown>} fill
 */
export async function fillFolder(target, fill) {
  await withNewFolder(target, async (folder) => {
    await fill(folder);
    await rename(folder, target).catch((error) => {
      if (!existsSync(target)) throw error;
    });
  });
}

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

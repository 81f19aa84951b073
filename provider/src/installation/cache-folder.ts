import { mkdirSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";

const ONLY_USER = 0o700;
/** Group and others may write. */
const SHARED = 0o022;
/** In such a folder only the owner of an entry may move it. */
const STICKY = 0o1000;
const ROOT_USER = 0;

/**
 * The folder in which Node.js processes of a run keep what V8 has compiled: `compiled` in the cache folder of this user. It
 * is made when it is missing. `undefined` when it cannot be made, or when another user could put code there.
 */
export function compiledFolder(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  try {
    const folder = join(cacheFolder(environment, process.platform), "compiled");
    mkdirSync(folder, { recursive: true, mode: ONLY_USER });
    return isPrivate(realpathSync(folder)) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** `PREVIEWENV_CACHE_DIR`, else the platform's place for caches of a user. */
export function cacheFolder(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  const {
    PREVIEWENV_CACHE_DIR: chosen,
    HOME: home = homedir(),
    XDG_CACHE_HOME: xdg,
    LOCALAPPDATA: local,
  } = environment;
  if (chosen) return resolve(chosen);
  if (platform === "win32") return join(local || join(home, "AppData", "Local"), "previewenv");
  if (xdg) return join(xdg, "previewenv");
  if (platform === "darwin") return join(home, "Library", "Caches", "previewenv");
  return join(home, ".cache", "previewenv");
}

/** Whether only this user and root can change a folder, or put another one in its place. */
function isPrivate(folder: string): boolean {
  const user = process.getuid?.();
  // Windows: the folder of a user is the user's own by its access list.
  if (user === undefined) return true;
  const { uid, mode } = statSync(folder);
  if (uid !== user || (mode & SHARED) !== 0) return false;
  return parentsOf(folder).every((parent) => {
    const found = statSync(parent);
    const isOwned = found.uid === user || found.uid === ROOT_USER;
    return isOwned && ((found.mode & SHARED) === 0 || (found.mode & STICKY) !== 0);
  });
}

function parentsOf(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [] : [parent, ...parentsOf(parent)];
}

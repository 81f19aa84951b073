import { existsSync, mkdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";

const ONLY_USER = 0o700;
/** Group and others may write. */
const SHARED = 0o022;
/** In such a folder only the owner of an entry may move it. */
const STICKY = 0o1000;
const ROOT_USER = 0;

/**
 * The folder in which Node.js processes of a run keep what V8 has compiled: `compiled` in the cache folder of this user. It
 * is made when it is missing. `undefined` when it cannot be made, when it would lie in a folder of another user, when another
 * user could put code there, or when `HOME` is no absolute path: then it would lie in the folder of a program.
 */
export function compiledFolder(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  try {
    const folder = join(cacheFolder(environment, process.platform), "compiled");
    if (!isAbsolute(folder)) return undefined;
    const existing = [folder, ...parentsOf(folder)].find((path) => existsSync(path));
    // With `sudo`, HOME may be that of another user, who could then not write into the folder.
    if (existing !== undefined && !isKept(statSync(existing))) return undefined;
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
  return parentsOf(folder).every((parent) => isKept(statSync(parent)));
}

/** Whether nobody but this user and root can move what this user has in a folder. */
function isKept({ uid, mode }: Stats): boolean {
  const user = process.getuid?.();
  if (user === undefined) return true;
  const isOwned = uid === user || uid === ROOT_USER;
  return isOwned && ((mode & SHARED) === 0 || (mode & STICKY) !== 0);
}

function parentsOf(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [] : [parent, ...parentsOf(parent)];
}

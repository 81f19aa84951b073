import { enableCompileCache, flushCompileCache, getCompileCacheDir } from "node:module";
import { compiledFolder } from "../installation/cache-folder";

let isWritten = false;

/**
 * Lets V8 keep what it compiles from now on, for the next process. For the provider's own process alone: a user's program
 * decides for itself. Where `NODE_COMPILE_CACHE` is set, that folder is used; `NODE_DISABLE_COMPILE_CACHE` turns it off.
 */
export function keepCompiled(): void {
  if (getCompileCacheDir() !== undefined) return;
  const folder = compiledFolder();
  if (folder !== undefined) enableCompileCache(folder);
}

/** Writes it, once: the engine kills the provider's process, which has no other chance. */
export function writeCompiled(): void {
  if (isWritten) return;
  isWritten = true;
  flushCompileCache();
}

import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, rmdir, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** @typedef {{ token: string, pid: number, host: string }} Owner */

/** The file in a lock's folder that says who holds it. */
export const OWNER_FILE = "owner.json";

const BREAKER_POLL_MS = 200;

/**
 * Who holds the lock at `path`; undefined when nobody does.
 * @param {string} path
 * @returns {Promise<Owner | undefined>}
 */
export async function readOwner(path) {
  try {
    return JSON.parse(await readFile(join(path, OWNER_FILE), "utf8"));
  } catch {
    return undefined;
  }
}

/**
 * Whether an owner is dead: its process has ended, or its heartbeat is older than `staleMs`.
 * @param {string} path
 * @param {Owner | undefined} owner
 * @param {number} staleMs
 */
export async function isStale(path, owner, staleMs) {
  if (owner !== undefined && owner.host === hostname() && !isAlive(owner.pid)) return true;
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > staleMs;
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/**
 * Only one waiter may break a stale lock, and only while it is still the one that was judged: a second one would remove the lock of the
 * first.
 * @param {string} path
 * @param {Owner | undefined} judged
 * @param {number} staleMs
 */
export async function breakLock(path, judged, staleMs) {
  const breaker = `${path}.breaker`;
  try {
    await mkdir(breaker);
  } catch {
    if (await isStale(breaker, undefined, staleMs)) await rmdir(breaker).catch(() => undefined);
    await delay(BREAKER_POLL_MS);
    return;
  }
  try {
    const now = await readOwner(path);
    if (now?.token === judged?.token && (await isStale(path, now, staleMs))) await removeLock(path);
  } finally {
    await rmdir(breaker).catch(() => undefined);
  }
}

/**
 * Renamed away first: while its files are deleted one by one it must not look like a free lock.
 * @param {string} path
 */
export async function removeLock(path) {
  const gone = `${path}.gone-${randomUUID()}`;
  try {
    await rename(path, gone);
  } catch {
    return;
  }
  await rm(gone, { recursive: true, force: true });
}

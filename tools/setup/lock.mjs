import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, rm, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { breakLock, isStale, OWNER_FILE, readOwner, removeLock } from "./lock-owner.mjs";

/**
 * @typedef {object} LockOptions
 * @property {(pid: number | undefined) => void} [onWait] Told once when another process holds the lock.
 * @property {AbortSignal | undefined} [signal]
 * @property {number} [staleMs] Age of the last heartbeat at which an owner counts as dead; default 60 s.
 * @property {number} [pollMs] Default 200 ms.
 */

/** @typedef {import("./lock-owner.mjs").Owner} Owner */

const STALE_MS = 60_000;
const HEARTBEATS_PER_STALE = 12;
const POLL_MS = 200;

/**
 * Runs `work` while no other process holds the lock at `path`, and frees it afterwards, whatever happens. A lock whose owner has died, or
 * shows no heartbeat, is taken over.
 * @template T
 * @param {string} path
 * @param {LockOptions} options
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(path, options, work) {
  const staleMs = options.staleMs ?? STALE_MS;
  const owner = { token: randomUUID(), pid: process.pid, host: hostname() };
  await mkdir(dirname(path), { recursive: true });
  await acquire(path, owner, { ...options, staleMs });
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, staleMs / HEARTBEATS_PER_STALE);
  heartbeat.unref();
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    if ((await readOwner(path))?.token === owner.token) await removeLock(path);
  }
}

/**
 * @param {string} path
 * @param {Owner} owner
 * @param {LockOptions & { staleMs: number }} options
 */
async function acquire(path, owner, options) {
  let told = false;
  while (!(await tryAcquire(path, owner))) {
    options.signal?.throwIfAborted();
    const holder = await readOwner(path);
    if (await isStale(path, holder, options.staleMs)) {
      await breakLock(path, holder, options.staleMs);
      continue;
    }
    if (!told) options.onWait?.(holder?.pid);
    told = true;
    await delay(options.pollMs ?? POLL_MS, undefined, { signal: options.signal });
  }
}

/**
 * A folder that already has its owner file is renamed into place: a lock without an owner is never seen, and of two renames one fails.
 * @param {string} path
 * @param {Owner} owner
 */
async function tryAcquire(path, owner) {
  if (existsSync(path)) return false;
  const prepared = `${path}.${owner.token}`;
  await mkdir(prepared);
  await writeFile(join(prepared, OWNER_FILE), JSON.stringify(owner));
  try {
    await rename(prepared, path);
    return true;
  } catch {
    await rm(prepared, { recursive: true, force: true });
    return false;
  }
}

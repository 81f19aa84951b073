import { readFileSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * What a step noted when it was last done; undefined when it never was, or when the note cannot be read.
 * @param {string} path
 * @returns {{ hash: string } | undefined}
 */
export function readStamp(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

/**
 * Notes that a step is done. Written under another name first: a stamp is whole or absent.
 * @param {string} path
 * @param {{ hash: string }} stamp
 */
export async function writeStamp(path, stamp) {
  await mkdir(dirname(path), { recursive: true });
  const part = `${path}.${process.pid}`;
  await writeFile(part, JSON.stringify(stamp));
  await rename(part, path);
}

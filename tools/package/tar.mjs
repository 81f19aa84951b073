import { buffer } from "node:stream/consumers";
import { extract, pack } from "tar-stream";

/**
 * @typedef {object} Entry A file of an archive.
 * @property {string} name
 * @property {Buffer} content
 * @property {boolean} [executable]
 */

const FIXED_TIME = new Date("2000-01-01T00:00:00Z");

/**
 * A tar archive, the same bytes for the same entries: in the order of their names, without names of owners, all of one time.
 * @param {Entry[]} entries
 * @returns {Promise<Buffer>}
 */
export async function writeTar(entries) {
  const archive = pack();
  for (const { name, content, executable = false } of entries.toSorted((one, other) =>
    one.name < other.name ? -1 : 1,
  ))
    archive.entry({ name, mode: executable ? 0o755 : 0o644, mtime: FIXED_TIME }, content);
  archive.finalize();
  return buffer(archive);
}

/**
 * The content of one file of a tar archive. Undefined when it is not there.
 * @param {Buffer} archive
 * @param {string} name
 */
export async function readTar(archive, name) {
  const files = extract();
  files.end(archive);
  for await (const file of files) {
    if (file.header.name === name) return buffer(file);
    file.resume();
  }
  return undefined;
}

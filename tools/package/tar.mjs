import { Header } from "tar";

/**
 * @typedef {object} Entry A file of an archive.
 * @property {string} name
 * @property {Buffer} content
 * @property {boolean} [executable]
 */

const BLOCK = 512;
const END_BLOCKS = 2;
const FIXED_TIME = new Date("2000-01-01T00:00:00Z");

/**
 * A tar archive, the same bytes for the same entries: in the order of their names, without owners, all of one time.
 * @param {Entry[]} entries
 * @returns {Buffer}
 */
export function writeTar(entries) {
  const parts = entries
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap(({ name, content, executable = false }) => {
      const header = Buffer.alloc(BLOCK);
      const mode = executable ? 0o755 : 0o644;
      new Header({ path: name, type: "File", mode, size: content.length, mtime: FIXED_TIME }).encode(header);
      return [header, content, Buffer.alloc(paddingOf(content.length))];
    });
  return Buffer.concat([...parts, Buffer.alloc(BLOCK * END_BLOCKS)]);
}

/**
 * The content of one file of a tar archive; undefined when it is not there.
 * @param {Buffer} archive
 * @param {string} name
 */
export function readTar(archive, name) {
  for (let offset = 0; offset + BLOCK <= archive.length;) {
    const { path, size = 0 } = new Header(archive, offset);
    const start = offset + BLOCK;
    if (path === name) return archive.subarray(start, start + size);
    offset = start + size + paddingOf(size);
  }
  return undefined;
}

/** @param {number} size */
function paddingOf(size) {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

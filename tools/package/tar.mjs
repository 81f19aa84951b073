/**
 * @typedef {object} Entry A file of an archive.
 * @property {string} name
 * @property {Buffer} content
 * @property {boolean} [executable]
 */

const BLOCK = 512;
const END_BLOCKS = 2;
const FIXED_TIME_SECONDS = Date.UTC(2000, 0, 1) / 1000;
const LONGEST_NAME = 100;
/** Where the fields of a header stand (POSIX ustar): offset and length. */
const FIELDS = /** @type {const} */ ({
  name: [0, LONGEST_NAME],
  mode: [100, 8],
  owner: [108, 8],
  group: [116, 8],
  size: [124, 12],
  time: [136, 12],
  checksum: [148, 8],
  kind: [156, 1],
  magic: [257, 8],
});
const FILE_KIND = "0";

/**
 * A tar archive, the same bytes for the same entries: in the order of their names, without owners, all of one time.
 * @param {Entry[]} entries
 * @returns {Buffer}
 */
export function writeTar(entries) {
  const parts = entries
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => [headerOf(entry), entry.content, Buffer.alloc(paddingOf(entry.content.length))]);
  return Buffer.concat([...parts, Buffer.alloc(BLOCK * END_BLOCKS)]);
}

/**
 * The content of one file of a tar archive; undefined when it is not there.
 * @param {Buffer} archive
 * @param {string} name
 */
export function readTar(archive, name) {
  for (let offset = 0; offset + BLOCK <= archive.length;) {
    const header = archive.subarray(offset, offset + BLOCK);
    const size = Number.parseInt(textOf(header, "size"), 8) || 0;
    const start = offset + BLOCK;
    if (textOf(header, "name") === name) return archive.subarray(start, start + size);
    offset = start + size + paddingOf(size);
  }
  return undefined;
}

/** @param {Entry} entry */
function headerOf({ name, content, executable = false }) {
  if (Buffer.byteLength(name) > LONGEST_NAME) throw new Error(`${name} is too long a name for the archive`);
  const header = Buffer.alloc(BLOCK);
  const put = (/** @type {keyof typeof FIELDS} */ field, /** @type {string} */ text) =>
    header.write(text, FIELDS[field][0], FIELDS[field][1], "latin1");
  const putNumber = (/** @type {keyof typeof FIELDS} */ field, /** @type {number} */ number) =>
    put(field, number.toString(8).padStart(FIELDS[field][1] - 1, "0"));
  put("name", name);
  putNumber("mode", executable ? 0o755 : 0o644);
  putNumber("owner", 0);
  putNumber("group", 0);
  putNumber("size", content.length);
  putNumber("time", FIXED_TIME_SECONDS);
  put("kind", FILE_KIND);
  put("magic", "ustar\x0000");
  // The sum is made with spaces in its own place.
  put("checksum", " ".repeat(FIELDS.checksum[1]));
  const sum = header.reduce((total, byte) => total + byte, 0);
  put("checksum", `${sum.toString(8).padStart(6, "0")}\0 `);
  return header;
}

/**
 * @param {Buffer} header
 * @param {keyof typeof FIELDS} field
 */
function textOf(header, field) {
  const [start, length] = FIELDS[field];
  const [text = ""] = header.toString("latin1", start, start + length).split("\0");
  return text.trim();
}

/** @param {number} size */
function paddingOf(size) {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

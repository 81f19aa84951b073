import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { ROOT } from "./bundling.mjs";
import { nodeName } from "./node-binary.mjs";
import { writeTar } from "./tar.mjs";

/** The name that the engine looks for. With .exe or .cmd on Windows. */
export const PROGRAM = "pulumi-resource-previewenv";

const SHARED = ["start.cjs", "plugin.cjs", "package.json", "NOTICES.txt"];
/** Where a gzip header names the operating system that wrote it, and its value for none. */
const GZIP_SYSTEM = { offset: 9, unknown: 255 };

/**
 * The archive for a platform, in the layout of `pulumi plugin install --file`: everything at the top. The same bytes for the same contents.
 * @param {string} plugin Folder of the bundle.
 * @param {import("./node-binary.mjs").Platform} platform
 * @param {{ binary: Buffer, licence: Buffer }} node
 * @returns {Promise<Buffer>}
 */
export async function archiveOf(plugin, platform, { binary, licence }) {
  const program = platform.startsWith("windows-") ? `${PROGRAM}.cmd` : PROGRAM;
  const files = SHARED.map(async (name) => ({ name, content: await readFile(join(plugin, name)) }));
  const tar = await writeTar([
    ...(await Promise.all(files)),
    { name: program, content: await readFile(join(plugin, program)), executable: true },
    { name: nodeName(platform), content: binary, executable: true },
    { name: "NODE_LICENSE.txt", content: licence },
    { name: "LICENSE", content: await readFile(join(ROOT, "LICENSE")) },
  ]);
  const zipped = gzipSync(tar);
  zipped[GZIP_SYSTEM.offset] = GZIP_SYSTEM.unknown;
  return zipped;
}

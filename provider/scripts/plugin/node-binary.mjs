import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { cacheFolder } from "../setup/cache-folder.mjs";
import { runOrFail } from "../setup/command.mjs";
import nodes from "./nodes.json" with { type: "json" };
import { readTar } from "./tar.mjs";

const NPM = process.platform === "win32" ? "npm.cmd" : "npm";

/** The Node release that is packaged. */
export const NODE_VERSION = nodes.version;

/** @typedef {keyof typeof nodes.platforms} Platform Operating system and architecture in Go's words, as Pulumi names its archives. */

/** @type {Platform[]} */
export const PLATFORMS = Object.keys(nodes.platforms).filter(isPlatform);

/**
 * @param {string} name
 * @returns {name is Platform}
 */
export function isPlatform(name) {
  return name in nodes.platforms;
}

/**
 * The file name of Node on a platform.
 * @param {Platform} platform
 */
export function nodeName(platform) {
  return platform.startsWith("windows-") ? "node.exe" : "node";
}

/**
 * Node for a platform, untouched (its signature has to stay valid), and its licence. Fetched once from the npm registry, into the cache folder.
 * @param {Platform} platform
 * @throws when it is not the one that nodes.json names.
 */
export async function nodeFor(platform) {
  const { package: name, integrity } = nodes.platforms[platform];
  const packed = gunzipSync(verified(await packageFile(name), `${name} ${NODE_VERSION}`, integrity));
  const binary = readTar(packed, `package/bin/${nodeName(platform)}`);
  const licence = readTar(packed, "package/LICENSE");
  if (binary === undefined || licence === undefined)
    throw new Error(`${name} ${NODE_VERSION} holds no Node or no licence`);
  return { binary, licence };
}

/**
 * @param {string} name
 * @returns {Promise<Buffer>}
 */
async function packageFile(name) {
  const file = join(cacheFolder(), "node", `${name}-${NODE_VERSION}.tgz`);
  if (!existsSync(file)) await fetchPackage(name, file);
  return readFile(file);
}

/**
 * @param {string} name
 * @param {string} file
 */
async function fetchPackage(name, file) {
  await mkdir(dirname(file), { recursive: true });
  const folder = await mkdtemp(join(dirname(file), ".new-"));
  try {
    const wanted = `${name}@${NODE_VERSION}`;
    await runOrFail(`npm pack ${wanted}`, [NPM, "pack", wanted, "--pack-destination", folder], { cwd: folder });
    const [packed = ""] = await readdir(folder);
    await rename(join(folder, packed), file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * @param {Buffer} content
 * @param {string} what
 * @param {string} integrity
 */
function verified(content, what, integrity) {
  const found = `sha512-${createHash("sha512").update(content).digest("base64")}`;
  if (found !== integrity) throw new Error(`${what} is not what nodes.json names: ${found} instead of ${integrity}`);
  return content;
}

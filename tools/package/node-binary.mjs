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
const NODE_VERSION = nodes.version;

/** @typedef {keyof typeof nodes.platforms} Platform Operating system and architecture in Go's words, as Pulumi names its archives. */

const WITH_LICENCE = "linux-amd64";

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
 * @returns {Promise<{ binary: Buffer, licence: Buffer }>}
 * @throws when the registry has something else than nodes.json names.
 */
export async function nodeFor(platform) {
  const { package: name, integrity } = nodes.platforms[platform];
  const packed = gunzipSync(await packageFile(`${name}@${NODE_VERSION}`, integrity));
  const binary = await readTar(packed, `package/bin/${nodeName(platform)}`);
  if (binary === undefined) throw new Error(`${name}@${NODE_VERSION} holds no Node`);
  const licence = await readTar(packed, "package/LICENSE");
  if (licence !== undefined) return { binary, licence };
  // The packages for Windows hold none. It is the same text for all.
  if (platform === WITH_LICENCE) throw new Error(`${name}@${NODE_VERSION} holds no licence`);
  return { binary, licence: (await nodeFor(WITH_LICENCE)).licence };
}

/**
 * @param {string} wanted Name and version.
 * @param {string} integrity
 */
async function packageFile(wanted, integrity) {
  const file = join(cacheFolder(), "node", `${wanted}.tgz`);
  const cached = existsSync(file) ? await readFile(file) : undefined;
  if (cached !== undefined && integrityOf(cached) === integrity) return cached;
  const fetched = await fetchPackage(wanted, file);
  const found = integrityOf(fetched);
  if (found !== integrity) throw new Error(`${wanted} is not what nodes.json names: ${found} instead of ${integrity}`);
  return fetched;
}

/**
 * @param {string} wanted
 * @param {string} file
 */
async function fetchPackage(wanted, file) {
  await mkdir(dirname(file), { recursive: true });
  const folder = await mkdtemp(join(dirname(file), ".new-"));
  try {
    await runOrFail(`npm pack ${wanted}`, [NPM, "pack", wanted, "--pack-destination", folder], { cwd: folder });
    const [packed = ""] = await readdir(folder);
    await rename(join(folder, packed), file);
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * As package-lock.json writes it.
 * @param {Buffer} content
 */
function integrityOf(content) {
  return `sha512-${createHash("sha512").update(content).digest("base64")}`;
}

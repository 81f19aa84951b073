import { createHash } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { runOrFail, stop } from "../command.mjs";
import { PULUMI_VERSION } from "../version.mjs";

/** @typedef {{ archives: string, checksums: string, answerMs: number }} Servers */

/** @type {Servers} */
const PULUMI_SERVERS = {
  archives: "https://get.pulumi.com/releases/sdk",
  checksums: `https://github.com/pulumi/pulumi/releases/download/v${PULUMI_VERSION}`,
  answerMs: 10_000,
};
/** For an archive of 120 MB. */
const ARCHIVE_MS = 900_000;
const PLATFORMS = new Map([
  ["linux", "linux"],
  ["darwin", "darwin"],
  ["win32", "windows"],
]);
const ARCHITECTURES = ["x64", "arm64"];
/** The programs lie in `pulumi/` of the archive, on Windows in `pulumi/bin/`. */
const FOLDERS_IN_ARCHIVE = process.platform === "win32" ? "2" : "1";

/**
 * Puts the programs of Pulumi's own release of the CLI into a folder. The archive is checked against the checksums that Pulumi publishes with it.
 * @param {Pick<import("../dependencies.mjs").SetupContext, "progress">} context
 * @param {string} bin
 * @param {Servers} [servers]
 */
export async function download({ progress }, bin, servers = PULUMI_SERVERS) {
  await progress.step(`Pulumi CLI: download v${PULUMI_VERSION} (about 1 min)`, async () => {
    const archive = archiveName(process.platform, process.arch);
    // The small file first: a machine that cannot reach the servers knows it soon.
    const checksum = await publishedChecksum(archive, servers);
    const url = `${servers.archives}/${archive}`;
    const content = await fetched(url, ARCHIVE_MS);
    if (createHash("sha256").update(content).digest("hex") !== checksum)
      throw new Error(`${url} does not have the checksum that Pulumi publishes for it`);
    const file = `${bin}.archive`;
    await writeFile(file, content);
    await runOrFail("tar", ["tar", "-xf", file, "-C", bin, "--strip-components", FOLDERS_IN_ARCHIVE]);
    await rm(file);
  });
}

/**
 * The name of Pulumi's archive for a platform.
 * @param {string} platform
 * @param {string} architecture
 */
export function archiveName(platform, architecture) {
  const os = PLATFORMS.get(platform);
  if (os === undefined || !ARCHITECTURES.includes(architecture))
    throw new Error(`Pulumi publishes no CLI for ${platform} on ${architecture}`);
  return `pulumi-v${PULUMI_VERSION}-${os}-${architecture}.${os === "windows" ? "zip" : "tar.gz"}`;
}

/**
 * @param {string} archive
 * @param {Servers} servers
 */
async function publishedChecksum(archive, { checksums, answerMs }) {
  const url = `${checksums}/pulumi-${PULUMI_VERSION}-checksums.txt`;
  const lines = (await fetched(url, answerMs)).toString().split("\n");
  const line = lines.find((entry) => entry.trim().endsWith(` ${archive}`) || entry.trim().endsWith(`*${archive}`));
  if (line === undefined) throw new Error(`${url} names no ${archive}`);
  return line.trim().split(/\s+/)[0];
}

/**
 * @param {string} url
 * @param {number} limitMs
 * @throws an error that names the address
 */
async function fetched(url, limitMs) {
  try {
    const response = await fetch(url, { signal: AbortSignal.any([stop.signal, AbortSignal.timeout(limitMs)]) });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // fetch hides what happened ("fetch failed") in the cause.
    const { message } = error.cause instanceof Error ? error.cause : error;
    throw new Error(`${url}: ${message}`, { cause: error });
  }
}

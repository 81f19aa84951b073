import { createHash } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { lastLines, run, stop } from "../command.mjs";
import { PULUMI_VERSION } from "../version.mjs";

/** @typedef {import("./programs.mjs").SetupContext} SetupContext */
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
 * @param {Pick<SetupContext, "progress">} context
 * @param {string} bin
 * @param {Servers} [servers]
 * @returns {Promise<{ reason: string } | undefined>}
 */
export async function download({ progress }, bin, servers = PULUMI_SERVERS) {
  const archive = archiveName(process.platform, process.arch);
  if (archive === undefined) return { reason: `Pulumi publishes no CLI for ${process.platform} on ${process.arch}` };
  return progress.step(`Pulumi CLI: download v${PULUMI_VERSION} (about 1 min)`, async () => {
    try {
      // The small file first: a machine that cannot reach the servers knows it soon.
      const checksum = await publishedChecksum(archive, servers);
      const url = `${servers.archives}/${archive}`;
      const content = await fetched(url, ARCHIVE_MS);
      if (createHash("sha256").update(content).digest("hex") !== checksum)
        return { reason: `${url} does not have the checksum that Pulumi publishes for it` };
      return await unpack(content, bin);
    } catch (error) {
      stop.signal.throwIfAborted();
      return { reason: error instanceof Error ? error.message : String(error) };
    }
  });
}

/**
 * The name of Pulumi's archive for a platform; undefined when there is none.
 * @param {string} platform
 * @param {string} architecture
 */
export function archiveName(platform, architecture) {
  const os = PLATFORMS.get(platform);
  if (os === undefined || !ARCHITECTURES.includes(architecture)) return undefined;
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

/**
 * @param {Buffer} content
 * @param {string} bin
 */
async function unpack(content, bin) {
  const file = `${bin}.archive`;
  await writeFile(file, content);
  const { code, output } = await run("tar", ["-xf", file, "-C", bin, "--strip-components", FOLDERS_IN_ARCHIVE]);
  await rm(file);
  return code === 0 ? undefined : { reason: `tar could not unpack ${file}:\n${lastLines(output)}` };
}

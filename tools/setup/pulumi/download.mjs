import { createHash } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { runOrFail } from "../command.mjs";
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
    const list = `${servers.checksums}/pulumi-${PULUMI_VERSION}-checksums.txt`;
    const lines = (await fetched(list, servers.answerMs)).toString().split("\n");
    const [checksum, name] =
      lines.map((line) => line.trim().split(/\s+\*?/)).find(([, file]) => file === archive) ?? [];
    if (name === undefined) throw new Error(`${list} names no ${archive}`);
    const url = `${servers.archives}/${archive}`;
    const content = await fetched(url, ARCHIVE_MS);
    if (createHash("sha256").update(content).digest("hex") !== checksum)
      throw new Error(`${url} does not have the checksum that Pulumi publishes for it`);
    const file = `${bin}.archive`;
    await writeFile(file, content);
    // The programs lie in `pulumi/` of the archive, on Windows in `pulumi/bin/`.
    const depth = process.platform === "win32" ? "2" : "1";
    await runOrFail("tar", ["tar", "-xf", file, "-C", bin, "--strip-components", depth]);
    await rm(file);
  });
}

/**
 * The name of Pulumi's archive for a platform, if it publishes one.
 * @param {string} platform
 * @param {string} architecture
 */
export function archiveName(platform, architecture) {
  if (platform === "win32") return `pulumi-v${PULUMI_VERSION}-windows-${architecture}.zip`;
  return `pulumi-v${PULUMI_VERSION}-${platform}-${architecture}.tar.gz`;
}

/**
 * @param {string} url
 * @param {number} limitMs
 * @throws an error that names the address
 */
async function fetched(url, limitMs) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(limitMs) });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // fetch hides what happened ("fetch failed") in the cause.
    const { message } = error.cause instanceof Error ? error.cause : error;
    throw new Error(`${url}: ${message}`, { cause: error });
  }
}

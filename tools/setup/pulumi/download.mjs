import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { lastLines, run } from "../command.mjs";
import { PULUMI_VERSION } from "../version.mjs";
import { intoCache } from "./cache.mjs";
import { failureOf, fetchToFile, withResponse } from "./fetch.mjs";
import { CLI } from "./programs.mjs";

const PULUMI_SERVERS = {
  archives: "https://get.pulumi.com/releases/sdk",
  checksums: `https://github.com/pulumi/pulumi/releases/download/v${PULUMI_VERSION}`,
  connectMs: 10_000,
};
const PLATFORMS = { linux: "linux", darwin: "darwin", win32: "windows" };
const ARCHITECTURES = { x64: "x64", arm64: "arm64" };

/**
 * Pulumi's own release of the CLI, checked against the checksums that Pulumi publishes with it.
 * @param {import("./programs.mjs").PulumiContext} context
 * @returns {Promise<import("./programs.mjs").Candidate>}
 */
export async function byDownload(context) {
  const archive = archiveName(process.platform, process.arch);
  if (archive === undefined) return { reason: `Pulumi publishes no CLI for ${process.platform} on ${process.arch}` };
  const servers = context.download ?? PULUMI_SERVERS;
  const url = `${servers.archives}/${archive}`;
  const title = `Pulumi CLI: download v${PULUMI_VERSION} (about 1 min)`;
  return intoCache(context, (bin, folder) =>
    context.progress.step(title, async () => {
      try {
        const expected = await publishedChecksum(archive, servers, context.signal);
        const file = join(folder, archive);
        const actual = await fetchToFile(url, file, servers.connectMs, context.signal);
        if (actual === expected) return await unpack(file, bin, folder, context.signal);
        return { reason: `${url} does not have the checksum that Pulumi publishes for it` };
      } catch (error) {
        context.signal?.throwIfAborted();
        return { reason: failureOf(error) };
      }
    }),
  );
}

/**
 * The name of Pulumi's archive for a platform; undefined when there is none.
 * @param {string} platform
 * @param {string} architecture
 */
export function archiveName(platform, architecture) {
  const os = new Map(Object.entries(PLATFORMS)).get(platform);
  const arch = new Map(Object.entries(ARCHITECTURES)).get(architecture);
  if (os === undefined || arch === undefined) return undefined;
  return `pulumi-v${PULUMI_VERSION}-${os}-${arch}.${os === "windows" ? "zip" : "tar.gz"}`;
}

/**
 * @param {string} archive
 * @param {{ checksums: string, connectMs: number }} servers
 * @param {AbortSignal | undefined} signal
 */
async function publishedChecksum(archive, { checksums, connectMs }, signal) {
  const url = `${checksums}/pulumi-${PULUMI_VERSION}-checksums.txt`;
  const text = await withResponse(url, connectMs, signal, (response) => response.text());
  const line = text
    .split("\n")
    .find((entry) => entry.trim().endsWith(` ${archive}`) || entry.trim().endsWith(`*${archive}`));
  if (line === undefined) throw new Error(`${url} names no ${archive}`);
  return line.trim().split(/\s+/)[0];
}

/**
 * The programs lie in `pulumi/` of the archive, on Windows in `pulumi/bin/`.
 * @param {string} file
 * @param {string} bin
 * @param {string} folder
 * @param {AbortSignal | undefined} signal
 */
async function unpack(file, bin, folder, signal) {
  const unpacked = join(folder, "unpacked");
  await mkdir(unpacked);
  const result = await run("tar", ["-xf", file, "-C", unpacked], { signal });
  if (result.code !== 0) return { reason: `tar could not unpack ${file}:\n${lastLines(result.output)}` };
  for (const inside of [["pulumi", "bin"], ["pulumi"]]) {
    const names = await readdir(join(unpacked, ...inside)).catch(() => /** @type {string[]} */ ([]));
    if (!names.includes(CLI)) continue;
    for (const name of names) await rename(join(unpacked, ...inside, name), join(bin, name));
    await rm(unpacked, { recursive: true });
    await rm(file);
    return undefined;
  }
  return { reason: `${file} has no ${CLI} in its folder pulumi` };
}

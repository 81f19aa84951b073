import { expect } from "chai";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { join } from "node:path";
import { listen } from "../support/listen";
import { load, newFolder, newMachine, removeFolders, writePulumi } from "./checkout";

interface DownloadModule {
  archiveName: (platform: string, architecture: string) => string;
  download: (context: unknown, bin: string, servers: unknown) => Promise<void>;
}

const CHECKSUMS = "/pulumi-3.259.0-checksums.txt";
const ANSWER_MS = 100_000;
const servers: Server[] = [];

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  return `http://127.0.0.1:${await listen(server)}`;
}

/** Pulumi's archive for this platform, with a CLI of the version in it. */
function archive(version: string): Buffer {
  const folder = newFolder();
  writePulumi(join(folder, "pulumi"), version);
  execFileSync("tar", ["-czf", join(folder, "archive"), "-C", folder, "pulumi"]);
  return readFileSync(join(folder, "archive"));
}

async function downloaded(url: string, answerMs = ANSWER_MS) {
  const { download } = await load<DownloadModule>("pulumi/download.mjs");
  const { bin, context } = await newMachine();
  mkdirSync(bin);
  const refused = await download(context, bin, { archives: url, checksums: url, answerMs }).catch(
    (error: Error) => error.message,
  );
  return { refused, bin };
}

/** A server with Pulumi's archive and a checksum for it. */
async function release(
  content: Buffer,
  checksum = createHash("sha256").update(content).digest("hex"),
): Promise<string> {
  const { archiveName } = await load<DownloadModule>("pulumi/download.mjs");
  const name = archiveName(process.platform, process.arch);
  return serve((request, response) => {
    if (request.url === CHECKSUMS) response.end(`${"0".repeat(64)}  other.tar.gz\n${checksum}  ${name}\n`);
    else if (request.url === `/${name}`) response.end(content);
    else response.writeHead(404).end();
  });
}

describe("set-up: the download of the Pulumi CLI", () => {
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
    removeFolders();
  });

  it("unpacks the programs of an archive that has the published checksum", async () => {
    const { refused, bin } = await downloaded(await release(archive("v3.259.0")));
    expect(refused).to.equal(undefined);
    expect(readdirSync(bin)).to.include.members(["pulumi", "pulumi-language-nodejs"]);
    expect(readdirSync(join(bin, ".."))).to.deep.equal(["bin"]);
  });

  it("refuses an archive with another checksum, and unpacks nothing of it", async () => {
    const { refused, bin } = await downloaded(await release(archive("v3.259.0"), "1".repeat(64)));
    expect(refused).to.contain("does not have the checksum that Pulumi publishes for it");
    expect(readdirSync(bin)).to.deep.equal([]);
  });

  it("refuses a checksum list that does not name the archive", async () => {
    const url = await serve((_request, response) => response.end("abc  other.tar.gz\n"));
    const { refused } = await downloaded(url);
    expect(refused).to.contain(`${url}${CHECKSUMS} names no pulumi-v3.259.0-`);
  });

  it("names the address and the status when a server refuses", async () => {
    const url = await serve((_request, response) => response.writeHead(403).end());
    const { refused } = await downloaded(url);
    expect(refused).to.equal(`${url}${CHECKSUMS}: it answered 403`);
  });

  it("gives up on a server that does not answer", async () => {
    const url = await serve(() => undefined);
    const { refused } = await downloaded(url, 50);
    expect(refused).to.contain(`${url}${CHECKSUMS}: The operation was aborted due to timeout`);
  });

  const names: [platform: string, architecture: string, expected: string][] = [
    ["linux", "x64", "pulumi-v3.259.0-linux-x64.tar.gz"],
    ["darwin", "arm64", "pulumi-v3.259.0-darwin-arm64.tar.gz"],
    ["win32", "x64", "pulumi-v3.259.0-windows-x64.zip"],
  ];
  for (const [platform, architecture, expected] of names)
    it(`asks for ${expected} on ${platform} with ${architecture}`, async () => {
      const { archiveName } = await load<DownloadModule>("pulumi/download.mjs");
      expect(archiveName(platform, architecture)).to.equal(expected);
    });

  for (const [platform, architecture] of [
    ["freebsd", "x64"],
    ["linux", "ia32"],
  ] as const)
    it(`asks for nothing on ${platform} with ${architecture}`, async () => {
      const { archiveName } = await load<DownloadModule>("pulumi/download.mjs");
      expect(() => archiveName(platform, architecture)).to.throw("Pulumi publishes no CLI");
    });
});

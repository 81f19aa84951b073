import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { join, resolve } from "node:path";
import { expect } from "chai";
import manifest from "../../package.json";
import { listen } from "../support/listen";
import {
  type Context,
  fakeGo,
  load,
  newFolder,
  newMachine,
  removeFolders,
  write,
  writeProgram,
  writePulumi,
} from "./checkout";

const MODULES = "tools/setup/pulumi/modules";
const LANGUAGES = ["yaml", "python", "go", "dotnet", "java"];
const PYTHON_SCRIPT = "pulumi-language-python-exec";

interface Cli {
  readonly providePulumi: (context: Context) => Promise<string>;
}
interface Hosts {
  readonly provideLanguageHosts: (context: Context, pulumi: string) => Promise<string>;
}
interface Download {
  readonly archiveName: (platform: string, architecture: string) => string;
  readonly download: (context: Context, bin: string, servers: unknown) => Promise<void>;
}
interface Versions {
  readonly OLDEST_NODE: string;
  readonly OLDEST_GO: string;
  readonly PULUMI_VERSION: string;
  readonly isAtLeast: (text: string, oldest: string) => boolean;
}

/** A machine with the modules of what is built, and a package @pulumi/pulumi. */
async function machine() {
  const made = await newMachine();
  const { root, env } = made.context;
  for (const module of ["pulumi", "language-hosts"]) write(join(root, MODULES, module, "go.mod"), "");
  writeProgram(join(root, "node_modules/@pulumi/pulumi/pulumi-resource-pulumi-nodejs"), "true");
  write(join(root, "sources", "python", "cmd", PYTHON_SCRIPT), "#!/usr/bin/env python3");
  return { ...made, context: { ...made.context, env: { ...env, MODULE: join(root, "sources") } } };
}

async function failureOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "it did not fail",
    (error: Error) => error.message,
  );
}

describe("set-up: the Pulumi CLI", () => {
  const { fetch } = globalThis;
  beforeEach(() => (globalThis.fetch = () => Promise.reject(new Error("offline"))));
  afterEach(() => (globalThis.fetch = fetch));
  afterEach(removeFolders);

  const provide = async (context: Context): Promise<string> =>
    (await load<Cli>("pulumi/pulumi-cli.mjs")).providePulumi(context);

  it("is the one on PATH when that is new enough and has its hosts, even when the cache has one", async () => {
    const { bin, cached, context, said } = await machine();
    writePulumi(bin, "v3.230.0");
    writePulumi(cached, "v3.259.0");
    expect([await provide(context), said()]).to.deep.equal([bin, ""]);
  });

  it("is the one in the cache when that on PATH is too old, and nothing is said", async () => {
    const { bin, cached, context, said } = await machine();
    writePulumi(bin, "v3.229.0");
    writePulumi(cached, "v3.259.0");
    expect([await provide(context), said()]).to.deep.equal([cached, ""]);
  });

  it("is built with Go when it cannot be downloaded, and found in the cache from then on", async () => {
    const { bin, logged, cached, context, said } = await machine();
    writeProgram(join(bin, "go"), fakeGo());
    expect(await provide(context)).to.equal(cached);
    expect(logged()).to.deep.equal(["pulumi: pulumi GOWORK=off", "language-hosts: pulumi-language-nodejs GOWORK=off"]);
    expect(readdirSync(cached)).to.have.members(["pulumi", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"]);
    expect(said()).to.match(
      /download v3\.259\.0: not possible after .*\n.*build v3\.259\.0 with Go, program 1 of 2 \(.*\) \.\.\.\n.*: done/s,
    );
    rmSync(join(bin, "go"));
    expect(await provide(context)).to.equal(cached);
  });

  it("is not taken from a build that does not run", async () => {
    const { bin, cached, context } = await machine();
    writeProgram(join(bin, "go"), fakeGo(`printf '#!/bin/sh\\necho broken; exit 9' > "$out"`));
    expect(await failureOf(provide(context))).to.match(/- Go build: .*pulumi version ended with exit 9: broken/);
    expect(existsSync(cached)).to.equal(false);
  });

  it("ends in one message that says what was tried and what to install", async () => {
    const { bin, context } = await machine();
    writePulumi(bin, "v3.100.0");
    const lines = (await failureOf(provide(context))).split("\n");
    expect(lines).to.have.length(7);
    expect(lines[0]).to.equal("There is no Pulumi CLI, and none could be installed. What was tried:");
    expect(lines[1]).to.equal(`  - PATH: ${join(bin, "pulumi")} is v3.100.0, older than v3.230.0`);
    expect(lines[2]).to.match(/^ {2}- cache: .* is not there yet$/);
    expect(lines[3]).to.match(/^ {2}- download: https:\/\/github\.com\/.*\/pulumi-3\.259\.0-checksums\.txt: offline$/);
    expect(lines[4]).to.equal("  - Go build: there is no go on PATH (Go 1.25.11 or newer builds it)");
    expect(lines[5]).to.contain("Install the Pulumi CLI 3.230.0 or newer (https://www.pulumi.com/docs/install/)");
    expect(lines[6]).to.match(/^The folder .* must be writable: PREVIEWENV_CACHE_DIR names another one\.$/);
  });
});

describe("set-up: the language hosts of other languages", () => {
  afterEach(removeFolders);

  const provide = async (context: Context, pulumi: string): Promise<string> =>
    (await load<Hosts>("pulumi/language-hosts.mjs")).provideLanguageHosts(context, pulumi);
  const hosts = LANGUAGES.map((language) => `pulumi-language-${language}`);
  const found = (folder: string): readonly string[] =>
    readdirSync(folder).filter((name) => name.startsWith("pulumi-language-") && name !== "pulumi-language-nodejs");

  it("are those beside the user's CLI, and nothing is said or built", async () => {
    const { bin, context, logged, said } = await machine();
    const pulumi = join(context.root, "user");
    for (const host of hosts) writeProgram(join(pulumi, host), "true");
    writeProgram(join(bin, "go"), fakeGo());
    expect([await provide(context, pulumi), said(), logged()]).to.deep.equal([pulumi, "", []]);
  });

  it("are built with Go beside the CLI of the cache, and found there from then on", async () => {
    const { bin, cached, context, logged, said } = await machine();
    writePulumi(cached, "v3.259.0");
    writeProgram(join(bin, "go"), fakeGo());
    expect(await provide(context, cached)).to.equal(cached);
    expect(found(cached)).to.have.members([...hosts, PYTHON_SCRIPT]);
    expect(logged().map((line) => line.replace(/^.*: (.*) GOWORK=off$/u, "$1"))).to.have.members(hosts);
    expect(said()).to.match(/^\[setup\] language hosts: build the one for yaml with Go .*\n.*: done after/u);
    rmSync(join(bin, "go"));
    const before = said();
    expect([await provide(context, cached), said()]).to.deep.equal([cached, before]);
  });

  it("are none without Go, which is one line and no failure", async () => {
    const { cached, context, said } = await machine();
    writePulumi(cached, "v3.259.0");
    expect(await provide(context, cached)).to.equal(cached);
    expect(said()).to.equal(
      "[setup] language hosts: none for yaml, dotnet, python, go, java, whose tests are skipped: there is no go on PATH (Go 1.25.11 or newer builds it)\n",
    );
    expect(found(cached)).to.deep.equal([]);
  });

  it("are those that can be built, whole, and one line names each other one", async () => {
    const { bin, cached, context, said } = await machine();
    writePulumi(cached, "v3.259.0");
    const failing = 'case "$program" in *-python) echo half > "$out"; echo "no such module" >&2; exit 1;; esac';
    writeProgram(join(bin, "go"), fakeGo(failing));
    await provide(context, cached);
    expect(found(cached)).to.have.members([
      ...hosts.filter((name) => name !== "pulumi-language-python"),
      PYTHON_SCRIPT,
    ]);
    expect(said()).to.match(
      /none for python, whose tests are skipped: go build in language-hosts .*\n.*no such module\n/u,
    );
  });
});

describe("set-up: the download of the Pulumi CLI", () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
    removeFolders();
  });

  const checksums = "/pulumi-3.259.0-checksums.txt";
  const serve = async (listener: RequestListener): Promise<string> => {
    const server = createServer(listener);
    servers.push(server);
    return `http://127.0.0.1:${await listen(server)}`;
  };
  /** A server with Pulumi's archive for this platform, and a checksum for it. */
  const release = async (wrong?: string): Promise<string> => {
    const { archiveName } = await load<Download>("pulumi/download.mjs");
    const folder = newFolder();
    writePulumi(join(folder, "pulumi"), "v3.259.0");
    execFileSync("tar", ["-czf", join(folder, "archive"), "-C", folder, "pulumi"]);
    const content = readFileSync(join(folder, "archive"));
    const checksum = wrong ?? createHash("sha256").update(content).digest("hex");
    const name = archiveName(process.platform, process.arch);
    return serve((request, response) => {
      if (request.url === checksums) response.end(`${"0".repeat(64)}  other.tar.gz\n${checksum}  ${name}\n`);
      else if (request.url === `/${name}`) response.end(content);
      else response.writeHead(404).end();
    });
  };
  const downloaded = async (url: string, answerMs = 100_000) => {
    const { download } = await load<Download>("pulumi/download.mjs");
    const { bin, context } = await newMachine();
    mkdirSync(bin);
    const failure = await failureOf(download(context, bin, { archives: url, checksums: url, answerMs }));
    return { failure, bin };
  };

  it("unpacks the programs of an archive that has the published checksum", async () => {
    const { failure, bin } = await downloaded(await release());
    expect(failure).to.equal("it did not fail");
    expect(readdirSync(bin)).to.include.members(["pulumi", "pulumi-language-nodejs"]);
    expect(readdirSync(join(bin, ".."))).to.deep.equal(["bin"]);
  });

  it("refuses an archive with another checksum, and unpacks nothing of it", async () => {
    const { failure, bin } = await downloaded(await release("1".repeat(64)));
    expect(failure).to.contain("does not have the checksum that Pulumi publishes for it");
    expect(readdirSync(bin)).to.deep.equal([]);
  });

  it("names the address, and why: no such archive, a status, or no answer", async () => {
    const [other, refusing, silent] = [
      await serve((_request, response) => response.end("abc  other.tar.gz\n")),
      await serve((_request, response) => response.writeHead(403).end()),
      await serve(() => undefined),
    ];
    expect((await downloaded(other)).failure).to.contain(`${other}${checksums} names no pulumi-v3.259.0-`);
    expect((await downloaded(refusing)).failure).to.equal(`${refusing}${checksums}: it answered 403`);
    expect((await downloaded(silent, 50)).failure).to.contain(
      `${silent}${checksums}: The operation was aborted due to timeout`,
    );
  });
});

describe("set-up: versions", () => {
  it("are compared number by number, wherever a text has one", async () => {
    const { isAtLeast } = await load<Versions>("version.mjs");
    for (const [text, oldest, expected] of [
      ["v3.230.0", "3.230.0", true],
      ["v3.229.9", "3.230.0", false],
      ["v3.1000.0", "3.230.0", true],
      ["v2.999.999", "3.230.0", false],
      ["v3.259.0-alpha.x1234", "3.259.0", true],
      ["go1.25.9", "1.25.11", false],
      ["go1.26", "1.25.11", true],
      ["devel", "1.25.11", false],
    ] as const)
      expect(isAtLeast(text, oldest), text).to.equal(expected);
  });

  it("agree with package.json and with the Go modules", async () => {
    const { OLDEST_GO, OLDEST_NODE, PULUMI_VERSION } = await load<Versions>("version.mjs");
    const goModule = readFileSync(resolve(__dirname, "..", "..", MODULES, "pulumi", "go.mod"), "utf8");
    expect(manifest.engines.node).to.equal(`>=${OLDEST_NODE.replace(/\.0$/, "")}`);
    expect(goModule).to.contain(`\ngo ${OLDEST_GO}\n`);
    expect(goModule).to.contain(`github.com/pulumi/pulumi/pkg/v3 v${PULUMI_VERSION} `);
  });
});

interface Python {
  providePython: (context: Context) => Promise<string | undefined>;
}

/** Answers its version. `-m venv X` writes X/bin/python, which notes its arguments. */
const PYTHON = (version: string) => `
if [ "$1" = -c ]; then echo ${version}; exit 0; fi
/bin/mkdir -p "$3/bin"
printf '#!/bin/sh\\necho "$*" >> "$LOG"\\n' > "$3/bin/python"
/bin/chmod 755 "$3/bin/python"`;

async function pythonMachine() {
  const { providePython } = await load<Python>("python.mjs");
  const made = await newMachine();
  const requirements = join(made.context.root, "tools", "setup", "python", "requirements.txt");
  write(requirements, "pulumi==3.259.0");
  return { ...made, cache: made.context.cache, requirements, provide: () => providePython(made.context) };
}

describe("set-up: the virtual environment for Python programs", () => {
  afterEach(removeFolders);

  it("is made in the cache with the locked packages, and found there from then on", async () => {
    const { bin, cache, logged, provide, requirements, said } = await pythonMachine();
    writeProgram(join(bin, "python3"), PYTHON("3.11.7"));
    const folder = await provide();
    expect(folder).to.match(new RegExp(`^${join(cache, "python")}/[0-9a-f]{12}$`, "u"));
    expect(logged()).to.have.length(1);
    expect(logged()[0]).to.contain("--require-hashes").and.contain(`-r ${requirements}`);
    rmSync(join(bin, "python3"));
    const before = said();
    expect([await provide(), said(), logged().length]).to.deep.equal([folder, before, 1]);
  });

  for (const [title, version, reason] of [
    ["without Python", undefined, "there is no python3 on PATH (Python 3.10.0 or newer)"],
    ["with an old Python", "3.9.18", "python3 is 3.9.18, older than 3.10.0"],
  ] as const)
    it(`is none ${title}, which is one line and no failure`, async () => {
      const { bin, provide, said } = await pythonMachine();
      if (version !== undefined) writeProgram(join(bin, "python3"), PYTHON(version));
      expect(await provide()).to.equal(undefined);
      expect(said()).to.match(/^\[setup\] Python: the tests of Python programs are skipped: .*\n$/u);
      expect(said()).to.contain(reason);
    });
});

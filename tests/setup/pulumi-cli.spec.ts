import { expect } from "chai";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Context, load, newMachine, removeFolders, write, writeProgram, writePulumi } from "./checkout";

interface Cli {
  providePulumi: (context: Context) => Promise<string>;
}

/** `go build -o X` writes a program to X that prints the version in the -ldflags, then runs `extra`. */
const GO = (extra = "") => `
while [ $# -gt 0 ]; do
  case "$1" in
    -ldflags) shift; flags=$1;;
    -o) shift; out=$1;;
  esac
  shift
done
echo "\${PWD##*/} GOWORK=$GOWORK" >> "$LOG"
printf '#!/bin/sh\\necho %s\\n' "\${flags##*=}" > "$out"
/bin/chmod 755 "$out"
${extra}`;

async function machine() {
  const { providePulumi } = await load<Cli>("pulumi/pulumi-cli.mjs");
  const made = await newMachine();
  const { root } = made.context;
  for (const module of ["cli", "language-host"]) write(join(root, "tools/setup/pulumi/modules", module, "go.mod"), "");
  writeProgram(join(root, "node_modules/@pulumi/pulumi/pulumi-resource-pulumi-nodejs"), "true");
  return { ...made, provide: () => providePulumi(made.context) };
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

  it("is the one on PATH when that is new enough and has its hosts, even when the cache has one", async () => {
    const { bin, cached, provide, said } = await machine();
    writePulumi(bin, "v3.230.0");
    writePulumi(cached, "v3.259.0");
    expect([await provide(), said()]).to.deep.equal([bin, ""]);
  });

  it("is the one in the cache when that on PATH is too old, and nothing is said", async () => {
    const { bin, cached, provide, said } = await machine();
    writePulumi(bin, "v3.229.0");
    writePulumi(cached, "v3.259.0");
    expect([await provide(), said()]).to.deep.equal([cached, ""]);
  });

  it("is built with Go when it cannot be downloaded, and found in the cache from then on", async () => {
    const { bin, logged, cached, provide, said } = await machine();
    writeProgram(join(bin, "go"), GO());
    expect(await provide()).to.equal(cached);
    expect(logged()).to.deep.equal(["cli GOWORK=off", "language-host GOWORK=off"]);
    expect(readdirSync(cached)).to.have.members(["pulumi", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"]);
    expect(said()).to.match(
      /download v3\.259\.0: not possible after .*\n.*build v3\.259\.0 with Go \(.*\) \.\.\.\n.*: done/s,
    );
    rmSync(join(bin, "go"));
    expect(await provide()).to.equal(cached);
  });

  it("is not taken from a build that does not run", async () => {
    const { bin, cached, provide } = await machine();
    writeProgram(join(bin, "go"), GO(`printf '#!/bin/sh\\necho broken; exit 9' > "$out"`));
    expect(await failureOf(provide())).to.match(/- Go build: .*pulumi version ended with exit 9: broken/);
    expect(existsSync(cached)).to.equal(false);
  });

  it("ends in one message that says what was tried and what to install", async () => {
    const { bin, provide } = await machine();
    writePulumi(bin, "v3.100.0");
    const lines = (await failureOf(provide())).split("\n");
    expect(lines).to.have.length(7);
    expect(lines[0]).to.equal("There is no Pulumi CLI, and none could be installed. What was tried:");
    expect(lines[1]).to.equal(`  - PATH: ${join(bin, "pulumi")} is v3.100.0, older than v3.230.0`);
    expect(lines[2]).to.match(/^ {2}- cache: .* has none yet$/);
    expect(lines[3]).to.match(/^ {2}- download: https:\/\/github\.com\/.*\/pulumi-3\.259\.0-checksums\.txt: offline$/);
    expect(lines[4]).to.equal("  - Go build: there is no go on PATH (Go 1.25.11 or newer builds it)");
    expect(lines[5]).to.contain("Install the Pulumi CLI 3.230.0 or newer (https://www.pulumi.com/docs/install/)");
    expect(lines[6]).to.match(/^The folder .* must be writable: PREVIEWENV_CACHE_DIR names another one\.$/);
  });
});

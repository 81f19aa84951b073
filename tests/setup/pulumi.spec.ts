import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "chai";
import manifest from "../../package.json";
import { provideLanguageHosts } from "../../tools/setup/pulumi/language-hosts.mjs";
import { providePulumi } from "../../tools/setup/pulumi/pulumi-cli.mjs";
import { OLDEST_NODE, PULUMI_VERSION } from "../../tools/setup/version.mjs";
import { fakeGo, newMachine, removeFolders, write, writeProgram, writePulumi } from "./machine";

const MODULES = "tools/setup/pulumi/modules";
const HOSTS = ["yaml", "python", "go", "dotnet", "java"].map((language) => `pulumi-language-${language}`);

/** A machine with the modules of what is built, and a package @pulumi/pulumi. */
function machine() {
  const made = newMachine();
  const { root } = made.context;
  for (const module of ["pulumi", "language-hosts"]) write(join(root, MODULES, module, "go.mod"), "");
  writeProgram(join(root, "node_modules/@pulumi/pulumi/pulumi-resource-pulumi-nodejs"), "true");
  return made;
}

describe("set-up: the Pulumi CLI", () => {
  const { fetch } = globalThis;
  beforeEach(() => (globalThis.fetch = () => Promise.reject(new Error("offline"))));
  afterEach(() => (globalThis.fetch = fetch));
  afterEach(removeFolders);

  for (const [version, place] of [
    ["v3.230.0", "bin"],
    ["v3.229.0", "cached"],
  ] as const)
    it(`is that on PATH when it is new enough, else that in the cache, and nothing is said: ${version}`, async () => {
      const { said, ...made } = machine();
      writePulumi(made.bin, version);
      writePulumi(made.cached, "v3.259.0");
      expect([await providePulumi(made.context), said()]).to.deep.equal([made[place], ""]);
    });

  it("is built with Go when it cannot be downloaded, and found in the cache from then on", async () => {
    const { bin, logged, cached, context, said } = machine();
    writeProgram(join(bin, "go"), fakeGo());
    expect(await providePulumi(context)).to.equal(cached);
    expect(logged()).to.deep.equal(["pulumi: pulumi GOWORK=off", "language-hosts: pulumi-language-nodejs GOWORK=off"]);
    expect(readdirSync(cached)).to.have.members(["pulumi", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"]);
    expect(said()).to.match(
      /download v3\.259\.0: not possible after .*\n.*build v3\.259\.0 with Go, program 1 of 2 \(.*\) \.\.\.\n.*: done/s,
    );
    rmSync(join(bin, "go"));
    expect(await providePulumi(context)).to.equal(cached);
  });

  it("is none of a build that does not run: one message says what was tried and what to install", async () => {
    const { bin, cached, context } = machine();
    writePulumi(bin, "v3.100.0");
    writeProgram(join(bin, "go"), fakeGo(`printf '#!/bin/sh\\necho broken; exit 9' > "$out"`));
    const failure = await providePulumi(context).catch((error: Error) => error.message);
    expect(existsSync(cached)).to.equal(false);
    const lines = failure.split("\n");
    expect(lines).to.have.length(7);
    expect(lines[0]).to.equal("There is no Pulumi CLI, and none could be installed. What was tried:");
    expect(lines[1]).to.equal(`  - PATH: ${join(bin, "pulumi")} is v3.100.0, older than v3.230.0`);
    expect(lines[2]).to.match(/^ {2}- cache: .* is not there yet$/);
    expect(lines[3]).to.match(/^ {2}- download: .*https:\/\/get\.pulumi\.com\/install\.sh: offline$/);
    expect(lines[4]).to.match(/^ {2}- Go build: .*pulumi version ended with exit 9: broken/);
    expect(lines[5]).to.contain("Install the Pulumi CLI 3.230.0 or newer (https://www.pulumi.com/docs/install/)");
    expect(lines[6]).to.match(/^The folder .* must be writable: PREVIEWENV_CACHE_DIR names another one\.$/);
  });
});

describe("set-up: the language hosts of other languages", () => {
  afterEach(removeFolders);

  it("are those beside the user's CLI, and one line names those that are not there", async () => {
    const { bin, context, logged, said } = machine();
    writeProgram(join(bin, "go"), fakeGo());
    const pulumi = join(context.root, "user");
    for (const host of HOSTS) writeProgram(join(pulumi, host), "true");
    await provideLanguageHosts(context, pulumi);
    expect([said(), logged()]).to.deep.equal(["", []]);
    for (const host of HOSTS.slice(3)) rmSync(join(pulumi, host));
    await provideLanguageHosts(context, pulumi);
    expect([said(), logged()]).to.deep.equal([
      `[setup] language hosts: none for dotnet, java, whose tests are skipped: the Pulumi CLI in ${pulumi} is without them\n`,
      [],
    ]);
  });
});

describe("set-up: versions", () => {
  it("agree with package.json and with the Go modules", () => {
    const goModule = readFileSync(resolve(__dirname, "..", "..", MODULES, "pulumi", "go.mod"), "utf8");
    expect(manifest.engines.node).to.equal(`>=${OLDEST_NODE.replace(/\.0$/, "")}`);
    expect(goModule).to.contain(`github.com/pulumi/pulumi/pkg/v3 v${PULUMI_VERSION} `);
  });
});

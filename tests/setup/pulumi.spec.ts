import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "chai";
import manifest from "../../package.json";
import { type Context, fakeGo, load, newMachine, removeFolders, write, writeProgram, writePulumi } from "./checkout";

const MODULES = "tools/setup/pulumi/modules";
const HOSTS = ["yaml", "python", "go", "dotnet", "java"].map((language) => `pulumi-language-${language}`);
const PYTHON_SCRIPT = "pulumi-language-python-exec";

/** The functions of the set-up that these tests call. */
interface SetUp {
  readonly providePulumi: (context: Context) => Promise<string>;
  readonly provideLanguageHosts: (context: Context, pulumi: string) => Promise<void>;
  readonly providePython: (context: Context) => Promise<string | undefined>;
}
interface Versions {
  readonly OLDEST_NODE: string;
  readonly PULUMI_VERSION: string;
  readonly isAtLeast: (text: string, oldest: string) => boolean;
}

/** A machine with the modules of what is built, a package @pulumi/pulumi, and what Python programs need. */
async function machine() {
  const made = await newMachine();
  const { root, env } = made.context;
  for (const module of ["pulumi", "language-hosts"]) write(join(root, MODULES, module, "go.mod"), "");
  writeProgram(join(root, "node_modules/@pulumi/pulumi/pulumi-resource-pulumi-nodejs"), "true");
  write(join(root, "sources", "python", "cmd", PYTHON_SCRIPT), "#!/usr/bin/env python3");
  write(join(root, "tools", "setup", "python", "requirements.txt"), "pulumi==3.259.0");
  return { ...made, context: { ...made.context, env: { ...env, MODULE: join(root, "sources") } } };
}

describe("set-up: the Pulumi CLI", () => {
  const { fetch } = globalThis;
  beforeEach(() => (globalThis.fetch = () => Promise.reject(new Error("offline"))));
  afterEach(() => (globalThis.fetch = fetch));
  afterEach(removeFolders);

  const provide = async (context: Context): Promise<string> =>
    (await load<SetUp>("pulumi/pulumi-cli.mjs")).providePulumi(context);

  for (const [version, place] of [
    ["v3.230.0", "bin"],
    ["v3.229.0", "cached"],
  ] as const)
    it(`is that on PATH when it is new enough, else that in the cache, and nothing is said: ${version}`, async () => {
      const { said, ...made } = await machine();
      writePulumi(made.bin, version);
      writePulumi(made.cached, "v3.259.0");
      expect([await provide(made.context), said()]).to.deep.equal([made[place], ""]);
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

  it("is none of a build that does not run: one message says what was tried and what to install", async () => {
    const { bin, cached, context } = await machine();
    writePulumi(bin, "v3.100.0");
    writeProgram(join(bin, "go"), fakeGo(`printf '#!/bin/sh\\necho broken; exit 9' > "$out"`));
    const failure = await provide(context).catch((error: Error) => error.message);
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

  const provide = async (context: Context, pulumi: string): Promise<void> =>
    (await load<SetUp>("pulumi/language-hosts.mjs")).provideLanguageHosts(context, pulumi);
  const found = (folder: string): readonly string[] =>
    readdirSync(folder).filter((name) => name.startsWith("pulumi-language-") && name !== "pulumi-language-nodejs");

  it("are those beside the user's CLI, and one line names those that are not there", async () => {
    const { bin, context, logged, said } = await machine();
    const pulumi = join(context.root, "user");
    writeProgram(join(bin, "go"), fakeGo());
    for (const host of HOSTS) writeProgram(join(pulumi, host), "true");
    await provide(context, pulumi);
    expect([said(), logged()]).to.deep.equal(["", []]);
    for (const host of HOSTS.slice(3)) rmSync(join(pulumi, host));
    await provide(context, pulumi);
    expect([said(), logged()]).to.deep.equal([
      `[setup] language hosts: none for dotnet, java, whose tests are skipped: the Pulumi CLI in ${pulumi} is without them\n`,
      [],
    ]);
  });

  it("are built with Go beside the CLI of the cache, and found there from then on", async () => {
    const { bin, cached, context, said } = await machine();
    writePulumi(cached, "v3.259.0");
    writeProgram(join(bin, "go"), fakeGo());
    await provide(context, cached);
    expect(found(cached)).to.have.members([...HOSTS, PYTHON_SCRIPT]);
    expect(said()).to.match(/^\[setup\] language hosts: build them with Go .*\n.*: done after/u);
    rmSync(join(bin, "go"));
    const before = said();
    await provide(context, cached);
    expect(said()).to.equal(before);
  });

  it("are none that cannot be built whole, and one line says why", async () => {
    const { bin, cached, context, said } = await machine();
    writePulumi(cached, "v3.259.0");
    const failing = 'case "$program" in *-python) echo half > "$out"; echo "no such module" >&2; exit 1;; esac';
    writeProgram(join(bin, "go"), fakeGo(failing));
    await provide(context, cached);
    expect(found(cached)).to.deep.equal([PYTHON_SCRIPT]);
    expect(said()).to.match(
      /none for yaml, dotnet, python, go, java, whose tests are skipped: go build in pulumi .*\n.*no such module\n/u,
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
      ["v3.259.0-alpha.x1234", "3.259.0", true],
      ["go1.26", "1.25.11", true],
      ["devel", "1.25.11", false],
    ] as const)
      expect(isAtLeast(text, oldest), text).to.equal(expected);
  });

  it("agree with package.json and with the Go modules", async () => {
    const { OLDEST_NODE, PULUMI_VERSION } = await load<Versions>("version.mjs");
    const goModule = readFileSync(resolve(__dirname, "..", "..", MODULES, "pulumi", "go.mod"), "utf8");
    expect(manifest.engines.node).to.equal(`>=${OLDEST_NODE.replace(/\.0$/, "")}`);
    expect(goModule).to.contain(`github.com/pulumi/pulumi/pkg/v3 v${PULUMI_VERSION} `);
  });
});

/** `-m venv X` writes X/bin/python, which notes its arguments. */
const PYTHON = `
/bin/mkdir -p "$3/bin"
printf '#!/bin/sh\\necho "$*" >> "$LOG"\\n' > "$3/bin/python"
/bin/chmod 755 "$3/bin/python"`;

describe("set-up: the virtual environment for Python programs", () => {
  afterEach(removeFolders);

  const provide = async (context: Context): Promise<string | undefined> =>
    (await load<SetUp>("python.mjs")).providePython(context);

  it("is made in the cache with the locked packages, and found there from then on", async () => {
    const { bin, context, logged, said } = await machine();
    writeProgram(join(bin, "python3"), PYTHON);
    const folder = await provide(context);
    expect(folder).to.match(new RegExp(`^${join(context.cache, "python")}/[0-9a-f]{12}$`, "u"));
    expect(logged()).to.have.length(1);
    expect(logged()[0])
      .to.contain("--require-hashes")
      .and.match(/-r \S+\/requirements\.txt/u);
    rmSync(join(bin, "python3"));
    const before = said();
    expect([await provide(context), said(), logged().length]).to.deep.equal([folder, before, 1]);
  });

  it("is none without Python, which is one line and no failure", async () => {
    const { context, said } = await machine();
    expect(await provide(context)).to.equal(undefined);
    expect(said()).to.equal("[setup] Python: the tests of Python programs are skipped: there is no python3 on PATH\n");
  });
});

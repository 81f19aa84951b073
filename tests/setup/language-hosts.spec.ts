import { expect } from "chai";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { load, newFolder, removeFolders, write, writeProgram, writePulumi } from "./checkout";

interface Options {
  root: string;
  cache: string;
  env: NodeJS.ProcessEnv;
  progress: unknown;
}

interface Modules {
  provideLanguageHosts: (options: Options, pulumi: string) => Promise<string>;
  cachedPulumi: (cache: string) => string;
  Progress: new (stream: { write(text: string): void }) => unknown;
}

const HOSTS = ["dotnet", "go", "java", "python", "yaml"].map((name) => `pulumi-language-${name}`);
const PYTHON_SCRIPT = "pulumi-language-python-exec";
const ALL = [...HOSTS, PYTHON_SCRIPT].toSorted();

/** Answers `go list` with the folder of a module, and `go build -o X` with a program X, after `extra`. */
const GO = (extra = "") => `
if [ "$1" = list ]; then echo "$MODULE"; exit 0; fi
while [ $# -gt 0 ]; do [ "$1" = -o ] && out=$2; shift; done
echo "\${PWD##*/} GOWORK=$GOWORK" >> "$LOG"
${extra}
printf '#!/bin/sh\\n' > "$out"
/bin/chmod 755 "$out"`;

async function machine() {
  const { provideLanguageHosts } = await load<Pick<Modules, "provideLanguageHosts">>("pulumi/language-hosts.mjs");
  const { cachedPulumi } = await load<Pick<Modules, "cachedPulumi">>("pulumi/pulumi-cli.mjs");
  const { Progress } = await load<Pick<Modules, "Progress">>("progress.mjs");
  const root = newFolder();
  const bin = join(root, "bin");
  const cache = join(root, "cache");
  const log = join(root, "go.log");
  const sources = join(root, "sources");
  const cached = join(cachedPulumi(cache), "bin");
  for (const module of ["yaml-host", "python-host", "go-host", "dotnet-host", "java-host"])
    for (const file of ["go.mod", "go.sum"]) write(join(root, "tools/setup/pulumi/modules", module, file), "");
  write(join(root, "node_modules", "kept"), "");
  write(join(sources, "python", "cmd", PYTHON_SCRIPT), "#!/usr/bin/env python3");
  writePulumi(cached, "v3.259.0");
  let said = "";
  const progress = new Progress({ write: (text) => void (said += text) });
  const env = { PATH: bin, LOG: log, HOME: root, MODULE: sources };
  return {
    root,
    bin,
    log,
    cached,
    provide: (pulumi: string) => provideLanguageHosts({ root, cache, env, progress }, pulumi),
    said: () => said,
    builds: () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").length : 0),
    hostsIn: (folder: string) =>
      readdirSync(folder)
        .filter((name) => name.startsWith("pulumi-language-"))
        .toSorted(),
  };
}

describe("set-up: the language hosts of other languages", () => {
  afterEach(removeFolders);

  it("are those beside the user's CLI, and nothing is said or built", async () => {
    const { bin, builds, provide, said, root } = await machine();
    const pulumi = join(root, "user");
    for (const host of HOSTS) writeProgram(join(pulumi, host), "true");
    writeProgram(join(bin, "go"), GO());
    expect([await provide(pulumi), said(), builds()]).to.deep.equal([pulumi, "", 0]);
  });

  it("are built with Go beside the CLI of the cache, and found there from then on", async () => {
    const { bin, cached, hostsIn, log, provide, said } = await machine();
    writeProgram(join(bin, "go"), GO());
    expect(await provide(cached)).to.equal(cached);
    expect(hostsIn(cached)).to.deep.equal([...ALL, "pulumi-language-nodejs"].toSorted());
    expect(readFileSync(log, "utf8")).to.equal(
      ["yaml", "python", "go", "dotnet", "java"].map((name) => `${name}-host GOWORK=off\n`).join(""),
    );
    expect(said()).to.match(
      /^\[setup\] language hosts: build those for YAML, Python, Go, \.NET, Java with Go .*\n.*: done after/u,
    );
    rmSync(join(bin, "go"));
    const before = said();
    expect([await provide(cached), said()]).to.deep.equal([cached, before]);
  });

  it("are none without Go, which is one line and no failure", async () => {
    const { cached, hostsIn, provide, said } = await machine();
    expect(await provide(cached)).to.equal(cached);
    expect(said()).to.equal(
      "[setup] language hosts: none for YAML, Python, Go, .NET, Java, whose tests are skipped: there is no go on PATH (Go 1.25.11 or newer builds it)\n",
    );
    expect(hostsIn(cached)).to.deep.equal(["pulumi-language-nodejs"]);
  });

  it("are those that can be built, and one line names the others", async () => {
    const { bin, cached, hostsIn, provide, said } = await machine();
    writeProgram(join(bin, "go"), GO('case "$PWD" in *python-host) echo "no such module" >&2; exit 1;; esac'));
    await provide(cached);
    expect(hostsIn(cached)).to.deep.equal(
      [
        ...HOSTS.filter((name) => name !== "pulumi-language-python"),
        PYTHON_SCRIPT,
        "pulumi-language-nodejs",
      ].toSorted(),
    );
    expect(said()).to.match(
      /\[setup\] language hosts: none for Python, whose tests are skipped: go build .*\n.*no such module\n$/u,
    );
  });

  it("are never half of one", async () => {
    const { bin, cached, hostsIn, provide } = await machine();
    writeProgram(join(bin, "go"), GO('echo half > "$out"; exit 1'));
    await provide(cached);
    expect(hostsIn(cached)).to.deep.equal(["pulumi-language-nodejs", PYTHON_SCRIPT]);
  });
});

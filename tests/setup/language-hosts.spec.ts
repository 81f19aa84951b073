import { expect } from "chai";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Context, load, newMachine, removeFolders, write, writeProgram, writePulumi } from "./checkout";

interface Hosts {
  provideLanguageHosts: (context: Context, pulumi: string) => Promise<string>;
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
  const { provideLanguageHosts } = await load<Hosts>("pulumi/language-hosts.mjs");
  const made = await newMachine();
  const { root, env } = made.context;
  const sources = join(root, "sources");
  for (const module of ["yaml-host", "python-host", "go-host", "dotnet-host", "java-host"])
    for (const file of ["go.mod", "go.sum"]) write(join(root, "tools/setup/pulumi/modules", module, file), "");
  write(join(sources, "python", "cmd", PYTHON_SCRIPT), "#!/usr/bin/env python3");
  writePulumi(made.cached, "v3.259.0");
  const context = { ...made.context, env: { ...env, MODULE: sources } };
  return { ...made, root, provide: (pulumi: string) => provideLanguageHosts(context, pulumi) };
}

function hostsIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith("pulumi-language-"))
    .toSorted();
}

describe("set-up: the language hosts of other languages", () => {
  afterEach(removeFolders);

  it("are those beside the user's CLI, and nothing is said or built", async () => {
    const { bin, logged, provide, said, root } = await machine();
    const pulumi = join(root, "user");
    for (const host of HOSTS) writeProgram(join(pulumi, host), "true");
    writeProgram(join(bin, "go"), GO());
    expect([await provide(pulumi), said(), logged()]).to.deep.equal([pulumi, "", []]);
  });

  it("are built with Go beside the CLI of the cache, and found there from then on", async () => {
    const { bin, cached, logged, provide, said } = await machine();
    writeProgram(join(bin, "go"), GO());
    expect(await provide(cached)).to.equal(cached);
    expect(hostsIn(cached)).to.deep.equal([...ALL, "pulumi-language-nodejs"].toSorted());
    expect(logged()).to.deep.equal(["yaml", "python", "go", "dotnet", "java"].map((name) => `${name}-host GOWORK=off`));
    expect(said()).to.match(
      /^\[setup\] language hosts: build those for YAML, Python, Go, \.NET, Java with Go .*\n.*: done after/u,
    );
    rmSync(join(bin, "go"));
    const before = said();
    expect([await provide(cached), said()]).to.deep.equal([cached, before]);
  });

  it("are none without Go, which is one line and no failure", async () => {
    const { cached, provide, said } = await machine();
    expect(await provide(cached)).to.equal(cached);
    expect(said()).to.equal(
      "[setup] language hosts: none for YAML, Python, Go, .NET, Java, whose tests are skipped: there is no go on PATH (Go 1.25.11 or newer builds it)\n",
    );
    expect(hostsIn(cached)).to.deep.equal(["pulumi-language-nodejs"]);
  });

  it("are those that can be built, and one line names the others", async () => {
    const { bin, cached, provide, said } = await machine();
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
    const { bin, cached, provide } = await machine();
    writeProgram(join(bin, "go"), GO('echo half > "$out"; exit 1'));
    await provide(cached);
    expect(hostsIn(cached)).to.deep.equal(["pulumi-language-nodejs", PYTHON_SCRIPT]);
  });
});

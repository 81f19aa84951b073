import { expect } from "chai";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { load, newFolder, removeFolders, write, writeProgram } from "./checkout";

interface Modules {
  providePython: (options: {
    root: string;
    cache: string;
    env: NodeJS.ProcessEnv;
    progress: unknown;
  }) => Promise<string | undefined>;
  Progress: new (stream: { write(text: string): void }) => unknown;
}

/** Answers its version; `-m venv X` writes X/bin/python, which notes its arguments, and fails as long as there is a file `pip-fails`. */
const PYTHON = (version: string) => `
if [ "$1" = -c ]; then echo ${version}; exit 0; fi
/bin/mkdir -p "$3/bin"
printf '#!/bin/sh\\necho "$*" >> "$LOG"\\n[ ! -f "$HOME/pip-fails" ] || { echo "no index" >&2; exit 1; }\\n' > "$3/bin/python"
/bin/chmod 755 "$3/bin/python"`;

async function machine() {
  const { providePython } = await load<Pick<Modules, "providePython">>("python.mjs");
  const { Progress } = await load<Pick<Modules, "Progress">>("progress.mjs");
  const root = newFolder();
  const bin = join(root, "bin");
  const cache = join(root, "cache");
  const log = join(root, "pip.log");
  const requirements = join(root, "tools", "setup", "python", "requirements.txt");
  write(requirements, "pulumi==3.259.0");
  let said = "";
  const progress = new Progress({ write: (text) => void (said += text) });
  const env = { PATH: bin, LOG: log, HOME: root };
  return {
    root,
    bin,
    cache,
    requirements,
    provide: () => providePython({ root, cache, env, progress }),
    said: () => said,
    installs: () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []),
  };
}

describe("set-up: the virtual environment for Python programs", () => {
  afterEach(removeFolders);

  it("is made in the cache with the locked packages, and found there from then on", async () => {
    const { bin, cache, installs, provide, requirements, said } = await machine();
    writeProgram(join(bin, "python3"), PYTHON("3.11.7"));
    const folder = await provide();
    expect(folder).to.match(new RegExp(`^${join(cache, "python")}/[0-9a-f]{12}$`, "u"));
    expect(installs()).to.have.length(1);
    expect(installs()[0]).to.contain("--require-hashes").and.contain(`-r ${requirements}`);
    rmSync(join(bin, "python3"));
    const before = said();
    expect([await provide(), said(), installs().length]).to.deep.equal([folder, before, 1]);
  });

  it("is another one when the locked packages change, and made anew when its Python is gone", async () => {
    const { bin, installs, provide, requirements } = await machine();
    writeProgram(join(bin, "python3"), PYTHON("3.11.7"));
    const folder = await provide();
    rmSync(join(folder ?? "", "bin", "python"));
    expect([await provide(), installs().length]).to.deep.equal([folder, 2]);
    write(requirements, "pulumi==3.260.0");
    expect([(await provide()) === folder, installs().length]).to.deep.equal([false, 3]);
  });

  for (const [title, version, reason] of [
    ["without Python", undefined, "there is no python3 on PATH (Python 3.10.0 or newer)"],
    ["with an old Python", "3.9.18", "python3 is 3.9.18, older than 3.10.0"],
  ] as const)
    it(`is none ${title}, which is one line and no failure`, async () => {
      const { bin, provide, said } = await machine();
      if (version !== undefined) writeProgram(join(bin, "python3"), PYTHON(version));
      expect(await provide()).to.equal(undefined);
      expect(said()).to.match(/^\[setup\] Python: the tests of Python programs are skipped: .*\n$/u);
      expect(said()).to.contain(reason);
    });

  it("is none when its packages cannot be had, and is tried again the next time", async () => {
    const { bin, cache, installs, provide, root, said } = await machine();
    writeProgram(join(bin, "python3"), PYTHON("3.12.1"));
    write(join(root, "pip-fails"), "");
    expect(await provide()).to.equal(undefined);
    expect(said()).to.match(/skipped: pip install failed \(exit 1\):\n {4}no index\n$/u);
    rmSync(join(root, "pip-fails"));
    expect(await provide()).to.equal(join(cache, "python", readdirSync(join(cache, "python"))[0] ?? ""));
    expect(installs()).to.have.length(2);
  });
});

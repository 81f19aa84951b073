import { expect } from "chai";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Context, load, newMachine, removeFolders, write, writeProgram } from "./checkout";

interface Python {
  providePython: (context: Context) => Promise<string | undefined>;
}

/** Answers its version. `-m venv X` writes X/bin/python, which notes its arguments. */
const PYTHON = (version: string) => `
if [ "$1" = -c ]; then echo ${version}; exit 0; fi
/bin/mkdir -p "$3/bin"
printf '#!/bin/sh\\necho "$*" >> "$LOG"\\n' > "$3/bin/python"
/bin/chmod 755 "$3/bin/python"`;

async function machine() {
  const { providePython } = await load<Python>("python.mjs");
  const made = await newMachine();
  const requirements = join(made.context.root, "tools", "setup", "python", "requirements.txt");
  write(requirements, "pulumi==3.259.0");
  return { ...made, cache: made.context.cache, requirements, provide: () => providePython(made.context) };
}

describe("set-up: the virtual environment for Python programs", () => {
  afterEach(removeFolders);

  it("is made in the cache with the locked packages, and found there from then on", async () => {
    const { bin, cache, logged, provide, requirements, said } = await machine();
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
      const { bin, provide, said } = await machine();
      if (version !== undefined) writeProgram(join(bin, "python3"), PYTHON(version));
      expect(await provide()).to.equal(undefined);
      expect(said()).to.match(/^\[setup\] Python: the tests of Python programs are skipped: .*\n$/u);
      expect(said()).to.contain(reason);
    });
});

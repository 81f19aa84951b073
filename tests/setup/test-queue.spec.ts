import { cpSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "chai";
import { newFolder, removeFolders, startProcess, write } from "./checkout";

const ROOT = resolve(__dirname, "..", "..");
const PASSING = `it("passes", () => {});`;
const FAILING = `it("fails", () => { throw new Error("on purpose"); });`;
const SPECS = {
  "engine/deep/one.spec.ts": `${PASSING} it.skip("later", () => {});`,
  "engine/two.spec.ts": PASSING,
  "contract/three.spec.ts": PASSING,
  "simulation/four.spec.ts": PASSING,
  "client/five.spec.ts": PASSING,
  "top.spec.ts": PASSING,
  // Runs with test:outside.
  "engine/six.outside.spec.ts": FAILING,
};

/** Runs a script of tools/test in a checkout that has these specs. */
function run(script: string, args: readonly string[], specs: Readonly<Record<string, string>>) {
  const folder = newFolder();
  cpSync(join(ROOT, "tools"), join(folder, "tools"), { recursive: true });
  cpSync(join(ROOT, "tests", "support", "reporter.cjs"), join(folder, "tests", "support", "reporter.cjs"));
  cpSync(join(ROOT, "tsconfig.json"), join(folder, "tsconfig.json"));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"), "junction");
  const mocha = { reporter: "tests/support/reporter.cjs", require: ["ts-node/register"] };
  write(join(folder, "package.json"), JSON.stringify({ type: "commonjs", mocha }));
  for (const [file, text] of Object.entries(specs)) write(join(folder, "tests", file), text);
  const { PREVIEWENV_TEST_SUMMARY: _outer, NODE_V8_COVERAGE: _folder, ...env } = process.env;
  return startProcess([join(folder, "tools", "test", script), ...args], folder, env).end;
}

function closing(stdout: string): readonly string[] {
  return stdout.match(/^\d+ passed, .*$/gmu) ?? [];
}

describe("the queue of all tests", function () {
  afterEach(removeFolders);

  it("runs every test once, and counts all in one closing line", async () => {
    const { code, stdout } = await run("queue.mjs", [], SPECS);
    expect([code, closing(stdout)]).to.deep.equal([0, ["6 passed, 0 failed, 1 skipped"]]);
    expect(stdout.trimEnd().endsWith("6 passed, 0 failed, 1 skipped")).to.equal(true);
  });

  it("fails when one test does, and says where", async () => {
    const { code, stdout, stderr } = await run("queue.mjs", [], { ...SPECS, "engine/two.spec.ts": FAILING });
    expect([code, closing(stdout)]).to.deep.equal([1, ["5 passed, 1 failed, 1 skipped"]]);
    expect(stdout).to.contain("on purpose");
    expect(stderr).to.contain("Failed, with its reasons above: tests/");
  });

  it("has no closing line when one job does not come to its end", async () => {
    const { code, stdout } = await run("queue.mjs", [], { ...SPECS, "engine/two.spec.ts": "process.exit(7);" });
    expect([code, closing(stdout)]).to.deep.equal([7, []]);
  });
});

describe("the scripts of the inner loop", function () {
  afterEach(removeFolders);

  for (const [args, passed] of Object.entries({
    unit: 1,
    "unit tests/engine/two.spec.ts": 1,
    "--grep passes": 6,
  }))
    it(`run their tests and no others: ${args}`, async () => {
      const { stdout } = await run("main.mjs", args.split(" "), SPECS);
      expect(closing(stdout)[0]).to.match(new RegExp(`^${passed} passed, 0 failed`, "u"));
    });
});

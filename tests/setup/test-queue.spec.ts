import { cpSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "chai";
import { TYPESCRIPT } from "../support/languages";
import { newFolder, removeFolders, runNode, write } from "./checkout";

const ROOT = resolve(__dirname, "..", "..");
const PASSING = `it("passes", () => {});`;
const FAILING = `it("fails", () => { throw new Error("on purpose"); });`;
const SPECS = {
  "engine/deep/one.spec.ts": `${PASSING} it.skip("later", () => {});`,
  "engine/two.spec.ts": PASSING,
  "contract/three.spec.ts": PASSING,
  "simulation/four.spec.ts": PASSING,
  "client/five.spec.ts": PASSING,
  // Starts other programs.
  "client/seven.program.spec.ts": PASSING,
  "top.spec.ts": PASSING,
  // Runs with test:outside.
  "engine/six.outside.spec.ts": FAILING,
};

/** Two jobs. */
const TWO = { "engine/two.spec.ts": PASSING, "client/five.spec.ts": PASSING };

/** Runs tools/test in a checkout that has these specs. */
function runTests(args: readonly string[], specs: Readonly<Record<string, string>>, check = "echo checked") {
  const folder = newFolder();
  cpSync(join(ROOT, "tools"), join(folder, "tools"), { recursive: true });
  cpSync(join(ROOT, "tests", "support", "reporter.cjs"), join(folder, "tests", "support", "reporter.cjs"));
  cpSync(join(ROOT, "tsconfig.json"), join(folder, "tsconfig.json"));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"), "junction");
  const mocha = { reporter: "tests/support/reporter.cjs", require: ["ts-node/register"] };
  write(join(folder, "package.json"), JSON.stringify({ type: "commonjs", mocha, scripts: { check } }));
  for (const [file, text] of Object.entries(specs)) write(join(folder, "tests", file), text);
  const { NODE_V8_COVERAGE: _folder, ...env } = process.env;
  return runNode([...TYPESCRIPT, "tools/test/main.ts", ...args], folder, env);
}

function closing(stdout: string): readonly string[] {
  return stdout.match(/^\d+ passed, .*$/gmu) ?? [];
}

describe("npm test", function () {
  afterEach(removeFolders);

  it("runs the checks and every test once, and ends with one closing line for all", async () => {
    const { code, stdout } = await runTests([], SPECS);
    expect([code, closing(stdout)]).to.deep.equal([0, ["7 passed, 0 failed, 1 skipped"]]);
    expect(stdout.trimEnd().endsWith("7 passed, 0 failed, 1 skipped")).to.equal(true);
    expect(stdout.match(/^checked$/gmu)).to.have.length(1);
  });

  it("fails when a check or a test does, runs the others all the same, and says where", async () => {
    const { code, stdout, stderr } = await runTests([], { ...TWO, "engine/two.spec.ts": FAILING }, "exit 3");
    expect(closing(stdout)).to.deep.equal(["1 passed, 1 failed, 0 skipped"]);
    expect(code).to.be.oneOf([1, 3]);
    expect(stdout).to.contain("on purpose");
    expect(stderr).to.contain("Failed (exit 1), with its reasons above: tests/");
    expect(stderr).to.contain("Failed (exit 3), with its reasons above: npm run check");
  });

  it("has no closing line when one job does not come to its end", async () => {
    const { code, stdout, stderr } = await runTests([], { ...TWO, "engine/two.spec.ts": "process.exit(7);" });
    expect([code, closing(stdout)]).to.deep.equal([7, []]);
    expect(stderr).to.contain("The tests did not run to their end.");
  });

  for (const name of ["client/five.spec.ts", "tests/engine"])
    it(`runs nothing when a name stands for no test of the group, and says so: ${name}`, async () => {
      const { code, stdout, stderr } = await runTests(["unit", "tests/client/five.spec.ts", name], SPECS);
      expect([code, closing(stdout)]).to.deep.equal([1, []]);
      expect(stderr).to.equal(`No such spec file, and no folder with specs of the group unit: ${name}\n`);
    });
});

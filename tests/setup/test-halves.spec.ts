import { cpSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "chai";
import { newFolder, removeFolders, startProcess, write } from "./checkout";

const ROOT = resolve(__dirname, "..", "..");
const PASSING = `it("passes", () => {});`;

describe("the two halves of the tests", function () {
  afterEach(removeFolders);

  function run(specs: Readonly<Record<string, string>>) {
    const folder = newFolder();
    cpSync(join(ROOT, "tools"), join(folder, "tools"), { recursive: true });
    cpSync(join(ROOT, "tests", "support", "reporter.cjs"), join(folder, "tests", "support", "reporter.cjs"));
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"), "junction");
    const mocha = { reporter: "tests/support/reporter.cjs", spec: "tests/**/*.spec.ts" };
    write(join(folder, "package.json"), JSON.stringify({ type: "commonjs", mocha }));
    for (const [file, text] of Object.entries(specs)) write(join(folder, "tests", file), text);
    const { PREVIEWENV_TEST_SUMMARY: _outer, ...env } = process.env;
    return startProcess([join(folder, "tools", "setup", "test-halves.mjs")], folder, env).end;
  }

  const closing = (stdout: string): readonly string[] => stdout.match(/^\d+ passed, .*$/gmu) ?? [];

  it("are every test once, and one closing line counts them", async () => {
    const { code, stdout } = await run({
      "engine/deep/one.spec.ts": `${PASSING} it.skip("later", () => {});`,
      "client/two.spec.ts": PASSING,
      "top.spec.ts": PASSING,
    });
    expect([code, closing(stdout)]).to.deep.equal([0, ["3 passed, 0 failed, 1 skipped"]]);
    expect(stdout.trimEnd().endsWith("3 passed, 0 failed, 1 skipped")).to.equal(true);
  });

  for (const half of ["engine/one.spec.ts", "client/one.spec.ts"])
    it(`fail together when one of them does: ${half}`, async () => {
      const others = { "engine/other.spec.ts": PASSING, "client/other.spec.ts": PASSING };
      const { code, stdout } = await run({
        ...others,
        [half]: `it("fails", () => { throw new Error("on purpose"); });`,
      });
      expect([code, closing(stdout)]).to.deep.equal([1, ["2 passed, 1 failed, 0 skipped"]]);
      expect(stdout).to.contain("on purpose");
    });

  it("have no closing line when one of them does not come to its end", async () => {
    const { code, stdout } = await run({ "engine/one.spec.ts": "process.exit(7);", "client/two.spec.ts": PASSING });
    expect([code, closing(stdout)]).to.deep.equal([7, []]);
  });
});

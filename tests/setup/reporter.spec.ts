import { expect } from "chai";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { newFolder, removeFolders, startProcess, write } from "./checkout";

const ROOT = resolve(__dirname, "..", "..");
const REPORTER = join(ROOT, "tests", "support", "reporter.cjs");
const MOCHA = createRequire(__filename).resolve("mocha/bin/mocha.js");

const SPEC = `
describe("sample", () => {
  it("passes", () => {});
  it("passes too", () => {});
  it("fails", () => { throw new Error("on purpose"); });
  it.skip("is skipped", () => {});
});`;

function runMocha() {
  const folder = newFolder();
  write(join(folder, "sample.cjs"), SPEC);
  return startProcess([MOCHA, "--no-config", "--no-package", "--reporter", REPORTER, "sample.cjs"], folder).end;
}

function lastLine(text: string): string | undefined {
  return text.trimEnd().split("\n").at(-1);
}

describe("the closing line of the tests", function () {
  afterEach(removeFolders);

  it("is mocha's last line, once", async () => {
    const { code, stdout } = await runMocha();
    expect([code, lastLine(stdout)]).to.deep.equal([1, "2 passed, 1 failed, 1 skipped"]);
    expect(stdout.match(/\d+ passed, /g)).to.have.length(1);
  });
});

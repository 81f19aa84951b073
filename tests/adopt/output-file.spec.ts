import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { checkOutput, writeOutput } from "../../provider/src/adopt/output-file";

describe("adopt: --output", () => {
  let folder: string;
  const at = (name: string): string => join(folder, name);

  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "previewenv-output-"))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("writes nothing before there is something to write, and then one file", () => {
    checkOutput(at("index.ts"), false);
    expect(readdirSync(folder)).to.deep.equal([]);
    writeOutput(at("index.ts"), false, "text");
    expect(readdirSync(folder)).to.deep.equal(["index.ts"]);
    expect(readFileSync(at("index.ts"), "utf8")).to.equal("text");
  });

  it("refuses an existing file at once, and also one that came while the service was read", () => {
    checkOutput(at("index.ts"), false);
    writeFileSync(at("index.ts"), "of somebody");
    expect(() => checkOutput(at("index.ts"), false)).to.throw("exists already; --force replaces it");
    expect(() => writeOutput(at("index.ts"), false, "text")).to.throw("exists already; --force replaces it");
    expect(readdirSync(folder)).to.deep.equal(["index.ts"]);
    expect(readFileSync(at("index.ts"), "utf8")).to.equal("of somebody");
  });

  it("replaces it with --force; its mode stays", function () {
    writeFileSync(at("index.ts"), "old");
    chmodSync(at("index.ts"), 0o600);
    const { mode } = statSync(at("index.ts"));
    writeOutput(at("index.ts"), true, "text");
    expect(readFileSync(at("index.ts"), "utf8")).to.equal("text");
    expect(statSync(at("index.ts")).mode).to.equal(mode);
  });

  it("leaves a symbolic link, and replaces what it leads to", function () {
    if (process.platform === "win32") this.skip();
    mkdirSync(at("real"));
    writeFileSync(at("real/index.ts"), "old");
    symlinkSync(at("real/index.ts"), at("index.ts"));
    writeOutput(at("index.ts"), true, "text");
    expect(lstatSync(at("index.ts")).isSymbolicLink()).to.equal(true);
    expect(readFileSync(at("real/index.ts"), "utf8")).to.equal("text");
  });

  it("refuses what is no file, --force or not, and a folder that does not exist", () => {
    for (const force of [true, false]) {
      expect(() => checkOutput(folder, force)).to.throw("--output must be a file");
      expect(() => checkOutput(at("no/"), force)).to.throw("--output must be a file");
      expect(() => checkOutput(at("no/index.ts"), force)).to.throw("there is no folder");
      if (process.platform !== "win32")
        expect(() => checkOutput("/dev/null", force)).to.throw("--output must be a file");
    }
  });

  it("leaves nothing behind when it cannot write", () => {
    checkOutput(at("index.ts"), false);
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "");
    expect(() => writeOutput(at("index.ts"), false, "text")).to.throw("there is no folder");
  });
});

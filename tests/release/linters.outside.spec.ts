import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { findOnPath } from "../../tools/setup/command.mjs";

const ROOT = join(__dirname, "..", "..");
const WORKFLOWS = join(ROOT, ".github", "workflows");
const ACTIONLINT = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.8";
const ZIZMOR = "zizmor==1.32.0";
const INSTALL_MS = 600_000;

/** The workflows that users copy. */
function exampleWorkflows(): readonly string[] {
  const examples = join(ROOT, "examples");
  return readdirSync(examples, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".yml") && !file.includes("gitlab") && !file.includes("node_modules"))
    .map((file) => join(examples, file));
}

describe("the workflows and the action", function () {
  this.timeout(INSTALL_MS);
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), "previewenv-linters-"))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** What a program says, when its exit code is not 0. */
  const complaints = (program: string, ...args: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: ROOT, encoding: "utf8" });
    return status === 0 ? "" : stdout + stderr;
  };

  it("have no problem that actionlint finds", function () {
    if (findOnPath("go") === undefined) this.skip();
    execFileSync("go", ["install", ACTIONLINT], { env: { ...process.env, GOBIN: folder }, stdio: "pipe" });
    const files = [...readdirSync(WORKFLOWS).map((file) => join(WORKFLOWS, file)), ...exampleWorkflows()];
    expect(complaints(join(folder, "actionlint"), "-no-color", ...files)).to.equal("");
  });

  it("have no problem of security that zizmor finds", () => {
    const venv = join(folder, "venv");
    execFileSync("python3", ["-m", "venv", venv]);
    execFileSync(join(venv, "bin", "pip"), ["install", "--quiet", ZIZMOR], { stdio: "pipe" });
    expect(existsSync(WORKFLOWS)).to.equal(true);
    const options = ["--offline", "--no-progress", "--min-severity", "medium"];
    const files = [WORKFLOWS, join(ROOT, "action.yml"), ...exampleWorkflows()];
    expect(complaints(join(venv, "bin", "zizmor"), ...options, ...files)).to.equal("");
  });
});

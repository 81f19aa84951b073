import { expect } from "chai";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { newCheckout, newFolder, removeFolders, startProcess, write } from "./checkout";

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

function runMocha(summary: string | undefined) {
  const folder = newFolder();
  write(join(folder, "sample.cjs"), SPEC);
  const { PREVIEWENV_TEST_SUMMARY: _outer, ...env } = process.env;
  const added = summary === undefined ? {} : { PREVIEWENV_TEST_SUMMARY: summary };
  return startProcess([MOCHA, "--no-config", "--no-package", "--reporter", REPORTER, "sample.cjs"], folder, {
    ...env,
    ...added,
  }).end;
}

function lastLine(text: string): string | undefined {
  return text.trimEnd().split("\n").at(-1);
}

describe("the closing line of the tests", function () {
  afterEach(removeFolders);

  it("is mocha's last line, once", async () => {
    const { code, stdout } = await runMocha(undefined);
    expect([code, lastLine(stdout)]).to.deep.equal([1, "2 passed, 1 failed, 1 skipped"]);
    expect(stdout.match(/\d+ passed, /g)).to.have.length(1);
  });

  it("goes to a file instead when that is asked for", async () => {
    const summary = join(newFolder(), "summary");
    const { stdout } = await runMocha(summary);
    expect(stdout).not.to.match(/\d+ passed, /);
    expect(readFileSync(summary, "utf8")).to.equal("2 passed, 1 failed, 1 skipped\n");
  });
});

describe("npm run verify", function () {
  afterEach(removeFolders);

  const TESTS = `node -e "require('fs').writeFileSync(process.env.PREVIEWENV_TEST_SUMMARY, '3 passed, 0 failed, 0 skipped')"; echo coverage`;

  function start(scripts: Record<string, string>, args: string[] = []) {
    const { root, bin } = newCheckout(scripts);
    const env = { ...process.env, PATH: `${bin}:/usr/bin:/bin` };
    return startProcess([join(root, "tools", "setup", "verify.mjs"), ...args], root, env);
  }

  function verify(scripts: Record<string, string>, args: string[] = []) {
    return start(scripts, args).end;
  }

  it("prints the closing line after everything else", async () => {
    const { code, stdout } = await verify({ check: "echo checked", "test:coverage": TESTS });
    const times = /npm run check took \d+ s, the tests \d+ s\.\n/u;
    expect(stdout).to.match(times);
    expect([code, stdout.replace(times, "")]).to.deep.equal([0, "checked\ncoverage\n3 passed, 0 failed, 0 skipped\n"]);
  });

  it("runs the tests although the check failed, and fails", async () => {
    const { code, stdout, stderr } = await verify({ check: "exit 3", "test:coverage": TESTS });
    expect([code, lastLine(stdout)]).to.deep.equal([3, "3 passed, 0 failed, 0 skipped"]);
    expect(stderr).to.contain("npm run check failed (exit 3)");
  });

  it("fails when the tests or the coverage limits fail", async () => {
    const { code, stdout } = await verify({ check: "true", "test:coverage": `${TESTS}; exit 4` });
    expect([code, lastLine(stdout)]).to.deep.equal([4, "3 passed, 0 failed, 0 skipped"]);
  });

  it("fails without a closing line when the tests did not run to their end", async () => {
    const { code, stdout, stderr } = await verify({ check: "true", "test:coverage": "true" });
    expect([code, stdout.includes("passed")]).to.deep.equal([1, false]);
    expect(stderr).to.contain("The tests did not run to their end.");
  });

  it("runs only mocha when it is given arguments", async () => {
    const { code, stdout } = await verify({ check: "exit 3", "test:mocha": `${TESTS}; echo` }, ["--grep", "a b"]);
    expect([code, stdout]).to.deep.equal([0, "coverage\n--grep a b\n3 passed, 0 failed, 0 skipped\n"]);
  });

  it("does not begin with the tests after a Ctrl-C during the check", async () => {
    // One program prints and waits: between two, a shell loses a signal that comes while it starts the second.
    const check = `node -e "console.log('checking'); setInterval(() => {}, 1000)"`;
    const started = start({ check, "test:coverage": "echo tests" });
    await started.printed("checking");
    started.kill("SIGINT");
    const { code, stdout } = await started.end;
    expect([code, stdout]).to.deep.equal([130, "checking\n"]);
  });
});

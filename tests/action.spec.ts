import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { spawnSync } from "node:child_process";
import { expect } from "chai";
import { identity } from "../tools/release/owner";
import { actionEnvironment, readAction } from "./support/action";
import { JOB_VARIABLES } from "./support/job-variables";

/** Finds drift: writes the report to the file of `--output json=...report.json`. */
const NPX = `#!/bin/sh
echo "$*"
for word; do case "$word" in json=*.json) file="\${word#json=}";; esac; done
echo '{ "status": "drift", "drifted": 3, "restored": 1 }' > "$file"
exit 2
`;

describe("action.yml, run in folders as on Windows, and worse", () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "previewenv-action-"))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs its script with another program instead of npx. */
  const play = (
    npx: string,
    given: Readonly<Record<string, string>> = {},
    job: Readonly<Record<string, string>> = {},
  ) => {
    const place = (name: string): string => join(folder, `${name}\\n 'it's" $x`);
    for (const name of ["own", "temp", "project"]) mkdirSync(place(name), { recursive: true });
    writeFileSync(join(place("own"), "package.json"), JSON.stringify({ version: "9.8.7" }));
    writeFileSync(join(folder, "npx"), npx, { mode: 0o755 });
    const env = {
      ...actionEnvironment({ folder: place("project"), ...given }),
      PATH: [folder, process.env["PATH"]].join(delimiter),
      GITHUB_ACTION_PATH: place("own"),
      RUNNER_TEMP: place("temp"),
      GITHUB_OUTPUT: join(folder, "outputs"),
      ...job,
    };
    const { run } = readAction().runs.steps[0];
    const { status, stdout } = spawnSync("bash", ["-eo", "pipefail", "-c", run], { env, encoding: "utf8" });
    return { status, stdout, outputs: readFileSync(env.GITHUB_OUTPUT, "utf8") };
  };

  /** What it did, whatever the name of its folder. */
  const inOneFolder = ({ stdout, outputs, ...rest }: ReturnType<typeof play>) => [
    rest,
    ...[stdout, outputs].map((text) => text.replaceAll(/previewenv-drift\.\w+/gu, "files")),
  ];

  it("finds its report and its version: no path stands in the text of a program", () => {
    expect(readAction().runs.steps[0].run.match(/require\([^\s)]+/gu)).to.deep.equal([
      "require(process.env.GITHUB_ACTION_PATH",
      "require(process.env.REPORT",
    ]);
    const { status, stdout, outputs } = play(NPX);
    expect(status).to.equal(2);
    expect(stdout).to.contain(`--yes ${identity.npmPackage}@9.8.7 drift --summary`);
    expect(outputs).to.match(/^status=drift\ndrifted=3\nrestored=1\nreport=.+\njson=.+\n$/u);
  });

  it("does the same under whatever a job sets for all its programs", () => {
    const prints = join(folder, "prints.cjs");
    writeFileSync(prints, 'console.log("a module of the job");');
    const alone = play(NPX);
    rmSync(join(folder, "outputs"));
    const withJob = play(NPX, {}, { ...JOB_VARIABLES, NODE_OPTIONS: `--require ${JSON.stringify(prints)}` });
    expect(inOneFolder(withJob)).to.deep.equal(inOneFolder(alone));
  });

  it("passes its inputs on, and does not fail on drift when it is told so", () => {
    const { status, stdout } = play(NPX, {
      stacks: "dev pr-*",
      shard: "2/5",
      "allow-no-stacks": "true",
      heal: "true",
      format: "json",
      "fail-on-drift": "false",
    });
    expect(status).to.equal(0);
    expect(stdout)
      .to.contain("--stack dev --stack pr-* --shard 2/5 --allow-no-stacks --heal\n")
      .and.match(/ --output json=[^]+report --output json=/u);
  });

  it("refuses what is neither true nor false: the opposite would be done", () => {
    for (const input of ["allow-no-stacks", "heal", "fail-on-drift"]) {
      const { status, stdout, outputs } = play(NPX, { [input]: "True" });
      expect([status, stdout]).to.deep.equal([1, `::error::The input ${input} must be true or false.\n`]);
      expect(outputs).to.equal("status=error\n");
      rmSync(join(folder, "outputs"));
    }
  });

  it("takes an empty input for its default: `inputs.heal` of a scheduled run is one", () => {
    const alone = play(NPX);
    rmSync(join(folder, "outputs"));
    const names = Object.keys(readAction().inputs).filter((name) => name !== "folder");
    const empty = play(NPX, Object.fromEntries(names.map((name) => [name, ""])));
    expect(inOneFolder(empty)).to.deep.equal(inOneFolder(alone));
  });

  it("says that a folder which does not exist is an error", () => {
    const { status, outputs } = play(NPX, { folder: join(folder, "missing") });
    expect([status, outputs]).to.deep.equal([1, "status=error\n"]);
  });

  it("passes entries to ignore on as a file, and says so when the tool ended without a report", () => {
    const shows = `#!/bin/sh\ncat "$6"\nexit 1\n`;
    const { status, stdout, outputs } = play(shows, { ignore: "# known\ndev::vars::*", "fail-on-drift": "false" });
    expect([status, stdout]).to.deep.equal([1, "# known\ndev::vars::*\n"]);
    expect(outputs).to.match(/^status=error\n/u);
  });

  it("takes every input from the environment", () => {
    const action = readAction();
    expect(Object.keys(actionEnvironment({}))).to.have.lengthOf(Object.keys(action.inputs).length);
    expect(action.runs.steps[0].run).to.not.contain("${{");
  });
});

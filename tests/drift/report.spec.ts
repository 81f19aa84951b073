import { expect } from "chai";
import type { StackReport } from "../../provider/src/drift/drift-item";
import { writeReport } from "../../provider/src/drift/report";

const urn = "urn:pulumi:dev::project::previewenv:index:EnvVarSet::vars";
const stacks: readonly StackReport[] = [
  { stack: "calm", status: "in sync", drift: [], builds: [], errors: [] },
  {
    stack: "dev",
    status: "drift",
    drift: [
      { urn, resource: "vars", type: "EnvVarSet", name: "LOG_LEVEL", kind: "changed", since: "2026-01-31T09:30:00" },
      { urn, resource: "on|<b>", type: "EnvironmentBranches", name: "web", kind: "branch", detail: "main -> x" },
    ],
    builds: [],
    errors: [],
  },
  {
    stack: "pr-1",
    status: "gone",
    drift: [{ urn, resource: "vars", type: "EnvVarSet", environmentId: "e1", kind: "gone" }],
    builds: [],
    errors: [],
  },
  { stack: "bad", status: "error", drift: [], builds: [], errors: ["no answer\n```from the service"] },
];

describe("drift: reports", () => {
  it("are a table of each stack for people", () => {
    expect(writeReport("text", stacks)).to.equal(`calm: in sync

dev: drift
  vars (EnvVarSet)              LOG_LEVEL  changed  since 2026-01-31T09:30:00
  on|<b> (EnvironmentBranches)  web        branch   main -> x

pr-1: gone
  vars (EnvVarSet)    gone  environment e1

bad: error
  no answer
  \`\`\`from the service

4 stacks: 1 in sync, 1 drift, 1 gone, 1 error. Restore it: \`previewenv-drift --heal\`, or \`pulumi up --refresh\`. Take what is gone out of state: \`pulumi destroy\` or \`pulumi refresh\`.
`);
  });

  it("are Markdown in which no name can become markup", () => {
    const text = writeReport("markdown", stacks);
    expect(text).to.include("| vars | EnvVarSet | LOG\\_LEVEL | changed | since 2026-01-31T09:30:00 |");
    expect(text).to.include("| on\\|\\<b> | EnvironmentBranches | web | branch | main -> x |");
    expect(text).to.include("### bad: error\n\n```text\nno answer\n'''from the service\n```\n");
    expect(text).not.to.include("### calm");
  });

  it("are JSON for machines, with all that was found", () => {
    expect(JSON.parse(writeReport("json", stacks))).to.deep.equal({ version: 1, stacks });
  });

  it("of a healed stack ask for nothing", () => {
    const [, dev] = stacks;
    const drift = dev?.drift.map((item) => ({ ...item, restored: true })) ?? [];
    const text = dev && writeReport("text", [{ ...dev, status: "healed", drift }]);
    expect(text)
      .to.include("1 stack: 1 healed.\n")
      .and.to.include("LOG_LEVEL  changed  since 2026-01-31T09:30:00; restored");
  });

  it("of a stack that was healed in part say what was left and why, which builds ran, and what to do", () => {
    const reason = "the program has changes that were never deployed";
    const item = { urn, resource: "vars", type: "EnvVarSet", kind: "changed" } as const;
    const build = { urn, resource: "on", type: "EnvironmentBranches" } as const;
    const healed: StackReport = {
      stack: "dev",
      status: "partly healed",
      drift: [
        { ...item, name: "A", restored: true },
        { ...item, name: "B", restored: false, reason },
      ],
      builds: [
        { ...build, result: "succeeded", id: "b1" },
        { ...build, result: "failed", id: "b2" },
        { ...build, result: "not started", reason },
      ],
      errors: [],
    };
    expect(writeReport("text", [healed])).to.equal(`dev: partly healed
  vars (EnvVarSet)          A  changed  restored
  vars (EnvVarSet)          B  changed  not restored: ${reason}
  on (EnvironmentBranches)     build    b1 succeeded
  on (EnvironmentBranches)     build    b2 did not succeed
  on (EnvironmentBranches)     build    not started: ${reason}

1 stack: 1 partly healed. Restore the rest and deploy the program: \`pulumi up --refresh\`.
`);
    expect(writeReport("markdown", [healed])).to.include(
      `| vars | EnvVarSet | B | changed | not restored: ${reason} |`,
    );
    expect(JSON.parse(writeReport("json", [healed]))).to.deep.equal({ version: 1, stacks: [healed] });
    const failed = writeReport("text", [{ ...healed, status: "error", errors: ["no answer"] }]);
    expect(failed)
      .to.match(/After an error run `pulumi up`: .+\n$/u)
      .and.not.include("Restore the rest");
  });

  it("let nothing act upon a terminal, fake a line or end a cell, in any format", () => {
    const evil = "A\u001b[2J\u009b31m\u001b]8;;http://a\u0007\r\nB\u202eC\u200b\u2028D | E\t";
    const drift = [
      { urn, resource: evil, type: "EnvVarSet", name: evil, kind: "branch", detail: evil, since: evil },
    ] as const;
    const told: StackReport = { stack: evil, status: "error", drift, builds: [], errors: [`first\nsecond ${evil}`] };
    for (const format of ["text", "markdown", "json"] as const) {
      const report = writeReport(format, [told]);
      expect(report.replaceAll("\n", ""), format).not.to.match(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      if (format === "json") expect(JSON.parse(report).stacks).to.deep.equal([told]);
      // Only an error has lines of its own, which stand below its stack.
      else expect(report.split("\n").filter((line) => /^\s*B/u.test(line))).to.have.length(1);
    }
    expect(writeReport("text", [told])).to.include(String.raw`A\u{1b}[2J\u{9b}31m`);
    expect(writeReport("markdown", [told])).to.match(/^\| A\\.*\\\| E.* \|$/mu);
  });
});

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020";
import { expect } from "chai";
import schema from "../../provider/drift-report.v1.schema.json";
import { readIgnore } from "../../provider/src/drift/ignore";
import { webAddress } from "../../provider/src/drift/markdown-report";
import { writeReport, writeReportFiles } from "../../provider/src/drift/report";
import {
  conclude,
  type DriftItem,
  type Report,
  reportSchema,
  type StackReport,
} from "../../provider/src/drift/report-schema";
import { findDrift } from "../../provider/src/drift/stacks";
import { FORMATS } from "../../provider/src/drift/usage";
import { FakeEngine, recorded, request } from "./support/fake-engine";

/** A set in a stack. */
const set = {
  urn: "urn:pulumi:dev::project::previewenv:index:EnvVarSet::vars",
  resource: "vars",
  type: "EnvVarSet",
  environmentId: "e1",
} as const;

/** A stack that is in sync, if nothing else is given. */
function stack(name: string, options: Partial<StackReport> = {}): StackReport {
  return { stack: name, status: "in sync", drift: [], ignored: [], builds: [], errors: [], ...options };
}

/** The report about these stacks. */
function reportOf(...stacks: readonly StackReport[]): Report {
  return conclude({ stacks });
}

/** Differences of a set, by the names of its variables. */
function changed(count: number): readonly DriftItem[] {
  return Array.from({ length: count }, (_, index) => ({ ...set, name: `VARIABLE_${index}`, kind: "changed" }));
}

const shop = { environmentName: "shop-pr-42", environmentUrl: "https://shop-pr-42.preview.example" };
const branches = { ...set, ...shop, resource: "on|<b>", type: "EnvironmentBranches" };
const report = conclude({
  unusedIgnores: ["x::y::z"],
  stacks: [
    stack("calm"),
    stack("quiet", { ignored: [{ ...set, name: "A", kind: "changed" }] }),
    stack("dev", {
      status: "drift",
      drift: [
        { ...set, ...shop, name: "LOG_LEVEL", kind: "changed", since: "2026-01-31T09:30:00" },
        { ...set, ...shop, name: "LOG_LEVEL", kind: "services", detail: "now web", since: "2026-01-31T09:30:00" },
        { ...set, ...shop, name: "MODE", kind: "changed", detail: "value" },
        { ...branches, name: "web", kind: "branch", detail: "main -> x" },
        { ...set, environmentId: "e2", name: "B", kind: "deleted" },
      ],
    }),
    stack("pr-1", { status: "gone", drift: [{ ...set, kind: "gone" }] }),
    stack("bad", { status: "error", errors: ["no answer\n```from the service"] }),
  ],
});

describe("drift: the report for a terminal", () => {
  it("is a table of each environment, what needs attention first", () => {
    expect(writeReport("text", report)).to.equal(String.raw`dev: drift
  environment e2
    vars (EnvVarSet)              B          deleted
  environment shop-pr-42 https://shop-pr-42.preview.example
    vars (EnvVarSet)              LOG_LEVEL  changed   since 2026-01-31T09:30:00
    vars (EnvVarSet)              LOG_LEVEL  services  now web, since 2026-01-31T09:30:00
    vars (EnvVarSet)              MODE       changed   value
    on|<b> (EnvironmentBranches)  web        branch    main -> x

pr-1: gone
  environment e1
    vars (EnvVarSet)    gone

bad: error
  no answer
  ${"```"}from the service

in sync: calm, quiet (1 ignored)

ignored nothing: x::y::z
5 stacks: 2 in sync, 1 drift, 1 gone, 1 error. 6 differences, 1 ignored.
First check that the token and the address are those of the environment's organization: with others, every environment seems gone.
Restore it: ${"`npx pulumi-previewenv drift --heal` with the same options, or `pulumi up --refresh --stack STACK`."}
If the program finds the environment by filters, and there is a new one, run ${"`pulumi up --refresh --stack STACK`"}. Otherwise, remove what is gone from the program (a ${"`PreviewEnvironments` does that itself), then run `pulumi up --refresh --stack STACK`."} If the stack has nothing else, run ${"`pulumi destroy --stack STACK`"} instead.
`);
  });

  it("says first to check the token, in each form, where an environment is gone or a variable may have gone with its environment", () => {
    const single = { ...set, type: "EnvVar", name: "A", kind: "deleted" as const };
    for (const [item, isTold] of [
      [{ ...set, kind: "gone" as const }, true],
      [{ ...set, kind: "gone" as const, restored: false, reason: "its environment is gone" }, true],
      [{ ...single, detail: "or its environment is gone" }, true],
      [single, false],
    ] as const)
      for (const form of ["text", "markdown"] as const) {
        const text = writeReport(form, reportOf(stack("dev", { drift: [item] })));
        const [advice = ""] = text.split("\n").filter((line) => /^(?:First|If|Restore) /u.test(line));
        expect(advice.startsWith("First check that the token and the address are "), text).to.equal(isTold);
      }
  });

  it("advises nothing that would restore what is ignored, without saying so", () => {
    const [left, ignored] = [changed(1), changed(1)];
    const reason = "an update would also restore what is ignored: VARIABLE_1";
    const drift = left.map((item) => ({ ...item, restored: false, reason }));
    const build = { ...set, result: "not started", reason } as const;
    const hints = (parts: Partial<StackReport>): string =>
      writeReport("text", reportOf(stack("dev", { ignored, ...parts }))).replace(/^[^]*\d ignored\.\n/u, "");
    const ALSO = "A `pulumi up`, also without `--refresh`, may also restore what is ignored.\n";
    const BESIDE = "Beside what is ignored, restore and build the rest by hand, or remove the entry from `--ignore`.\n";
    expect(hints({ drift })).to.equal(BESIDE + ALSO);
    expect(hints({ drift: changed(1).map((item) => ({ ...item, restored: true })), builds: [build] })).to.equal(
      BESIDE + ALSO,
    );
    expect(hints({ status: "error", errors: ["run `pulumi up --refresh`"] })).to.equal(ALSO);
    expect(hints({ drift: left })).to.match(/^Restore it: .+ with the same options, or .+\nA `pulumi up/u);
    expect(hints({ drift: changed(1).map((item) => ({ ...item, restored: true })) })).to.equal("");
  });

  it("advises no deployment for a build whose environment the list may lack for a moment only", () => {
    const reason = "the program does not declare it now, or its list of environments lacks this one";
    const builds = [{ ...set, type: "EnvironmentBranches", result: "not started", reason } as const];
    expect(writeReport("text", reportOf(stack("dev", { builds })))).to.match(/\nIf the service's list lacks .+\n$/u);
  });

  it("of 300 stacks has a few lines about those that are in sync", () => {
    const calm = Array.from({ length: 298 }, (_, index) => stack(`pr-${index}`));
    const text = writeReport("text", reportOf(...calm, stack("dev", { status: "drift", drift: changed(1) })));
    expect(text).to.match(
      /^dev: drift\n {2}environment e1\n {4}vars \(EnvVarSet\) {2}VARIABLE_0 {2}changed\n\nin sync: pr-0, /u,
    );
    expect(text).to.include("pr-19, 278 more\n\n299 stacks: 298 in sync, 1 drift. 1 difference.\n");
    expect(text.split("\n")).to.have.length.below(10);
  });

  it("is not made wide by one long name", () => {
    const [short, long] = ["A", "x".repeat(60)].map((name) => ({ ...set, name, kind: "changed" as const }));
    if (short === undefined || long === undefined) throw new Error("no items");
    expect(writeReport("text", reportOf(stack("dev", { status: "drift", drift: [short, long] }))))
      .to.include("\n    vars (EnvVarSet)  A  changed\n")
      .and.include(`\n    vars (EnvVarSet)  ${long.name}  changed\n`);
  });

  it("of a healed stack asks for nothing", () => {
    const drift = changed(2).map((item) => ({ ...item, restored: true }));
    const text = writeReport("text", reportOf(stack("dev", { status: "healed", drift })));
    expect(text).to.match(/VARIABLE_1 {2}changed {2}restored\n\n1 stack: 1 healed. 2 differences, 2 restored.\n$/u);
  });
});

describe("drift: reports", () => {
  it("of a stack that was healed in part say what was left and why, which builds ran, and what to do", () => {
    const reason = "the program has changes that were never deployed";
    const [one, two] = changed(2);
    if (one === undefined || two === undefined) throw new Error("no items");
    const build = { ...set, resource: "on", type: "EnvironmentBranches" } as const;
    const healed: StackReport = stack("dev", {
      status: "partly healed",
      drift: [
        { ...one, restored: true },
        { ...two, restored: false, reason },
      ],
      builds: [
        { ...build, result: "succeeded", id: "b1" },
        { ...build, result: "failed", id: "b2" },
        { ...build, result: "not started", reason },
        { ...build, resource: "re", type: "EnvironmentAction", result: "not started", reason },
      ],
    });
    expect(writeReport("text", reportOf(healed))).to.equal(`dev: partly healed
  environment e1
    vars (EnvVarSet)          VARIABLE_0  changed  restored
    vars (EnvVarSet)          VARIABLE_1  changed  not restored: ${reason}
    on (EnvironmentBranches)              build    b1, succeeded
    on (EnvironmentBranches)              build    b2, did not succeed
    on (EnvironmentBranches)              build    not started: ${reason}
    re (EnvironmentAction)                action   not started: ${reason}

1 stack: 1 partly healed. 2 differences, 1 restored.
Restore the rest and deploy the program: \`pulumi up --refresh --stack STACK\`.
`);
    expect(writeReport("markdown", reportOf(healed))).to.include(
      `| \`vars\` | EnvVarSet | \`VARIABLE_1\` | changed | not restored: ${reason} |`,
    );
    const failed = writeReport("text", reportOf({ ...healed, status: "error", errors: ["no answer"] }));
    expect(failed)
      .to.match(/Finish the last update: `pulumi up --refresh --stack STACK`.\n$/u)
      .and.not.include("Restore the rest");
  });

  it("let nothing act upon a terminal, fake a line or end a cell, in any format", () => {
    const evil = "A\u001b[2J\u009b31m\u001b]8;;http://a\u0007\r\nB\u202eC\u200b\u2028D | E\t";
    const item = { ...set, ...shop, resource: evil, environmentName: evil, environmentUrl: evil, name: evil } as const;
    const drift = [{ ...item, kind: "branch", detail: evil, since: evil, reason: evil }] as const;
    const told = stack(evil, { status: "error", drift, errors: [`first\nsecond ${evil}`] });
    for (const format of FORMATS) {
      const text = writeReport(format, reportOf(told));
      expect(text.replaceAll("\n", ""), format).not.to.match(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      if (format === "json") expect(reportSchema.parse(JSON.parse(text)).stacks).to.deep.equal([told]);
      // Only an error has lines of its own, which stand below its stack.
      else expect(text.split("\n").filter((line) => /^\s*B/u.test(line))).to.have.length(1);
    }
    expect(writeReport("text", reportOf(told))).to.include(String.raw`A\u{1b}[2J\u{9b}31m`);
  });
});

describe("drift: files of the report", () => {
  let folder = "";

  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "previewenv-report-"))));

  afterEach(() => rmSync(folder, { recursive: true }));

  it("each has its format; the summary gets the report at its end", () => {
    const summary = join(folder, "summary");
    writeFileSync(summary, "before\n");
    writeReportFiles(reportOf(stack("dev")), [
      { format: "json", file: join(folder, "json"), isAppended: false },
      { format: "markdown", file: summary, isAppended: true },
    ]);
    expect(readFileSync(join(folder, "json"), "utf8")).to.equal(writeReport("json", reportOf(stack("dev"))));
    expect(readFileSync(summary, "utf8")).to.equal(`before\n${writeReport("markdown", reportOf(stack("dev")))}`);
  });

  it("one that cannot be written keeps no other one from being written, and the error names it", () => {
    const missing = join(folder, "missing", "text");
    const files = [
      { format: "text", file: missing, isAppended: false },
      { format: "json", file: join(folder, "json"), isAppended: false },
      { format: "markdown", file: join(folder, "summary"), isAppended: true },
    ] as const;
    const write = (): void => writeReportFiles(reportOf(stack("dev")), files);
    expect(write).to.throw("Could not write the report").with.property("message").that.contains(missing);
    expect(readdirSync(folder)).to.deep.equal(["json", "summary"]);
  });
});

const EVIL = "@acme/all #1 <!channel> <b> [x](http://a) ` `` | *_~ &amp; GH-7 www.example.com";
const evil: DriftItem = {
  ...set,
  environmentName: EVIL,
  resource: EVIL,
  name: EVIL,
  kind: "services",
  detail: `now ${EVIL}`,
};
const dev = stack("dev", {
  status: "drift",
  drift: [{ ...set, name: "LOG_LEVEL", kind: "changed", since: "2026-01-31T09:30:00" }],
  ignored: changed(2),
});
const many = (count: number, each: number): Report =>
  reportOf(
    ...Array.from({ length: count }, (_, index) => stack(`pr-${index}`, { status: "drift", drift: changed(each) })),
  );

describe("drift: the report for a pull request", () => {
  it("is a table of each environment, with a link to it", () => {
    const drift = dev.drift.map((item) => ({ ...item, environmentName: "shop", environmentUrl: "https://a.example/" }));
    const text = writeReport("markdown", reportOf(stack("calm"), { ...dev, drift }));
    expect(text).to.equal(`## Drift of preview environments

2 stacks: 1 in sync, 1 drift. 1 difference, 2 ignored.

### \`dev\`: drift, 2 ignored

Environment [\`shop\`](https://a.example/)

| resource | type | name | change | |
|---|---|---|---|---|
| \`vars\` | EnvVarSet | \`LOG_LEVEL\` | changed | since 2026-01-31T09:30:00 |

Restore it: \`npx pulumi-previewenv drift --heal\` with the same options, or \`pulumi up --refresh --stack STACK\`.

A \`pulumi up\`, also without \`--refresh\`, may also restore what is ignored.
`);
  });

  it("has others' text in code spans only, where it is no markup, no link and no mention", () => {
    const text = writeReport("markdown", reportOf(stack(EVIL, { status: "drift", drift: [evil] })));
    // A code span is a run of backticks, anything, and as long a run.
    const outside = text.replaceAll(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/gu, "");
    expect(outside).not.to.match(/[@<>*~&\\]|acme|http|www|GH-|#1/u);
    const rows = text.split("\n").filter((line) => line.startsWith("| `"));
    expect(rows.map((row) => row.split("|").length)).to.deep.equal([7]);
  });

  it("shows an error as it is, and no more of it than a page can take", () => {
    const text = writeReport("markdown", reportOf(stack("bad", { status: "error", errors: ["a\n```b\n@acme"] })));
    expect(text).to.include("### `bad`: error\n\n```text\na\n'''b\n@acme\n```\n");
    const long = writeReport("markdown", reportOf(stack("bad", { status: "error", errors: ["x\n".repeat(500)] })));
    expect(long).to.include("x\n461 more lines\n```");
  });

  it("fits into a comment, and names the stacks that have no place", () => {
    for (const large of [many(300, 3), many(3, 5000)]) {
      const text = writeReport("markdown", large);
      expect(text.length).to.be.below(65_536);
      expect(text).to.match(/\d+ more (?:stacks|lines)/u);
      expect(text).to.include("### `pr-0`: drift");
    }
  });

  it("links an environment by a web address only", () => {
    expect(webAddress("https://shop.preview.example/a?b=c")).to.equal("https://shop.preview.example/a?b=c");
    expect(webAddress("https://a.example/)](http://b)|<x>")).to.equal(
      "https://a.example/%29%5d%28http://b%29%7c%3Cx%3E",
    );
    for (const url of ["javascript:alert(1)", "shop", "", "https://user:pw@a.example", undefined])
      expect(webAddress(url), url).to.equal(undefined);
  });
});

const validate = new Ajv2020({ strict: true, allErrors: true }).compile(schema);
/** Reports of whole runs: of what the real engine sent, healed and not, and of runs that failed. */
async function reports(): Promise<readonly unknown[]> {
  const previewRefresh = { events: recorded("drift"), errors: [] };
  const ignore = [readIgnore("*::vars::S_*")];
  const all = await Promise.all([
    findDrift(new FakeEngine({ previewRefresh }), request({ ignore })),
    findDrift(new FakeEngine({ previewRefresh }), request({ heal: true })),
    findDrift(new FakeEngine(), request({ heal: true })),
    findDrift(new FakeEngine({ previewRefresh: { events: [], errors: ["no answer"] } }), request()),
    findDrift(new FakeEngine({ stacks: new Error("no project") }), request()),
    findDrift(new FakeEngine({ stacks: [] }), request({ allowNoStacks: true })),
  ]);
  expect(all.map(({ status }) => status)).to.deep.equal(["drift", "drift", "healed", "error", "error", "in sync"]);
  return all.map((one): unknown => JSON.parse(writeReport("json", one)));
}

describe("drift: the JSON report", () => {
  it("is as the schema of its version says, and has nothing that the schema does not name", async () => {
    for (const one of await reports()) {
      expect(validate(one), JSON.stringify(validate.errors)).to.equal(true);
      expect(reportSchema.parse(one)).to.deep.equal(one);
    }
  });

  for (const [status, end] of [
    ["in sync", ["in sync", 0]],
    ["healed", ["healed", 0]],
    ["drift", ["drift", 2]],
    ["partly healed", ["drift", 2]],
    ["gone", ["drift", 2]],
    ["error", ["error", 1]],
  ] as const)
    it(`ends with exit code ${end[1]} when a stack is "${status}" and another in sync`, () => {
      const whole = reportOf(stack("quiet"), stack("other", { status }));
      expect([whole.status, whole.exitCode]).to.deep.equal(end);
    });
});

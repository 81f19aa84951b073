import { Ajv2020 } from "ajv/dist/2020";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import schema from "../../provider/drift-report.v1.schema.json";
import { REPORT_VERSION, reportSchema } from "../../provider/src/drift/report-schema";
import { writeReport } from "../../provider/src/drift/report";
import { findDrift } from "../../provider/src/drift/stacks";
import { readIgnore } from "../../provider/src/drift/ignore";
import { FakeEngine, request } from "./support/fake-engine";
import { reportOf, stack } from "./support/reports";

const validate = new Ajv2020({ strict: true, allErrors: true }).compile(schema);
const recorded = readFileSync(join(__dirname, "fixtures", "drift.jsonl"), "utf8")
  .trim()
  .split("\n");

/** Reports of whole runs: of what the real engine sent, healed and not, and of runs that failed. */
async function reports(): Promise<readonly unknown[]> {
  const events = recorded.map((line): unknown => JSON.parse(line));
  const look = { events, errors: [] };
  const ignore = [readIgnore("*::vars::S_*")];
  const found = await Promise.all([
    findDrift(new FakeEngine({ look }), request({ ignore })),
    findDrift(new FakeEngine({ look }), request({ heal: true })),
    findDrift(new FakeEngine(), request({ heal: true })),
    findDrift(new FakeEngine({ look: { events: [], errors: ["no answer"] } }), request()),
    findDrift(new FakeEngine({}, "same", new Error("no project")), request()),
    findDrift(new FakeEngine({}, "same", []), request({ allowNoStacks: true })),
  ]);
  expect(found.map(({ status }) => status)).to.deep.equal(["drift", "drift", "healed", "error", "error", "in sync"]);
  return found.map((report): unknown => JSON.parse(writeReport("json", report)));
}

describe("drift: the JSON report", () => {
  it("is as the schema of its version says, and has nothing that the schema does not name", async () => {
    for (const report of await reports()) {
      expect(validate(report), JSON.stringify(validate.errors)).to.equal(true);
      expect(reportSchema.parse(report)).to.deep.equal(report);
    }
  });

  it("would be found out: the schema refuses what is missing, and what has another shape", async () => {
    const [report] = await reports();
    for (const wrong of [{}, { version: 2 }, { status: "fine" }, { exitCode: 3 }, { drifted: "1" }, { stacks: {} }])
      expect(
        validate(Object.keys(wrong).length === 0 ? {} : { ...Object(report), ...wrong }),
        JSON.stringify(wrong),
      ).to.equal(false);
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
      const report = reportOf(stack("quiet"), stack("other", { status }));
      expect([report.status, report.exitCode]).to.deep.equal(end);
    });

  it("names its version in the file, in the schema and in itself", () => {
    expect(schema.properties.version.const).to.equal(REPORT_VERSION);
  });
});

import { Ajv2020 } from "ajv/dist/2020";
import { expect } from "chai";
import schema from "../../provider/drift-report.v1.schema.json";
import { reportSchema } from "../../provider/src/drift/report-schema";
import { writeReport } from "../../provider/src/drift/report";
import { findDrift } from "../../provider/src/drift/stacks";
import { readIgnore } from "../../provider/src/drift/ignore";
import { FakeEngine, recorded, request } from "./support/fake-engine";
import { reportOf, set, stack } from "./support/reports";

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
  return all.map((report): unknown => JSON.parse(writeReport("json", report)));
}

describe("drift: the JSON report", () => {
  it("is as the schema of its version says, and has nothing that the schema does not name", async () => {
    for (const report of await reports()) {
      expect(validate(report), JSON.stringify(validate.errors)).to.equal(true);
      expect(reportSchema.parse(report)).to.deep.equal(report);
    }
  });

  const withStack = (change: object) => ({ stacks: [{ ...stack("dev"), ...change }] });
  const wrong: readonly (readonly [string, object])[] = [
    ["another version", { version: 2 }],
    ["no version", { version: undefined }],
    ["a status that there is not", { status: "fine" }],
    ["an exit code that there is not", { exitCode: 3 }],
    ["fewer than no differences", { drifted: -1 }],
    ["no stacks", { stacks: undefined }],
    ["a stack whose errors are one text", withStack({ errors: "no answer" })],
    ["a difference of a kind that there is not", withStack({ drift: [{ ...set, kind: "moved" }] })],
    ["a difference of no resource", withStack({ drift: [{ kind: "changed" }] })],
    ["a build without a result", withStack({ builds: [set] })],
  ];
  for (const [what, change] of wrong)
    it(`is refused by the schema of its version with ${what}`, () => {
      const report: unknown = JSON.parse(JSON.stringify({ ...reportOf(stack("dev")), ...change }));
      expect(validate(report)).to.equal(false);
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
});

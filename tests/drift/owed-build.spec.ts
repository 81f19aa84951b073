import { expect } from "chai";
import { collect } from "../../provider/src/drift/collect";
import { readEvents } from "../../provider/src/drift/engine-event";
import { readOutcome } from "../../provider/src/drift/outcome";
import { readProgram } from "../../provider/src/drift/program";
import { writeReport } from "../../provider/src/drift/report";
import { findDrift } from "../../provider/src/drift/stacks";
import { ended, FakeEngine, request, URN } from "./support/fake-engine";

const TYPE = "previewenv:index:EnvironmentBranches";
const OWED = { v: 1, before: [], branches: { web: "x" }, status: "owed" };
const ASLEEP = { ...OWED, postponed: true };
const branches = (web: string, pending?: object) => ({
  environmentId: "e",
  branches: { web },
  ...(pending && { pending }),
});

/** A step of an EnvironmentBranches; only the native host tells details of an unfinished build. */
function step(op: string, old: object, found: object, ...paths: readonly string[]) {
  const { resOutputsEvent } = ended(op, { type: TYPE, old, found });
  const detailedDiff = Object.fromEntries(paths.map((path) => [path, { diffKind: "update" }]));
  return { resOutputsEvent: { metadata: { ...resOutputsEvent.metadata, detailedDiff } } };
}

describe("drift: a build that is owed", () => {
  const rows = (event: object): readonly string[] =>
    collect(readEvents([event]).steps).map(({ kind, name, detail }) => [kind, name, detail].join("|"));
  const due = "build||owed, and the environment runs";

  it("is one difference once the environment runs, and its branches were switched by nobody", () => {
    const [old, found] = [branches("x", ASLEEP), branches("main", OWED)];
    expect(rows(step("update", old, found, "branches.web", "build"))).to.deep.equal([due]);
    expect(rows(step("update", old, found))).to.deep.equal([due]);
  });

  it("is not what a build was that did not succeed: that also shows who switched a branch", () => {
    const found = branches("main", { ...OWED, status: "requested" });
    expect(rows(step("update", branches("x"), found, "branches.web", "build"))).to.deep.equal([
      "build||the last one was not seen to succeed",
      "branch|web|x -> main",
    ]);
  });

  it("restores no branch while the environment sleeps, and the report says so", async () => {
    const [switched, declared] = [branches("hand"), branches("x", ASLEEP)];
    const engine = new FakeEngine({
      look: { events: [step("update", branches("x"), switched, "branches.web")], errors: [] },
      restore: { events: [step("update", switched, declared)], errors: [] },
    });
    const report = await findDrift(engine, request({ stacks: ["dev"], heal: true }));
    const [dev] = report.stacks;
    expect(report.exitCode).to.equal(2);
    expect(dev?.drift.map(({ kind, restored, reason }) => [kind, restored, reason])).to.deep.equal([
      ["branch", false, "its build is owed, because the environment does not run"],
    ]);
    expect(dev?.builds.map(({ result, reason }) => [result, reason])).to.deep.equal([
      ["owed", "the environment does not run"],
    ]);
    expect(writeReport("text", report))
      .to.include("A build is postponed: `pulumi up --refresh` requests it once the environment runs.")
      .and.not.include("Restore");
  });

  it("for restored variables is no failure, and one that was owed before is not told again", () => {
    const results = (event: object) =>
      readOutcome([], [URN], readEvents([event]).steps).builds.map(({ result }) => result);
    expect(results(step("update", branches("x"), branches("x", ASLEEP)))).to.deep.equal(["owed"]);
    expect(results(step("same", branches("x", ASLEEP), branches("x", ASLEEP)))).to.deep.equal([]);
  });

  it("and due since an earlier refresh is left to an up, and not taken for a change of the program", () => {
    const state = { type: TYPE, outputs: branches("main", OWED) };
    const { program } = readProgram(
      JSON.stringify({ steps: [{ op: "update", urn: URN, oldState: state, newState: state }] }),
    );
    expect(program.reasonToLeave(URN)).to.equal("its build is due, and only `pulumi up` requests it");
  });
});

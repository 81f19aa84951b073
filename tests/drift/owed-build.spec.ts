import { expect } from "chai";
import { differencesAmong } from "../../provider/src/drift/differences";
import { readEvents } from "../../provider/src/drift/engine-event";
import { writeReport } from "../../provider/src/drift/report";
import type { Report } from "../../provider/src/drift/report-schema";
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
/** A step of an EnvironmentBranches. Only the native host tells details of an unfinished build. */
const step = (op: string, old: object, now: object, ...paths: readonly string[]) =>
  ended(op, { type: TYPE, old, now, paths });

/** What --heal reports of a branch that was switched by hand, after an update that told this. */
const healed = (event: object, program?: readonly object[]): Promise<Report> => {
  const switched = step("update", branches("x"), branches("hand"), "branches.web");
  const engine = new FakeEngine({
    previewRefresh: { events: [switched], errors: [] },
    restore: { events: [event], errors: [] },
    ...(program && { program }),
  });
  return findDrift(engine, request({ stacks: ["dev"], heal: true }));
};
const reasons = ({ stacks }: Report) => stacks[0]?.drift.map(({ kind, restored, reason }) => [kind, restored, reason]);

describe("drift: a build that is owed", () => {
  const rows = (event: object): readonly string[] =>
    differencesAmong(readEvents([event]).steps).map(({ kind, name, detail }) => [kind, name, detail].join("|"));

  it("is one difference once the environment runs, and its branches were switched by nobody", () => {
    const [old, now] = [branches("x", ASLEEP), branches("main", OWED)];
    for (const paths of [["branches.web", "build"], []])
      expect(rows(step("update", old, now, ...paths))).to.deep.equal(["build||owed, and the environment runs"]);
  });

  it("is not what a build was that did not succeed: that also shows who switched a branch", () => {
    const now = branches("main", { ...OWED, status: "requested" });
    expect(rows(step("update", branches("x"), now, "branches.web", "build"))).to.deep.equal([
      "build||the last one was not seen to succeed",
      "branch|web|x -> main",
    ]);
  });

  it("restores no branch while the environment sleeps, and the report says so", async () => {
    const report = await healed(step("update", branches("hand"), branches("x", ASLEEP)));
    expect(report.exitCode).to.equal(2);
    expect(reasons(report)).to.deep.equal([
      ["branch", false, "its build is owed, because the environment does not run"],
    ]);
    expect(report.stacks[0]?.builds.map(({ result, reason }) => [result, reason])).to.deep.equal([
      ["owed", "the environment does not run"],
    ]);
    expect(writeReport("text", report))
      .to.include("A build is postponed: `pulumi up --refresh` requests it once the environment runs.")
      .and.not.include("Restore");
  });

  it("was owed before, and is not told again", async () => {
    const { stacks } = await healed(step("same", branches("x", ASLEEP), branches("x", ASLEEP)));
    expect(stacks[0]?.builds).to.deep.equal([]);
  });

  it("and due since an earlier refresh is left to an up, and not taken for a change of the program", async () => {
    const state = { type: TYPE, outputs: branches("main", OWED) };
    const program = [{ op: "update", urn: URN, oldState: state, newState: state }];
    expect(reasons(await healed({}, program))).to.deep.equal([
      ["branch", false, "its build is due, and only `pulumi up` requests it"],
    ]);
  });
});

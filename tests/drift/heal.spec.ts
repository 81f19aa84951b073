import { expect } from "chai";
import { driftItemsAmong } from "../../provider/src/drift/drift-items";
import { readEvents } from "../../provider/src/drift/engine-event";
import { heal } from "../../provider/src/drift/heal";
import type { Differences } from "../../provider/src/drift/plan";
import type { Report, StackReport } from "../../provider/src/drift/report-schema";
import { writeReport } from "../../provider/src/drift/report";
import { findDrift } from "../../provider/src/drift/stacks";
import { ended, FakeEngine, quiet, recorded, request, URN } from "./support/fake-engine";

const ROOT = "pulumi:pulumi:Stack";
const TYPE = "previewenv:index:EnvironmentBranches";
const changed = { urn: URN, resource: "vars", type: "EnvVarSet", kind: "changed" } as const;

const healedReport = (engine: FakeEngine): Promise<Report> =>
  findDrift(engine, request({ stacks: ["dev"], heal: true }));
const healed = async (engine: FakeEngine): Promise<StackReport | undefined> => (await healedReport(engine)).stacks[0];
const text = async (engine: FakeEngine): Promise<string> => writeReport("text", await healedReport(engine));

/** What became of these differences by an update that told these events. */
function outcome(events: readonly unknown[], urns: readonly string[] = [URN]): Promise<Partial<StackReport>> {
  const state = { type: "previewenv:index:EnvVarSet" };
  const program = urns.map((urn) => ({ op: "same", urn, oldState: state, newState: state }));
  const differences: Differences = {
    drift: urns.map((urn) => ({ ...changed, urn })),
    ignored: [],
    replaced: new Set(),
  };
  return heal(new FakeEngine({ program, restore: { events, errors: [] } }), "dev", {}, differences);
}

describe("drift: --heal", () => {
  it("compares, previews and restores, in this order and for the same resources", async () => {
    const engine = new FakeEngine();
    const report = await healed(engine);
    expect(report).to.deep.include({ status: "healed", builds: [], errors: [] });
    expect(report?.drift.map(({ restored }) => restored)).to.deep.equal([true]);
    expect(engine.asked).to.deep.equal([
      "previewRefresh dev",
      "compare dev",
      `previewUpdate dev ${URN}`,
      `restore dev ${URN}`,
      "compare dev",
    ]);
  });

  it("writes nothing when the service cannot be read, nothing drifted, or the program has other plans", async () => {
    for (const [engine, status] of [
      [new FakeEngine({ previewRefresh: { events: [], errors: ["no answer"] } }), "error"],
      [new FakeEngine({ previewRefresh: quiet }), "in sync"],
      [new FakeEngine({ program: [] }), "drift"],
      [new FakeEngine({ programErrors: ["SyntaxError in index.ts"] }), "error"],
      [new FakeEngine({ previewUpdate: { events: [], errors: ["provider has not been registered yet"] } }), "error"],
      [new FakeEngine({ previewUpdate: { events: [ended("delete")], errors: [] } }), "drift"],
    ] as const) {
      expect((await healed(engine))?.status, engine.asked.join()).to.equal(status);
      expect(engine.asked.filter((command) => command.startsWith("restore"))).to.deep.equal([]);
    }
  });

  it("says that nothing was written when the update ended before its first step, as for a stack that is locked", async () => {
    const errors = ["the stack is currently locked by 1 lock(s). Delete the lock file with `pulumi cancel`."];
    expect(await text(new FakeEngine({ restore: { events: [], errors } })))
      .to.match(/not restored: the update could not be previewed or started\n/u)
      .and.match(
        /\nWhere an update could not be previewed or started, nothing was written: .+ again\.\nName the stack: `pulumi cancel --stack STACK`\. .+\n$/u,
      );
    expect(await text(new FakeEngine({ restore: { events: [ended("refresh")], errors } })))
      .to.match(/not restored: the update ended before or while it wrote this resource\n/u)
      .and.match(
        /\nWhere an update ended before or while it wrote a resource, run `pulumi up --stack STACK`: state may already hold .+\n/u,
      );
  });

  it("says of each resource what the real engine did with it, and how the build ended", async () => {
    for (const [name, type, expected, build] of [
      ["restored", "previewenv:index", { vars: [true, undefined] }, "succeeded"],
      [
        "failed",
        "pulumi-nodejs:dynamic/previewenv",
        { vars: [true, undefined], two: [false, "its update failed, perhaps in part"] },
        "failed",
      ],
    ] as const) {
      const urnOf = (resource: string): string => `urn:pulumi:dev::engine-specs::${type}:${resource}`;
      const sets = Object.keys(expected).map((set) => urnOf(`EnvVarSet::${set}`));
      const { drift = [], builds } = await outcome(recorded(name), [...sets, urnOf("EnvironmentBranches::branches")]);
      const results = drift.slice(0, sets.length).map(({ restored, reason }) => [restored, reason]);
      expect(results).to.deep.equal(Object.values(expected));
      expect(builds?.map(({ resource, result }) => `${resource} ${result}`)).to.deep.equal([`branches ${build}`]);
      expect(builds?.[0]?.id).to.match(/^[\da-f-]{36}$/u);
    }
  });

  it("does not say that an update which changed nothing has restored something", async () => {
    const { drift } = await outcome([ended("refresh"), ended("same")]);
    expect(drift).to.deep.equal([{ ...changed, restored: false, reason: "its update changed nothing" }]);
  });

  describe("what only an up starts", () => {
    const vars = { op: "same", urn: URN, oldState: { type: TYPE }, newState: { type: TYPE } };
    /** A step of a preview with a resource that takes this value from anywhere, such as from a `get`, which has no dependency. */
    const taking = (op: string, value: unknown, own = "EnvironmentAction"): object => {
      const type = `previewenv:index:${own}`;
      return { op, urn: `${URN}-again`, oldState: { type }, newState: { type, inputs: { taken: [value] } } };
    };
    const started = async (before: object, after: object): Promise<Report> =>
      healedReport(new FakeEngine({ program: [vars, before], programAfter: [vars, after] }));
    const outcomes = ({ stacks, exitCode }: Report) => [
      stacks[0]?.status,
      exitCode,
      ...(stacks[0]?.builds ?? []).map(({ result, reason = "" }) => `${result}: ${reason}`),
    ];
    const left = ["partly healed", 2, "not started: it is due now, and only `pulumi up` starts it"];
    const healthy = ["healed", 0];

    it("is each build and action that is due now, whichever way the restored value takes", async () => {
      for (const own of ["EnvironmentAction", "SnapshotLoad", "EnvironmentBranches"]) {
        expect(outcomes(await started(taking("same", "1", own), taking("update", "2", own))), own).to.deep.equal(left);
        expect(outcomes(await started(taking("same", "1", own), taking("same", "1", own))), own).to.deep.equal(healthy);
      }
      expect(outcomes(await started(taking("same", "1"), taking("create-replacement", "2")))).to.deep.equal(left);
    });

    it("is also what was due for the drifted value, and not what was due anyway", async () => {
      expect(outcomes(await started(taking("update", "by hand"), taking("update", "restored")))).to.deep.equal(left);
      expect(outcomes(await started(taking("update", "by hand"), taking("same", "as before")))).to.deep.equal(healthy);
      expect(outcomes(await started(taking("update", "new"), taking("update", "new")))).to.deep.equal(healthy);
      expect(outcomes(await started(taking("delete", "1"), taking("delete", "1")))).to.deep.equal(healthy);
    });

    it("is not advised for a build that would also restore what is ignored", async () => {
      const differences = {
        drift: [changed],
        ignored: [{ ...changed, urn: `${URN}-again`, kind: "branch", name: "web" }],
        replaced: new Set<string>(),
      } as const;
      const [before, after] = [
        taking("same", "1", "EnvironmentBranches"),
        taking("update", "2", "EnvironmentBranches"),
      ];
      const engine = new FakeEngine({ program: [vars, before], programAfter: [vars, after] });
      const { builds = [] } = await heal(engine, "dev", {}, differences);
      expect(builds.map(({ result, reason }) => [result, reason])).to.deep.equal([
        ["not started", "an update would also restore what is ignored: web"],
      ]);
    });

    it("is what a preview does not show in full, as it may be due for another value than before", async () => {
      for (const hidden of ["[secret]", { at: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" }])
        expect(outcomes(await started(taking("update", hidden), taking("update", hidden)))).to.deep.equal(left);
    });

    it("is nothing that the program would only create, and no set of variables", async () => {
      const fresh = { op: "create", urn: `${URN}-again`, newState: { type: "previewenv:index:EnvironmentAction" } };
      expect(outcomes(await started(vars, fresh))).to.deep.equal(healthy);
      expect(
        outcomes(await started(taking("same", "1", "EnvVarSet"), taking("update", "2", "EnvVarSet"))),
      ).to.deep.equal(healthy);
    });

    it("is told once of a build that the update has asked for, and that the next up looks after", async () => {
      const now = { waitForBuild: false, pending: { v: 1, before: [], branches: {}, status: "asked" } };
      const due = { ...vars, op: "update", oldState: { type: TYPE } };
      const engine = new FakeEngine({
        programAfter: [due],
        restore: { events: [ended("update", { type: TYPE, old: {}, now })], errors: [] },
      });
      expect((await healed(engine))?.builds.map(({ result }) => result)).to.deep.equal(["queued"]);
    });

    it("is not known when the program cannot be previewed any more: an error says so", async () => {
      const report = await healedReport(new FakeEngine({ programAfterErrors: ["no answer"] }));
      expect([report.exitCode, report.stacks[0]?.errors]).to.deep.equal([
        1,
        [
          "no answer",
          "Values were restored, but the program could not be previewed to see what they start: run `pulumi up --stack dev`.",
        ],
      ]);
      expect(report.stacks[0]?.drift.map(({ restored }) => restored)).to.deep.equal([true]);
    });
  });

  describe("what `prune` deletes", () => {
    const old = { environmentId: "e", prune: true };
    const names = (paths: Readonly<Record<string, "add" | "update">>): readonly unknown[] => [
      ended("update", { old, paths }),
    ];
    const both = names({ "variables.FOREIGN": "add", "variables.A": "update" });
    const pruned = (after: readonly unknown[], errors: readonly string[] = []): FakeEngine =>
      new FakeEngine({
        previewRefresh: { events: both, errors: [] },
        restore: { events: [ended("refresh"), ended("update", { old })], errors: [] },
        previewRefreshAfter: { events: after, errors },
      });
    const results = (report: StackReport | undefined) => [
      report?.status,
      ...(report?.drift ?? []).map(({ name, restored, reason }) => [name, restored, reason]),
    ];

    it("is not restored where the update has only forgotten it", async () => {
      expect(results(await healed(pruned(names({ "variables.FOREIGN": "add" }))))).to.deep.equal([
        "partly healed",
        ["A", true, undefined],
        ["FOREIGN", false, "the service still has it after its update: a `get` of the program may look at it"],
      ]);
      expect(results(await healed(pruned([])))).to.deep.equal([
        "healed",
        ["A", true, undefined],
        ["FOREIGN", true, undefined],
      ]);
    });

    it("is not known without another look, and an error says so", async () => {
      expect(await healed(pruned([], ["no answer"]))).to.deep.include({ status: "error", errors: ["no answer"] });
    });
  });

  it("tells a build that nobody waits for, one that was refused, and none", async () => {
    const build = { id: "b1" };
    const unawaited = { waitForBuild: false, pending: { v: 1, before: [], branches: {}, status: "asked" } };
    const { metadata } = ended("update", { type: TYPE, old: { build }, now: {} }).resOutputsEvent;
    for (const [event, expected] of [
      [ended("update", { type: TYPE, old: { build }, now: { build } }), []],
      [ended("update", { type: TYPE, old: {}, now: unawaited }), [["queued", undefined]]],
      [{ resOpFailedEvent: { metadata } }, [["not started", "its update failed, perhaps in part"]]],
    ] as const) {
      const { builds } = await outcome([event]);
      expect(builds?.map(({ result, reason }) => [result, reason])).to.deep.equal(expected);
    }
  });
});

describe("drift: what an update would change beside its targets", () => {
  const reasonFor = async (...events: readonly unknown[]): Promise<string | undefined> =>
    (await healed(new FakeEngine({ previewUpdate: { events, errors: [] } })))?.drift[0]?.reason;

  it("is named by the real engine's preview: outputs that leave the program or are not known", async () => {
    expect(await reasonFor(...recorded("rehearsal"))).to.equal(
      'an update would also change stack output "gone", stack output "fresh"',
    );
  });

  it("is any resource that would not stay the same, but for providers", async () => {
    const provider = ended("update", { type: "pulumi:providers:aws" });
    const bucket = ended("create", { type: "aws:s3:Bucket" });
    expect(await reasonFor(ended("same"), ended("read"), provider, bucket)).to.equal(
      'an update would also change resource "vars"',
    );
  });

  it("is no output that has another value, or is new", async () => {
    const [old, now] = [{ at: "1" }, { at: "2", added: "x" }];
    expect(await reasonFor(ended("same", { type: ROOT, old, now }))).to.equal(undefined);
    const unknown = { at: "1", list: [{ id: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" }] };
    expect(await reasonFor(ended("same", { type: ROOT, old, now: unknown }))).to.equal(
      'an update would also change stack output "list"',
    );
  });
});

const OWED = { v: 1, branches: { web: "x" }, status: "owed" };
const ASLEEP = { ...OWED, asleep: true };
const branches = (web: string, pending?: object) => ({
  environmentId: "e",
  branches: { web },
  ...(pending && { pending }),
});
/** A step of an EnvironmentBranches. Only the native host tells details of an unfinished build. */
const step = (op: string, old: object, now: object, ...paths: readonly string[]) =>
  ended(op, { type: TYPE, old, now, paths });

/** What --heal reports of a branch that was switched by hand, after an update that told this. */
const healedBranch = (event: object, program?: readonly object[]): Promise<Report> => {
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
    driftItemsAmong(readEvents([event]).steps).map(({ kind, name, detail }) => [kind, name, detail].join("|"));

  it("is one difference once the environment runs, and its branches were switched by nobody", () => {
    const [old, now] = [branches("x", ASLEEP), branches("main", OWED)];
    for (const paths of [["branches.web", "build"], []])
      expect(rows(step("update", old, now, ...paths))).to.deep.equal(["build||owed, and the environment runs"]);
  });

  it("is not what a build was that did not succeed: that also shows who switched a branch", () => {
    const asked = { ...OWED, status: "asked", before: [] };
    const [old, now] = [branches("x", asked), branches("main", asked)];
    expect(rows(step("update", old, now, "branches.web", "build"))).to.deep.equal([
      "build||the last one was not seen to succeed",
      "branch|web|x -> main",
    ]);
  });

  it("is no difference beside the branches that somebody has switched, whose build no update has asked for", () => {
    const [old, now] = [branches("x"), branches("hand", { ...OWED, branches: { web: "hand" } })];
    expect(rows(step("update", old, now, "branches.web", "build"))).to.deep.equal(["branch|web|x -> hand"]);
  });

  it("restores no branch while the environment sleeps, and the report says so", async () => {
    const report = await healedBranch(step("update", branches("hand"), branches("x", ASLEEP)));
    expect(report.exitCode).to.equal(2);
    expect(reasons(report)).to.deep.equal([
      ["branch", false, "its build is owed, because the environment does not run"],
    ]);
    expect(report.stacks[0]?.builds.map(({ result, reason }) => [result, reason])).to.deep.equal([
      ["owed", "the environment does not run"],
    ]);
    expect(writeReport("text", report))
      .to.include("A build is postponed: `pulumi up --refresh --stack STACK` requests it once the environment runs.")
      .and.not.include("Restore");
  });

  it("was owed before, and is not told again", async () => {
    const { stacks } = await healedBranch(step("same", branches("x", ASLEEP), branches("x", ASLEEP)));
    expect(stacks[0]?.builds).to.deep.equal([]);
  });

  it("and due since an earlier refresh is left to an up, and not taken for a change of the program", async () => {
    const state = { type: TYPE, outputs: branches("main", OWED) };
    const program = [{ op: "update", urn: URN, oldState: state, newState: state }];
    expect(reasons(await healedBranch({}, program))).to.deep.equal([
      ["branch", false, "its build is due, and only `pulumi up` requests it"],
    ]);
  });
});

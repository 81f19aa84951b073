import { expect } from "chai";
import { doubtAbout, type History, killedText, PAGE_SIZE } from "../../provider/src/drift/history";
import { writeReport } from "../../provider/src/drift/report";
import { findDrift } from "../../provider/src/drift/stacks";
import { FakeEngine, quiet, request } from "./support/fake-engine";

type PastRun = History[number];

const up: PastRun = { kind: "update", result: "succeeded" };
const failed: PastRun = { ...up, result: "failed", endTime: "2026-01-31T09:30:00.000Z" };
const calm: PastRun = { kind: "refresh", result: "succeeded", resourceChanges: { same: 2, update: 0 } };
const stored: PastRun = { ...calm, resourceChanges: { same: 1, update: 1 } };
const targeted: PastRun = { ...up, environment: { "pulumi.flag.target": "set" } };
const excluding: PastRun = { ...up, environment: { "pulumi.flag.exclude": "set" } };
const replacing: PastRun = { ...up, environment: { "pulumi.flag.target-replace": "set" } };
const keeping: PastRun = {
  kind: "destroy",
  result: "succeeded",
  environment: { "pulumi.flag.exclude-protected": "true" },
};
const chosen: PastRun = { ...up, environment: { "pulumi.env.PULUMI_OPTION_TARGET_REPLACE": "set" } };
const nights: History = Array.from({ length: PAGE_SIZE }, () => calm);
const other: PastRun = { kind: "rename", result: "failed" };

const resource = { urn: "urn:pulumi:dev::shop::previewenv:index:EnvVarSet::vars" };
const killed = { deployment: { resources: [resource], pending_operations: [{ resource, type: "updating" }] } };

/** The doubt about a stack of which the engine tells this. */
async function doubtAfter(answers: ConstructorParameters<typeof FakeEngine>[0]): Promise<string | undefined> {
  const engine = new FakeEngine(answers);
  const doubt = await doubtAbout(engine, "dev", await engine.export());
  return doubt?.text;
}

describe("drift: the runs since the last whole `up`", () => {
  const doubts: readonly (readonly [string, History, RegExp | undefined])[] = [
    ["no run", [], undefined],
    ["an up, after anything", [up, stored, failed], undefined],
    ["a destroy that failed, and one after it", [{ kind: "destroy", result: "succeeded" }, failed], undefined],
    ["a refresh that found nothing", [calm, up, stored], undefined],
    ["other kinds of runs", [other, up, failed], undefined],
    ["an up of some resources", [targeted, excluding, up, failed], undefined],
    ["a refresh that stored what it found", [stored, up], /^`pulumi refresh` stored changes, so state may /u],
    ["the same, and an up of some resources", [targeted, calm, stored], /^`pulumi refresh` stored changes, /u],
    ["the same, and an up without some", [excluding, stored], /^`pulumi refresh` stored changes, /u],
    ["the same, and a replacement of some", [replacing, stored], /^`pulumi refresh` stored changes, /u],
    ["the same, and a destroy of all but some", [keeping, stored], /^`pulumi refresh` stored changes, /u],
    ["the same, and an up of those in a variable", [chosen, stored], /^`pulumi refresh` stored changes, /u],
    ["the same, weeks ago", [...nights, ...nights, stored, up], /^`pulumi refresh` stored changes, /u],
    ["an up weeks ago", [...nights, up, stored], undefined],
    ["a refresh that failed", [{ ...calm, result: "failed" }], /^`pulumi refresh` failed, /u],
    [
      "an up that failed",
      [calm, failed, up],
      /^`pulumi up` failed \(2026-01-31T09:30:00\.000Z\), so .* --refresh --stack dev`\.$/u,
    ],
    [
      "a destroy of some that failed",
      [{ ...targeted, kind: "destroy", result: "failed" }],
      /see\. Run `pulumi up --refresh --stack dev`\.$/u,
    ],
    [
      "a destroy that failed",
      [{ kind: "destroy", result: "failed" }],
      /^`pulumi destroy` failed, .* Run `pulumi destroy --stack dev` again, or /u,
    ],
  ];
  for (const [title, runs, doubt] of doubts)
    it(`${title}: ${doubt === undefined ? "no doubt" : "a doubt"}`, async () => {
      const found = await doubtAfter({ history: runs });
      if (doubt === undefined) expect(found).to.equal(undefined);
      else expect(found).to.match(doubt);
    });

  it("one that was killed: the advice is a command of Pulumi, which also ends a killed --heal", async () => {
    expect(await doubtAfter({ state: killed }))
      .to.include("run `pulumi up --refresh --stack dev`, or `pulumi destroy --refresh --stack dev` after a destroy.")
      .and.not.include("its command");
  });

  it("one that was killed between two operations: state was stored after the newest run of a backend in files", async () => {
    const endTime = "2026-01-31T09:30:00.000Z";
    const recorded: PastRun = { ...up, version: 0, endTime };
    const older: PastRun = { ...calm, version: 0, endTime: "2026-01-30T09:30:00.000Z" };
    const doubt = async (time: string, ...runs: History) =>
      doubtAfter({ state: { deployment: { manifest: { time } } }, history: runs });
    // The engine writes state with the time zone of the machine.
    expect(await doubt("2026-01-31T10:31:01.273391649+01:00", recorded, older)).to.match(/^a run was killed, /u);
    for (const [time, ...runs] of [
      // A run that changes nothing stores state after its end.
      ["2026-01-31T09:30:59.273391649Z", recorded],
      ["2026-01-31T09:29:58.273391649Z", recorded],
      // Of another page.
      ["2026-01-31T09:30:00.273391649Z", { ...older, endTime }, ...nights.map(() => older), up],
      // Pulumi Cloud has every run, and another clock.
      ["2026-01-31T23:00:00Z", { ...recorded, version: 7 }],
      // Imported.
      ["2026-01-31T23:00:00Z"],
    ] as const)
      expect(await doubt(time, ...runs), time).to.equal(undefined);
  });

  it("let no stack be in sync or healed, and make each one an error after a killed run, which --heal leaves alone", async () => {
    const statusOf = async (answers: ConstructorParameters<typeof FakeEngine>[0], heal: boolean): Promise<unknown> => {
      const engine = new FakeEngine({ ...answers, stacks: ["dev"] });
      const { exitCode, stacks } = await findDrift(engine, request({ heal }));
      const { status, errors, drift } = stacks[0] ?? {};
      return [exitCode, status, errors?.length, ...(drift ?? []).map(({ restored }) => restored)];
    };
    const doubtful = { history: [failed] };
    expect(await statusOf({ previewRefresh: quiet }, false)).to.deep.equal([0, "in sync", 0]);
    expect(await statusOf({ previewRefresh: quiet, ...doubtful }, false)).to.deep.equal([1, "error", 1]);
    expect(await statusOf({}, true)).to.deep.equal([0, "healed", 0, true]);
    expect(await statusOf(doubtful, true)).to.deep.equal([1, "error", 1, true]);
    expect(await statusOf(doubtful, false)).to.deep.equal([2, "drift", 0, undefined]);
    expect(await statusOf({ previewRefresh: quiet, state: killed }, false)).to.deep.equal([1, "error", 1]);
    expect(await statusOf({ state: killed }, false)).to.deep.equal([1, "error", 1, undefined]);
    expect(await statusOf({ state: killed }, true)).to.deep.equal([1, "error", 1, undefined]);
  });

  it("tell what differs after a killed run, and advise no --heal", async () => {
    const report = await findDrift(new FakeEngine({ state: killed }), request({ stacks: ["dev"], heal: true }));
    expect(writeReport("text", report))
      .to.match(
        /^dev: error\n {2}environment e\n {4}vars \(EnvVarSet\) .+\n {2}a run was killed, or is under way, so /u,
      )
      .and.match(/\n1 stack: 1 error\. 1 difference\.\n$/u);
  });
});

describe("drift: operations that did not end", () => {
  const exported = (...types: readonly string[]) => ({
    deployment: { resources: [resource], pending_operations: types.map((type) => ({ resource, type })) },
  });

  it("are those of a killed run, but for a create that Pulumi keeps although the resource is there", async () => {
    for (const type of ["updating", "deleting", "reading"])
      expect(await doubtAfter({ state: exported(type) })).to.equal(killedText("dev"));
    expect(await doubtAfter({ state: exported("creating") })).to.equal(undefined);
    const { deployment } = exported("creating");
    expect(await doubtAfter({ state: { deployment: { ...deployment, resources: [] } } })).to.equal(killedText("dev"));
  });
});

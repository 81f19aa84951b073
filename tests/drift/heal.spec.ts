import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { StackReport } from "../../provider/src/drift/report-schema";
import type { Engine } from "../../provider/src/drift/engine";
import { readEvents, type Step } from "../../provider/src/drift/engine-event";
import { readOutcome } from "../../provider/src/drift/outcome";
import { sideEffects } from "../../provider/src/drift/heal";
import { findDrift } from "../../provider/src/drift/stacks";
import { writeReport } from "../../provider/src/drift/report";
import { reportOf } from "./support/reports";
import { ended, FakeEngine, quiet, request, URN } from "./support/fake-engine";

/** Events of the real engine (CLI 3.259); only `__provider`, times and paths are taken out. */
function recorded(name: string): readonly Step[] {
  const lines = readFileSync(join(__dirname, "fixtures", `${name}.jsonl`), "utf8")
    .trim()
    .split("\n");
  return stepsOf(...lines.map((line): unknown => JSON.parse(line)));
}

function stepsOf(...events: readonly unknown[]): readonly Step[] {
  return readEvents(events).steps;
}

const ROOT = "pulumi:pulumi:Stack";

async function healed(engine: Engine): Promise<StackReport | undefined> {
  return (await findDrift(engine, request({ stacks: ["dev"], heal: true }))).stacks[0];
}

describe("drift: --heal", () => {
  it("compares, rehearses and restores, in this order and for the same resources", async () => {
    const engine = new FakeEngine();
    const report = await healed(engine);
    expect(report).to.deep.include({ status: "healed", builds: [], errors: [] });
    expect(report?.drift.map(({ restored }) => restored)).to.deep.equal([true]);
    expect(engine.asked).to.deep.equal(["look dev", "compare dev", `rehearse dev ${URN}`, `restore dev ${URN}`]);
  });

  it("writes nothing when the service cannot be read, nothing drifted, or the program has other plans", async () => {
    for (const [engine, status] of [
      [new FakeEngine({ look: { events: [], errors: ["no answer"] } }), "error"],
      [new FakeEngine({ look: quiet }), "in sync"],
      [new FakeEngine({}, "update"), "drift"],
      [new FakeEngine({}, "broken"), "error"],
      [new FakeEngine({ rehearse: { events: [], errors: ["provider has not been registered yet"] } }), "error"],
      [new FakeEngine({ rehearse: { events: [ended("delete")], errors: [] } }), "drift"],
    ] as const) {
      expect((await healed(engine))?.status, engine.asked.join()).to.equal(status);
      expect(engine.asked.filter((what) => what.startsWith("restore"))).to.deep.equal([]);
    }
  });

  it("still reports what drifted when the program cannot be previewed", async () => {
    const report = await healed(new FakeEngine({}, "broken"));
    expect(report?.errors).to.deep.equal(["SyntaxError in index.ts"]);
    expect(report?.drift).to.have.length(1);
    expect(report?.drift[0]).to.include({ restored: false, reason: "the update could not be previewed or started" });
  });

  it("says that nothing was written when the update ended before its first step, as for a stack that is locked", async () => {
    const errors = ["the stack is currently locked by 1 lock(s)"];
    const hint = async (events: readonly unknown[]): Promise<string> => {
      const report = await healed(new FakeEngine({ restore: { events, errors } }));
      expect(report).to.deep.include({ status: "error", errors });
      return report === undefined ? "" : writeReport("text", reportOf(report));
    };
    const refused = await hint([]);
    expect(refused)
      .to.match(/not restored: the update could not be previewed or started\n/u)
      .and.match(/nothing was written: .+\n$/u);
    const begun = await hint([ended("refresh")]);
    expect(begun)
      .to.match(/not restored: the update did not reach this resource\n/u)
      .and.match(/state may already hold.+\n$/u);
  });

  it("says of each resource what the real engine did with it, and how the build ended", () => {
    for (const [name, vars, two, build] of [
      ["restored", true, undefined, "succeeded"],
      ["failed", true, "its update failed", "failed"],
    ] as const) {
      const type = name === "failed" ? "pulumi-nodejs:dynamic/previewenv" : "previewenv:index";
      const urn = (of: string, resource: string): string => `urn:pulumi:dev::engine-specs::${type}:${of}::${resource}`;
      const drift = ["vars", ...(two === undefined ? [] : ["two"])].map((resource) => ({
        urn: urn("EnvVarSet", resource),
        resource,
        type: "EnvVarSet",
        kind: "changed" as const,
      }));
      const targets = [...drift.map((item) => item.urn), urn("EnvironmentBranches", "branches")];
      const outcome = readOutcome(drift, targets, recorded(name));
      expect(outcome.drift.map(({ restored }) => restored)).to.deep.equal([
        vars,
        ...(two === undefined ? [] : [false]),
      ]);
      expect(outcome.drift.at(-1)?.reason).to.equal(two);
      expect(outcome.builds.map(({ resource, result }) => `${resource} ${result}`)).to.deep.equal([
        `branches ${build}`,
      ]);
      expect(outcome.builds[0]?.id).to.match(/^[\da-f-]{36}$/u);
    }
  });

  it("does not call restored what the update did not get to", () => {
    const item = { urn: URN, resource: "vars", type: "EnvVarSet", kind: "changed" } as const;
    const { drift, builds } = readOutcome([item], [URN], stepsOf(ended("refresh")));
    expect(drift).to.deep.equal([{ ...item, restored: false, reason: "the update did not reach this resource" }]);
    expect(builds).to.deep.equal([]);
  });

  it("tells a build that nobody waits for, one that was refused, and none", () => {
    const type = "previewenv:index:EnvironmentBranches";
    const builds = (old: object, found: object) =>
      readOutcome([], [URN], stepsOf(ended("update", { type, old, found }))).builds;
    const build = { id: "b1" };
    expect(builds({ build }, { build })).to.deep.equal([]);
    expect(
      builds({}, { pending: { v: 1, before: [], branches: {}, status: "notAwaited" } }).map(({ result }) => result),
    ).to.deep.equal(["queued"]);
    const { metadata } = ended("update", { type, old: { build }, found: {} }).resOutputsEvent;
    const refused = readOutcome([], [URN], stepsOf({ resOpFailedEvent: { metadata } })).builds;
    expect(refused.map(({ result, reason }) => [result, reason])).to.deep.equal([["not started", "its update failed"]]);
  });
});

describe("drift: what an update would change beside its targets", () => {
  it("is named by the real engine's preview: outputs that leave the program or are not known", () => {
    expect(sideEffects(recorded("rehearsal"))).to.deep.equal(['stack output "gone"', 'stack output "fresh"']);
  });

  it("is any resource that would not stay the same, but for providers", () => {
    const provider = ended("update", { type: "pulumi:providers:aws" });
    const bucket = ended("create", { type: "aws:s3:Bucket" });
    expect(sideEffects(stepsOf(ended("same"), ended("read"), provider, bucket))).to.deep.equal(['resource "vars"']);
  });

  it("is no output that has another value, or is new", () => {
    const [old, found] = [{ at: "1" }, { at: "2", added: "x" }];
    expect(sideEffects(stepsOf(ended("same", { type: ROOT, old, found })))).to.deep.equal([]);
    const unknown = { at: "1", list: [{ id: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" }] };
    expect(sideEffects(stepsOf(ended("same", { type: ROOT, old, found: unknown })))).to.deep.equal([
      'stack output "list"',
    ]);
  });
});

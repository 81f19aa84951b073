import { expect } from "chai";
import type { DriftItem, DriftKind } from "../../provider/src/drift/report-schema";
import { type Differences, type HealPlan, healPlan } from "../../provider/src/drift/plan";
import { readProgram } from "../../provider/src/drift/program";

const UNDEPLOYED = "the program has changes that were never deployed";
const nothing: Differences = { drift: [], ignored: [], replaced: new Set() };
const PROVIDER = "urn:pulumi:dev::project::pulumi:providers:previewenv::mine";

const urnOf = (name: string, type = "EnvVarSet"): string =>
  `urn:pulumi:dev::project::previewenv:index:${type}::${name}`;
const drifted = (name: string, options: Partial<DriftItem> = {}): DriftItem => {
  const { type = "EnvVarSet" } = options;
  return { urn: urnOf(name, type), resource: name, type, environmentId: "e", kind: "changed", ...options };
};

/** A step of a preview: unchanged, if nothing else is given. */
function step(name: string, { type = "EnvVarSet", op = "same", old = {}, now = {} } = {}): object {
  const state = { type: `previewenv:index:${type}`, provider: `${PROVIDER}::id`, outputs: { environmentId: "e" } };
  return { op, urn: urnOf(name, type), oldState: { ...state, ...old }, newState: { ...state, ...now } };
}

const branches = (name: string, rebuildOn: readonly string[], op = "same"): object => {
  const deps = { propertyDependencies: { rebuildOn: rebuildOn.map((other) => urnOf(other)), environmentId: null } };
  return step(name, { type: "EnvironmentBranches", op, old: deps, now: deps });
};

function planned(drift: readonly DriftItem[], ...steps: readonly object[]): HealPlan {
  return healPlan({ ...nothing, drift }, readProgram(JSON.stringify({ steps })).program);
}

const reasons = ({ drift }: HealPlan): Record<string, string | undefined> =>
  Object.fromEntries(drift.map(({ resource, reason }) => [resource, reason]));

// What the real engine tells of a program: tests/engine/heal.spec.ts.
describe("drift: what --heal restores", () => {
  it("is nothing that the program changes, replaces, drops, moves, or makes depend on something new", () => {
    const steps = [
      step("updated", { op: "update" }),
      step("replaced", { op: "create-replacement" }),
      step("replaced", { op: "replace" }),
      step("replaced"),
      step("dropped", { op: "delete" }),
      step("provided", { now: { provider: "urn:pulumi:dev::project::pulumi:providers:previewenv::other::id" } }),
      { op: "create", urn: urnOf("fresh"), newState: { type: "previewenv:index:EnvVarSet" } },
      step("waiting", { now: { dependencies: [urnOf("fresh")] } }),
      step("reading", { now: { propertyDependencies: { variables: [urnOf("fresh")] } } }),
      step("moved", { now: { parent: urnOf("fresh") } }),
      step("tied", { now: { deletedWith: urnOf("fresh") } }),
      step("ordered", { now: { dependencies: [urnOf("updated")] } }),
    ];
    const names = ["updated", "replaced", "dropped", "provided", "waiting", "reading", "moved", "tied", "renamed"];
    const decided = planned(
      [...names, "ordered"].map((name) => drifted(name)),
      ...steps,
    );
    expect(decided.targets).to.deep.equal([urnOf("ordered")]);
    expect(reasons(decided)).to.deep.equal({
      ...Object.fromEntries(names.map((name) => [name, UNDEPLOYED])),
      ordered: undefined,
    });
  });

  it("is nothing whose own provider has other settings now", () => {
    const provider = { op: "update", urn: PROVIDER, oldState: { type: "pulumi:providers:previewenv" } };
    expect(reasons(planned([drifted("vars")], provider, step("vars")))).to.deep.equal({ vars: UNDEPLOYED });
  });

  it("is nothing that an earlier update left unfinished", () => {
    // A refresh takes the errors away. What the dynamic host has marked stays so.
    for (const old of [{ initErrors: ["the build failed"] }, { outputs: { __unfinished: true } }])
      expect(reasons(planned([drifted("vars")], step("vars", { op: "update", old })))).to.deep.equal({
        vars: "its last update did not finish",
      });
  });

  it("takes along each EnvironmentBranches that rebuilds for it, unless the program changes that", () => {
    const steps = [step("vars"), step("other"), branches("on", ["vars"]), branches("off", ["other"])];
    const changed = [branches("changed", ["vars"], "update"), branches("dropped", ["vars"], "delete")];
    const decided = planned([drifted("vars")], ...steps, ...changed);
    expect(decided.targets).to.deep.equal([urnOf("vars"), urnOf("on", "EnvironmentBranches")]);
    expect(decided.builds.map(({ resource, result, reason }) => [resource, result, reason])).to.deep.equal([
      ["changed", "not started", UNDEPLOYED],
      ["dropped", "not started", UNDEPLOYED],
    ]);
  });

  it("is not what would be updated together with the delete of what a replacement left", () => {
    const steps = [
      step("vars"),
      step("base"),
      step("between", { old: { dependencies: [urnOf("base")] } }),
      step("moved", { old: { propertyDependencies: { environmentId: [urnOf("between")] } } }),
      step("child", { old: { dependencies: [urnOf("moved")] } }),
      branches("on", ["vars", "moved"]),
    ];
    const { program } = readProgram(JSON.stringify({ steps }));
    const drift = ["vars", "base", "between", "moved", "child"].map((name) => drifted(name));
    const left = new Set([urnOf("moved")]);
    const reason =
      'an earlier update replaced "moved" and did not delete what it replaced: an update would delete that now';
    const decided = healPlan({ ...nothing, drift, replaced: left }, program);
    expect(decided.targets).to.deep.equal([urnOf("vars"), urnOf("child"), urnOf("on", "EnvironmentBranches")]);
    expect(reasons(decided)).to.deep.equal({
      vars: undefined,
      base: reason,
      between: reason,
      moved: reason,
      child: undefined,
    });
    const rebuilding = new Set([urnOf("on", "EnvironmentBranches")]);
    expect(healPlan({ ...nothing, drift: [drifted("vars")], replaced: rebuilding }, program).targets).to.deep.equal([]);
  });

  it("does not rebuild for what is left", () => {
    const decided = planned([drifted("vars")], step("vars", { op: "update" }), branches("on", ["vars"]));
    expect(decided).to.deep.include({ targets: [], builds: [] });
  });

  it("is nothing of an environment that is gone, unless an unchanged EnvironmentState revives it", () => {
    const gone: { readonly kind: DriftKind } = { kind: "gone" };
    const [state, kept] = [
      drifted("state", { type: "EnvironmentState", kind: "state" }),
      drifted("kept", { environmentId: "f" }),
    ];
    const lost = planned([drifted("vars", gone), kept], step("vars"), step("kept"));
    expect(lost.targets).to.deep.equal([kept.urn]);
    expect(reasons(lost)).to.deep.equal({ vars: "its environment is gone", kept: undefined });
    const revived = planned([drifted("vars", gone), state], step("vars"), step("state", { type: "EnvironmentState" }));
    expect(revived.targets).to.deep.equal([urnOf("vars"), state.urn]);
    const asleep = step("state", { type: "EnvironmentState", op: "update" });
    expect(planned([drifted("vars", gone), state], step("vars"), asleep).targets).to.deep.equal([]);
  });

  it("is no resource of which something is ignored, nor by a rebuild, nor an environment that would have to be revived", () => {
    const steps = [step("vars"), step("other"), branches("on", ["other"]), step("state", { type: "EnvironmentState" })];
    const { program } = readProgram(JSON.stringify({ steps }));
    const reason = (name: string): string => `an update would also restore what is ignored: ${name}`;
    const switched = drifted("on", { type: "EnvironmentBranches", kind: "branch", name: "web" });
    const ignored = [drifted("vars", { name: "B" }), switched];
    const decided = healPlan(
      { ...nothing, drift: [drifted("vars", { name: "A" }), drifted("other")], ignored },
      program,
    );
    expect(decided.targets).to.deep.equal([urnOf("other")]);
    expect(reasons(decided)).to.deep.equal({ vars: reason("B"), other: undefined });
    expect(decided.builds.map(({ resource, result, reason: why }) => [resource, result, why])).to.deep.equal([
      ["on", "not started", reason("web")],
    ]);

    const asleep = drifted("state", { type: "EnvironmentState", kind: "state" });
    const lost = healPlan({ ...nothing, drift: [drifted("vars", { kind: "gone" })], ignored: [asleep] }, program);
    expect([lost.targets, reasons(lost)]).to.deep.equal([[], { vars: "its environment is gone" }]);
  });

  it("is nothing at all when the preview names nothing, or cannot be read", () => {
    for (const text of ["{}", "", "Previewing update", "[]"])
      expect(healPlan({ ...nothing, drift: [drifted("vars")] }, readProgram(text).program).targets, text).to.deep.equal(
        [],
      );
  });
});

import { expect } from "chai";
import { type Differences, type HealPlan, healPlan } from "../../provider/src/drift/plan";
import { readProgram } from "../../provider/src/drift/program";
import type { DriftItem } from "../../provider/src/drift/report-schema";

// What the real engine tells of a program: tests/engine/heal.spec.ts.
describe("drift: what --heal restores", () => {
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
  function stepOf(name: string, { type = "EnvVarSet", op = "same", old = {}, now = {} } = {}): object {
    const state = { type: `previewenv:index:${type}`, provider: `${PROVIDER}::id`, outputs: { environmentId: "e" } };
    return { op, urn: urnOf(name, type), oldState: { ...state, ...old }, newState: { ...state, ...now } };
  }

  const rebuilding = (name: string, rebuildOn: readonly string[], op = "same"): object => {
    const deps = { propertyDependencies: { rebuildOn: rebuildOn.map((other) => urnOf(other)), environmentId: null } };
    return stepOf(name, { type: "EnvironmentBranches", op, old: deps, now: deps });
  };

  const planned = (drift: readonly DriftItem[], ...steps: readonly object[]): HealPlan => plannedFor({ drift }, steps);
  const plannedFor = (differences: Partial<Differences>, steps: readonly object[]): HealPlan =>
    healPlan({ ...nothing, ...differences }, readProgram(JSON.stringify({ steps }), {}).program);

  const reasonsOf = ({ drift }: HealPlan): Record<string, string | undefined> =>
    Object.fromEntries(drift.map(({ resource, reason }) => [resource, reason]));

  it("is nothing that the program changes, replaces, drops, moves, or makes depend on something new", () => {
    const steps = [
      stepOf("updated", { op: "update" }),
      stepOf("replaced", { op: "create-replacement" }),
      stepOf("replaced", { op: "replace" }),
      stepOf("replaced"),
      stepOf("dropped", { op: "delete" }),
      stepOf("provided", { now: { provider: "urn:pulumi:dev::project::pulumi:providers:previewenv::other::id" } }),
      { op: "create", urn: urnOf("fresh"), newState: { type: "previewenv:index:EnvVarSet" } },
      stepOf("waiting", { now: { dependencies: [urnOf("fresh")] } }),
      stepOf("reading", { now: { propertyDependencies: { variables: [urnOf("fresh")] } } }),
      stepOf("moved", { now: { parent: urnOf("fresh") } }),
      stepOf("tied", { now: { deletedWith: urnOf("fresh") } }),
      stepOf("ordered", { now: { dependencies: [urnOf("updated")] } }),
    ];
    const names = ["updated", "replaced", "dropped", "provided", "waiting", "reading", "moved", "tied", "renamed"];
    const decided = planned(
      [...names, "ordered"].map((name) => drifted(name)),
      ...steps,
    );
    expect(decided.targets).to.deep.equal([urnOf("ordered")]);
    expect(reasonsOf(decided)).to.deep.equal({
      ...Object.fromEntries(names.map((name) => [name, UNDEPLOYED])),
      ordered: undefined,
    });
  });

  it("is nothing of which the program changes an option that state keeps", () => {
    const options = {
      additionalSecretOutputs: ["revision"],
      customTimeouts: { create: 90 },
      deletedWith: urnOf("other"),
      ignoreChanges: ["variables"],
      protect: true,
      replaceOnChanges: ["services"],
      replaceWith: [urnOf("other")],
      resourceHooks: { "before-update": ["hook"] },
      retainOnDelete: true,
    };
    const kept = stepOf("kept", { old: options, now: { ...options, hideDiff: ["variables"] } });
    expect(reasonsOf(planned([drifted("kept")], kept))).to.deep.equal({ kept: undefined });
    for (const [name, value] of Object.entries(options))
      for (const change of [{ old: { [name]: value } }, { now: { [name]: value } }])
        expect(reasonsOf(planned([drifted("vars")], stepOf("vars", change))), name).to.deep.equal({ vars: UNDEPLOYED });
  });

  it("is nothing whose own provider has other settings now", () => {
    const provider = { op: "update", urn: PROVIDER, oldState: { type: "pulumi:providers:previewenv" } };
    expect(reasonsOf(planned([drifted("vars")], provider, stepOf("vars")))).to.deep.equal({ vars: UNDEPLOYED });
  });

  it("is nothing that an update would write to another service than the last up, unless its own provider says which", () => {
    const written = (deployed: Record<string, unknown> | undefined, config: object | undefined): string | undefined => {
      const state = { resources: [{ urn: PROVIDER, inputs: deployed }] };
      const { program } = readProgram(JSON.stringify({ config, steps: [stepOf("vars")] }), state);
      return healPlan({ ...nothing, drift: [drifted("vars")] }, program).drift[0]?.reason;
    };
    const today = { "previewenv:baseUrl": "https://b" };
    const secret = { ciphertext: "v1:x" };
    for (const [deployed, config] of [
      [{ baseUrl: "https://a" }, today],
      [{ "previewenv:baseUrl": "https://a" }, today],
      [{ baseUrl: "https://a" }, {}],
      [undefined, today],
      [{ baseUrl: secret }, { "previewenv:baseUrl": "[secret]" }],
    ])
      expect(written(deployed, config)).to.equal("`previewenv:baseUrl` is not that of the last `up`, or is a secret");
    for (const [deployed, config] of [
      [
        { baseUrl: "https://b", apiToken: "old" },
        { ...today, "previewenv:apiToken": "[secret]" },
      ],
      [{ "previewenv:baseUrl": "https://b" }, today],
      [{ "previewenv:apiToken": secret }, {}],
      [undefined, undefined],
    ])
      expect(written(deployed, config)).to.equal(undefined);

    const own = { op: "same", urn: PROVIDER, oldState: { type: "pulumi:providers:previewenv" } };
    const preview = JSON.stringify({ config: today, steps: [own, stepOf("vars")] });
    const { program } = readProgram(preview, { resources: [{ urn: PROVIDER, inputs: {} }] });
    expect(program.reasonToLeave(urnOf("vars"))).to.equal(undefined);
  });

  it("is nothing that an earlier update left unfinished", () => {
    // A refresh takes the errors away. What the dynamic host has marked stays so.
    for (const old of [{ initErrors: ["the build failed"] }, { outputs: { __unfinished: true } }])
      expect(reasonsOf(planned([drifted("vars")], stepOf("vars", { op: "update", old })))).to.deep.equal({
        vars: "its last update did not finish",
      });
  });

  it("is nothing of an environment that the program's list lacks", () => {
    const listed = stepOf("vars", { op: "delete", old: { outputs: { __listed: true } } });
    expect(reasonsOf(planned([drifted("vars")], listed))).to.deep.equal({
      vars: "the program does not declare it now, or its list of environments lacks this one",
    });
  });

  it("takes along each EnvironmentBranches that rebuilds for it, unless the program changes that", () => {
    const steps = [stepOf("vars"), stepOf("other"), rebuilding("on", ["vars"]), rebuilding("off", ["other"])];
    const dropped = [rebuilding("changed", ["vars"], "update"), rebuilding("dropped", ["vars"], "delete")];
    const decided = planned([drifted("vars")], ...steps, ...dropped);
    expect(decided.targets).to.deep.equal([urnOf("vars"), urnOf("on", "EnvironmentBranches")]);
    expect(decided.builds.map(({ resource, result, reason }) => [resource, result, reason])).to.deep.equal([
      ["changed", "not started", UNDEPLOYED],
      ["dropped", "not started", UNDEPLOYED],
    ]);
  });

  it("is not what would be updated together with the delete of what a replacement left", () => {
    const steps = [
      stepOf("vars"),
      stepOf("base"),
      stepOf("between", { old: { dependencies: [urnOf("base")] } }),
      stepOf("moved", { old: { propertyDependencies: { environmentId: [urnOf("between")] } } }),
      stepOf("child", { old: { dependencies: [urnOf("moved")] } }),
      rebuilding("on", ["vars", "moved"]),
    ];
    const drift = ["vars", "base", "between", "moved", "child"].map((name) => drifted(name));
    const reason =
      'an earlier update replaced "moved" and did not delete what it replaced: an update would delete that now';
    const decided = plannedFor({ drift, replaced: new Set([urnOf("moved")]) }, steps);
    expect(decided.targets).to.deep.equal([urnOf("vars"), urnOf("child"), urnOf("on", "EnvironmentBranches")]);
    expect(reasonsOf(decided)).to.deep.equal({
      vars: undefined,
      base: reason,
      between: reason,
      moved: reason,
      child: undefined,
    });
    const replaced = new Set([urnOf("on", "EnvironmentBranches")]);
    expect(plannedFor({ drift: [drifted("vars")], replaced }, steps).targets).to.deep.equal([]);
  });

  it("is nothing of an environment that is gone, unless an unchanged EnvironmentState revives it", () => {
    const vars = drifted("vars", { kind: "gone" });
    const state = drifted("state", { type: "EnvironmentState", kind: "state" });
    const kept = drifted("kept", { environmentId: "f" });
    const lost = planned([vars, kept], stepOf("vars"), stepOf("kept"));
    expect(lost.targets).to.deep.equal([kept.urn]);
    expect(reasonsOf(lost)).to.deep.equal({ vars: "its environment is gone", kept: undefined });
    const revived = planned([vars, state], stepOf("vars"), stepOf("state", { type: "EnvironmentState" }));
    expect(revived.targets).to.deep.equal([urnOf("vars"), state.urn]);
    const asleep = stepOf("state", { type: "EnvironmentState", op: "update" });
    expect(planned([vars, state], stepOf("vars"), asleep).targets).to.deep.equal([]);
  });

  it("is no resource of which something is ignored, nor by a rebuild, nor an environment that would have to be revived", () => {
    const steps = [
      stepOf("vars"),
      stepOf("other"),
      rebuilding("on", ["other"]),
      stepOf("state", { type: "EnvironmentState" }),
    ];
    const reason = (name: string): string => `an update would also restore what is ignored: ${name}`;
    const switched = drifted("on", { type: "EnvironmentBranches", kind: "branch", name: "web" });
    const ignored = [drifted("vars", { name: "B" }), switched];
    const decided = plannedFor({ drift: [drifted("vars", { name: "A" }), drifted("other")], ignored }, steps);
    expect(decided.targets).to.deep.equal([urnOf("other")]);
    expect(reasonsOf(decided)).to.deep.equal({ vars: reason("B"), other: undefined });
    expect(decided.builds.map(({ resource, result, reason: why }) => [resource, result, why])).to.deep.equal([
      ["on", "not started", reason("web")],
    ]);

    const asleep = drifted("state", { type: "EnvironmentState", kind: "state" });
    const lost = plannedFor({ drift: [drifted("vars", { kind: "gone" })], ignored: [asleep] }, steps);
    expect([lost.targets, reasonsOf(lost)]).to.deep.equal([[], { vars: "its environment is gone" }]);
  });

  it("is nothing at all when the preview names nothing, or cannot be read", () => {
    for (const preview of ["{}", "", "Previewing update", "[]"])
      expect(
        healPlan({ ...nothing, drift: [drifted("vars")] }, readProgram(preview, {}).program).targets,
        preview,
      ).to.deep.equal([]);
  });
});

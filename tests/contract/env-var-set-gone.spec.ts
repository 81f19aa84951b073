import { expect } from "chai";
import type { FaultOptions } from "../../provider/src/sandbox";
import { failing } from "../support/stack";
import { contract, type Scenario, set } from "../support/stage";

const DECLARED = { variables: { A: "1" }, secrets: { B: "secret-b-1234" } };

const gone: readonly Scenario[] = [
  {
    title: "an environment that is gone: refresh removes the set, the next up says so",
    async run({ engine, environmentId, world }) {
      await engine.up(set(environmentId, DECLARED));
      world.remove(environmentId);
      expect(await engine.refresh()).to.deep.include({ operations: { vars: "gone" } });
      expect(engine.state.size).to.equal(0);
      const run = await failing(engine.up(set(environmentId, DECLARED)));
      expect(run.errors.join("\n")).to.contain(environmentId).and.to.contain("does not exist (any more)");
      expect(engine.state.size).to.equal(0);
    },
  },
  ...(["404", "200"] as const).map((deletedEnvironmentVariables): Scenario => ({
    title: `a deleted environment whose variables answer ${deletedEnvironmentVariables}: refresh and destroy are clean`,
    choices: { deletedEnvironmentVariables },
    async run({ engine, environmentId, world }) {
      await engine.up(set(environmentId, DECLARED));
      world.setFlags(environmentId, { deleted: true });
      await engine.refresh();
      expect(engine.state.size).to.equal(deletedEnvironmentVariables === "404" ? 0 : 1);
      await engine.destroy();
      expect(engine.state.size).to.equal(0);
    },
  })),
  {
    title: "a deleted environment that is revived gets all variables with the next up",
    async run({ engine, environmentId, world, values }) {
      await engine.up(set(environmentId, DECLARED));
      world.setFlags(environmentId, { deleted: true });
      await engine.refresh();
      world.setFlags(environmentId, { deleted: false });
      await engine.up(set(environmentId, DECLARED));
      expect(values()).to.deep.equal({ A: "1", B: "secret-b-1234" });
    },
  },
  ...(["create", "update"] as const).map((step): Scenario => ({
    title: `the ${step} of a set in a deleted environment says what the preview says: it is deleted, and how it gets back`,
    async run({ engine, environmentId, world }) {
      if (step === "update") await engine.up(set(environmentId, { variables: { A: "0" } }));
      world.setFlags(environmentId, { deleted: true });
      const { errors } = await failing(engine.up(set(environmentId, DECLARED)));
      expect(errors.join("\n"))
        .to.contain(`environment shop (${environmentId}) is deleted.`)
        .and.to.match(/Revive it first: with an EnvironmentState whose state is "running"/u)
        .and.not.to.match(/does not exist|same organization/u);
      world.setFlags(environmentId, { deleted: false });
      await engine.up(set(environmentId, DECLARED));
    },
  })),
  {
    title: "/env-vars answers 404 while the environment is not deleted: an error, state stays",
    async run({ engine, environmentId, sandbox }) {
      await engine.up(set(environmentId, DECLARED));
      sandbox.faults.add({ label: "GET /env-vars", status: 404 });
      const run = await failing(engine.refresh());
      expect(run.errors.join("\n")).to.contain("404").and.to.contain(environmentId);
      expect(engine.kept("vars").outputs).to.deep.include(DECLARED);
    },
  },
  ...["remove", "delete"].map((way): Scenario => ({
    title: `destroy of an environment that is gone (${way}) is success`,
    async run({ engine, environmentId, world }) {
      await engine.up(set(environmentId, DECLARED));
      if (way === "remove") world.remove(environmentId);
      else world.setFlags(environmentId, { deleted: true });
      await engine.destroy();
      expect(engine.state.size).to.equal(0);
    },
  })),
];

const troubles: readonly (readonly [string, FaultOptions])[] = [
  ["401", { status: 401 }],
  ["403", { status: 403 }],
  ["500", { status: 500 }],
  ["an answer that is no JSON", { malformed: true }],
  ["an answer of another shape", { status: 200, body: { data: [{ nothing: "here" }] } }],
  ["an empty answer", { status: 200, body: "" }],
];

const trouble: readonly Scenario[] = troubles.map(([what, fault]) => ({
  title: `${what} never removes anything from state, nor prints the token`,
  async run({ engine, environmentId, sandbox }) {
    const program = set(environmentId, DECLARED);
    await engine.up(program);
    const before = engine.kept("vars");
    const texts: string[] = [];
    for (const label of ["GET /env-vars", "GET /environment"]) sandbox.faults.add({ ...fault, label, times: Infinity });
    const refreshed = await failing(engine.refresh());
    expect(refreshed.errors).to.have.length(1);
    expect(engine.kept("vars")).to.deep.equal(before);
    texts.push(...refreshed.errors);
    sandbox.faults.add({ ...fault, label: "PUT /env-vars" });
    const updated = await failing(
      engine.up(set(environmentId, { variables: { A: "2" }, secrets: { B: "secret-b-new-5678" } })),
    );
    expect(engine.kept("vars").outputs["secrets"]).not.to.deep.equal({});
    texts.push(...updated.errors);
    sandbox.faults.add({ ...fault, label: "DELETE /env-vars", times: Infinity });
    if (fault.malformed !== true && fault.status !== 200) {
      const destroyed = await failing(engine.destroy());
      expect(destroyed.errors).to.have.length(1);
      expect(engine.state.size).to.equal(1);
      texts.push(...destroyed.errors);
    }
    expect(texts.join("\n")).not.to.match(/secret-b|sandbox-token/u);
  },
}));

const token: Scenario = {
  title: "a rejected token: only refresh and destroy say whose settings they use",
  async run({ engine, environmentId, sandbox }) {
    const program = set(environmentId, DECLARED);
    await engine.up(program);
    sandbox.faults.add({ status: 401, times: Infinity });
    const lastUp = "refresh and destroy use the stack config of the last `pulumi up`";
    const texts = [await failing(engine.refresh()), await failing(engine.destroy())].map(({ errors }) =>
      errors.join("\n"),
    );
    for (const text of texts)
      expect(text).to.contain("previewenv:apiToken or PREVIEWENV_API_TOKEN").and.contain(lastUp);
    // With `refresh: always` a plain `pulumi up` refreshes first, and would meet the same error for ever.
    for (const text of texts) expect(text).to.contain("run `pulumi up --refresh=false` first");
    const updated = await failing(engine.up(set(environmentId, { variables: { A: "2" } })));
    expect(updated.errors.join("\n")).to.contain("PREVIEWENV_API_TOKEN").and.not.contain(lastUp);
  },
};

contract("EnvVarSet, gone and trouble", [...gone, ...trouble, token]);

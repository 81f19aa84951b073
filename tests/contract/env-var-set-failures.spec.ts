import { expect } from "chai";
import type { FaultOptions } from "../../provider/src/sandbox";
import type { Program, Run } from "../support/engine-steps";
import { errorsOf, failing, quiet } from "../support/stack";
import { contract, type Scenario, set, type Stage } from "../support/stage";

const FOREIGN = { name: "FOREIGN", value: "kept", hidden: false };

const BEFORE = { variables: { A: "1", B: "2" }, secrets: { C: "secret-c-one", D: "secret-d-one" } };
const AFTER = { variables: { A: "1b", B: "2b", N: "new" }, secrets: { C: "secret-c-two", D: "secret-d-two" } };

/** Which names an answer is about is a rule: tests/env-vars/upsert-answer.spec.ts. 207 for two names: state has the others as they are declared, and these two as they were, if they were there. */
const partial: readonly Scenario[] = (["create", "update"] as const).flatMap((step) =>
  [false, true].flatMap((refuseNull) =>
    [false, true].map((refresh): Scenario => ({
      title: `${step}, 207${refuseNull ? " without names" : ""}${refresh ? ", refresh between" : ""}: only what is missing is sent next`,
      choices: { upsertAnswer: refresh ? "all" : "shuffled" },
      environment: { variables: [FOREIGN] },
      async run({ engine, environmentId, sandbox, puts, clock, values }) {
        if (step === "update") await engine.up(set(environmentId, BEFORE));
        clock.advance(5_000);
        const program = set(environmentId, AFTER);
        sandbox.faults.add({ refuse: { B: "no room", D: "no room" }, refuseNull });
        expect(await errorsOf(engine.up(program)))
          .to.match(/^2 of 5 variables/u)
          .and.to.contain("B, D: no room");
        const old = step === "create" ? [{}, {}] : [{ B: "2" }, { D: "secret-d-one" }];
        expect(engine.kept("vars").outputs).to.deep.include({
          variables: { A: "1b", N: "new", ...old[0] },
          secrets: { C: "secret-c-two", ...old[1] },
        });
        puts();
        if (refresh) await engine.refresh();
        expect((await engine.preview(program)).operations).to.deep.equal({ vars: "update" });
        await engine.up(program);
        expect(puts()).to.deep.equal([["B", "D"]]);
        expect(values()).to.deep.include({ ...AFTER.variables, ...AFTER.secrets });
        await quiet(engine.up(program, { refresh: true }));
      },
    })),
  ),
);

const others: readonly Scenario[] = [
  {
    title:
      "an update that fails after a refresh has found drift is not finished, though nothing was written; the next up writes it",
    onHosts: true,
    async run({ engine, environmentId, sandbox, world, values }) {
      const program = set(environmentId, { variables: { A: "1" } });
      await engine.up(program);
      world.setVariable(environmentId, { name: "A", value: "by hand", hidden: false });
      sandbox.faults.add({ label: "PUT /env-vars", status: 403 });
      await failing(engine.up(program, { refresh: true }));
      expect(engine.kept("vars").initErrors).to.have.lengthOf(1);
      expect(engine.kept("vars").outputs["variables"]).to.deep.equal({ A: "by hand" });
      await engine.up(program);
      expect(values()).to.deep.equal({ A: "1" });
      await quiet(engine.up(program, { refresh: true }));
    },
  },
  {
    title: "an update that fails where nothing has drifted leaves state as it was deployed, also after a refresh",
    onHosts: true,
    async run({ engine, environmentId, sandbox }) {
      await engine.up(set(environmentId, { variables: { A: "1" } }));
      for (const refresh of [false, true]) {
        sandbox.faults.add({ label: "PUT /env-vars", status: 403 });
        await failing(engine.up(set(environmentId, { variables: { A: "2" } }), { refresh }));
        expect(engine.kept("vars")).to.deep.include({ initErrors: [] });
      }
    },
  },
  {
    title: "batches go out one after the other, and one batch's 207 does not stop the next",
    settings: { batchSize: "2" },
    async run({ engine, environmentId, sandbox, puts, values }) {
      const variables = { A: "1", B: "2", C: "3", D: "4", E: "5" };
      sandbox.faults.add({ refuse: { B: "no room" } });
      expect(await errorsOf(engine.up(set(environmentId, { variables })))).to.contain("B: no room");
      expect(puts()).to.deep.equal([["A", "B"], ["C", "D"], ["E"]]);
      expect(sandbox.journal.maxInFlight).to.equal(1);
      expect(values()).to.deep.equal({ A: "1", C: "3", D: "4", E: "5" });
      await engine.up(set(environmentId, { variables }));
      expect(puts()).to.deep.equal([["B"]]);
    },
  },
  {
    title: "413 halves the batch until it fits, and for the rest of the process",
    choices: { maxBatch: 3 },
    settings: { batchSize: "10" },
    fresh: true,
    async run({ engine, environmentId, puts, values }) {
      const variables = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`N${index}`, "v"]));
      await engine.up(set(environmentId, { variables }));
      expect(puts().map((names) => names.length)).to.deep.equal([10, 5, 3, 3, 3, 1]);
      expect(Object.keys(values())).to.have.length(10);
    },
  },
  {
    title: "400 for a batch is an error that names batchSize, and nothing is in state",
    async run({ engine, environmentId, sandbox }) {
      sandbox.faults.add({ label: "PUT /env-vars", status: 400 });
      expect(await errorsOf(engine.up(set(environmentId, { variables: { A: "1", B: "2" } }))))
        .to.contain("400")
        .and.to.contain("batchSize");
      expect(engine.state.size).to.equal(0);
    },
  },
];

contract("EnvVarSet, failures", [...partial, ...others]);

const ATTEMPTS = 5;
/** So that they are all that a request gets. */
const settings = { maxRetries: String(ATTEMPTS - 1) };

const NOT_KNOWN = "previewenv:unknown:v1::its write got no answer";

/** Answers and requests that get lost: what the service may have stored is in state by its name. */
const scenarios: readonly Scenario[] = [
  ...(["dropAfter", "dropBefore"] as const).map((fault): Scenario => ({
    title: `${fault}, at every attempt: nothing is looked up, the names are not known, and the next up sends them again`,
    needsTime: true,
    settings,
    async run({ engine, environmentId, sandbox, requests, puts, values }) {
      await engine.up(set(environmentId, { variables: { A: "1", KEPT: "1" }, secrets: { B: "secret-b-one" } }));
      const program = set(environmentId, { variables: { A: "2", KEPT: "1" }, secrets: { B: "secret-b-two" } });
      requests();
      sandbox.faults.add({ label: "PUT /env-vars", [fault]: true, times: ATTEMPTS });
      expect(await errorsOf(engine.up(program))).to.match(/2 of 2 variables .*may have stored \(A, B\)/su);
      expect(new Set(requests())).to.deep.equal(new Set(["PUT /env-vars"]));
      expect(engine.kept("vars").outputs).to.deep.include({
        variables: { A: NOT_KNOWN, KEPT: "1" },
        secrets: { B: NOT_KNOWN },
      });
      puts();
      await engine.up(program);
      expect(puts()).to.deep.equal([["A", "B"]]);
      expect(values()).to.deep.equal({ A: "2", B: "secret-b-two", KEPT: "1" });
      await quiet(engine.up(program, { refresh: true }));
    },
  })),
  ...[[400], [401], [413, 400]].map((refusals): Scenario => ({
    title: `a lost answer whose repetition gets ${refusals.join(" and ")}: the names are not known, and destroy deletes what was stored`,
    needsTime: true,
    async run({ engine, environmentId, sandbox, values }) {
      sandbox.faults.add({ label: "PUT /env-vars", dropAfter: true });
      for (const status of refusals) sandbox.faults.add({ label: "PUT /env-vars", status });
      const program = set(environmentId, { variables: { A: "1" }, secrets: { B: "secret-b" } });
      expect(await errorsOf(engine.up(program))).to.contain(`${refusals[0]}`);
      sandbox.faults.clear();
      expect(values()).to.have.all.keys("A", "B");
      expect(engine.kept("vars").outputs).to.deep.include({ variables: { A: NOT_KNOWN }, secrets: { B: NOT_KNOWN } });
      await engine.destroy();
      expect(values()).to.deep.equal({});
    },
  })),
];

contract("EnvVarSet, lost answers", scenarios);

const OLD_SECRET = "old-secret-of-an-earlier-run";

const title = `cannot replace ${OLD_SECRET}`;
const refusal = { status: 400, body: { errors: [{ status: 400, title }] } };
const replaced = (environmentId: string): Program => set(environmentId, { secrets: { C: "new-secret-1234", D: "2" } });

/** An earlier run, in another process, has sent the value. */
const repeated: readonly Scenario[] = (
  [
    ["update", { refuse: { C: title } }, ({ engine, environmentId }) => failing(engine.up(replaced(environmentId)))],
    ["preview", { method: "GET", ...refusal }, ({ engine, environmentId }) => engine.preview(replaced(environmentId))],
    ["refresh", { method: "GET", ...refusal }, ({ engine }) => failing(engine.refresh())],
    ["destroy", { method: "DELETE", ...refusal }, ({ engine }) => failing(engine.destroy())],
  ] satisfies readonly (readonly [step: string, FaultOptions, run: (stage: Stage) => Promise<Run>])[]
).map(([step, fault, run]) => ({
  title: `${step}: no text repeats the value that an earlier run has written, whatever the service says`,
  onHosts: true,
  async run(stage) {
    await stage.engine.up(set(stage.environmentId, { secrets: { C: OLD_SECRET } }));
    stage.sandbox.faults.add(fault);
    const texts = [...(await run(stage)).errors, ...stage.log.lines.map(({ text }) => text)].join("\n");
    expect(texts).to.contain("cannot replace").and.not.contain(OLD_SECRET);
  },
}));

contract("EnvVarSet, texts of the service", repeated);

const halfDeleted: Scenario = {
  title: "a destroy that deletes some says how to keep the stack, and an up --refresh writes them again",
  onHosts: true,
  async run({ engine, environmentId, sandbox, values }) {
    const program = set(environmentId, BEFORE);
    await engine.up(program);
    sandbox.faults.add({ method: "DELETE", path: "/env-vars/A", status: 403 });
    expect(await errorsOf(engine.destroy())).to.match(
      /^vars: 1 of 4 .+ To keep the resource instead, run `pulumi up --refresh`/u,
    );
    expect(values()).to.deep.equal({ A: "1" });
    await engine.up(program, { refresh: true });
    expect(values()).to.deep.equal({ ...BEFORE.variables, ...BEFORE.secrets });
  },
};

contract("EnvVarSet, half deleted", [halfDeleted]);

import { expect } from "chai";
import { failing } from "../support/stack";
import { contract, type Scenario, set } from "../support/stage";

const ANSWERS = ["sent", "all", "shuffled"] as const;
const FOREIGN = { name: "FOREIGN", value: "kept", hidden: false };

/** 207 for two of four names, at create: state holds the other two, the next up sends exactly these. */
const partialCreates: readonly Scenario[] = ANSWERS.flatMap((upsertAnswer) =>
  [false, true].flatMap((refuseNull) =>
    [false, true].map((refresh): Scenario => ({
      title: `create, 207${refuseNull ? " without names" : ""}, answer "${upsertAnswer}"${refresh ? ", refresh between" : ""}: only what is missing is sent next`,
      choices: { upsertAnswer },
      environment: { variables: [FOREIGN] },
      async run({ engine, environmentId, sandbox, puts }) {
        const variables = { A: "1", B: "2" };
        const secrets = { C: "secret-c-1234", D: "secret-d-1234" };
        const program = set(environmentId, { variables, secrets });
        sandbox.faults.add({ refuse: { B: "no room", D: "no room" }, refuseNull });
        const run = await failing(engine.up(program));
        expect(run.errors.join("\n"))
          .to.match(/^2 of 4 variables/u)
          .and.to.contain("B, D: no room");
        const { outputs, id } = engine.kept("vars");
        expect(id).to.equal(environmentId);
        expect(outputs).to.deep.include({ variables: { A: "1" }, secrets: { C: "secret-c-1234" } });
        puts();
        if (refresh) await engine.refresh();
        expect((await engine.preview(program)).operations).to.deep.equal({ vars: "update" });
        await engine.up(program);
        expect(puts()).to.deep.equal([["B", "D"]]);
        expect(engine.kept("vars").outputs).to.deep.include({ variables, secrets });
        expect((await engine.up(program)).operations).to.deep.equal({ vars: "same" });
      },
    })),
  ),
);

/** 207 at update: failed names keep their old value in state. */
const partialUpdates: readonly Scenario[] = ANSWERS.flatMap((upsertAnswer) =>
  [false, true].flatMap((refuseNull) =>
    [false, true].map((refresh): Scenario => ({
      title: `update, 207${refuseNull ? " without names" : ""}, answer "${upsertAnswer}"${refresh ? ", refresh between" : ""}: failed names keep their old value`,
      choices: { upsertAnswer },
      environment: { variables: [FOREIGN] },
      async run({ engine, environmentId, sandbox, puts, clock, values }) {
        await engine.up(
          set(environmentId, { variables: { A: "1", B: "2" }, secrets: { C: "secret-c-one", D: "secret-d-one" } }),
        );
        clock.advance(5_000);
        const after = { variables: { A: "1b", B: "2b", N: "new" }, secrets: { C: "secret-c-two", D: "secret-d-two" } };
        const program = set(environmentId, after);
        sandbox.faults.add({ refuse: { B: "no room", D: "no room" }, refuseNull });
        const run = await failing(engine.up(program));
        expect(run.errors.join("\n")).to.contain("B, D: no room");
        expect(engine.kept("vars").outputs).to.deep.include({
          variables: { A: "1b", B: "2", N: "new" },
          secrets: { C: "secret-c-two", D: "secret-d-one" },
        });
        puts();
        if (refresh) await engine.refresh();
        await engine.up(program);
        expect(puts()).to.deep.equal([["B", "D"]]);
        expect(values()).to.deep.include({ A: "1b", B: "2b", N: "new", C: "secret-c-two", D: "secret-d-two" });
        expect((await engine.up(program, { refresh: true })).operations).to.deep.equal({ vars: "same" });
      },
    })),
  ),
);

const others: readonly Scenario[] = [
  {
    title: "every failed name is listed with the service's reason, values left out",
    async run({ engine, environmentId, sandbox }) {
      const secret = "s3cr3t-value-of-B";
      sandbox.faults.add({ refuse: { A: "name is reserved", B: `value ${secret} is too long` } });
      const run = await failing(
        engine.up(set(environmentId, { variables: { A: "1", C: "3" }, secrets: { B: secret } })),
      );
      const text = run.errors.join("\n");
      expect(text).to.contain("A: name is reserved");
      expect(text).to.match(/B: value .* is too long/u);
      expect(text).not.to.contain(secret);
    },
  },
  {
    title: "an error without a name that nothing explains is not taken for success",
    choices: { upsertAnswer: "all" },
    environment: { variables: [{ name: "B", value: "secret-before-34", hidden: true }] },
    async run({ engine, environmentId, sandbox, values }) {
      sandbox.faults.add({ refuse: { B: "no room" }, refuseNull: true });
      const program = set(environmentId, {
        onConflict: "overwrite",
        variables: { A: "1" },
        secrets: { B: "secret-after-1234" },
      });
      const run = await failing(engine.up(program));
      expect(run.errors.join("\n")).to.contain("B: no room");
      await engine.up(program);
      expect(values()).to.deep.equal({ A: "1", B: "secret-after-1234" });
    },
  },
  {
    title: "an empty value that the service refuses is named in the error",
    choices: { emptyValue: "refused" },
    async run({ engine, environmentId }) {
      const run = await failing(engine.up(set(environmentId, { variables: { A: "1", EMPTY: "" } })));
      expect(run.errors.join("\n")).to.contain("EMPTY: name and value are required");
      expect(engine.kept("vars").outputs["variables"]).to.deep.equal({ A: "1" });
    },
  },
  {
    title: "batches go out one after the other, and one batch's 207 does not stop the next",
    settings: { batchSize: "2" },
    async run({ engine, environmentId, sandbox, puts, values }) {
      const variables = { A: "1", B: "2", C: "3", D: "4", E: "5" };
      sandbox.faults.add({ refuse: { B: "no room" } });
      const run = await failing(engine.up(set(environmentId, { variables })));
      expect(run.errors.join("\n")).to.contain("B: no room");
      expect(puts()).to.deep.equal([["A", "B"], ["C", "D"], ["E"]]);
      expect(sandbox.journal.maxInFlight).to.equal(1);
      expect(values()).to.deep.equal({ A: "1", C: "3", D: "4", E: "5" });
      await engine.up(set(environmentId, { variables }));
      expect(puts()).to.deep.equal([["B"]]);
    },
  },
  {
    title: "an answer other than 200 or 207 stops the writing; state holds exactly what was stored",
    settings: { batchSize: "2" },
    async run({ engine, environmentId, sandbox, puts }) {
      const variables = { A: "1", B: "2", C: "3", D: "4", E: "5" };
      sandbox.faults.add({ label: "PUT /env-vars", after: 1, status: 403 });
      const run = await failing(engine.up(set(environmentId, { variables })));
      const text = run.errors.join("\n");
      expect(text)
        .to.match(/C, D: .*403/u)
        .and.to.contain("E: not sent");
      expect(puts()).to.deep.equal([
        ["A", "B"],
        ["C", "D"],
      ]);
      expect(engine.kept("vars").outputs["variables"]).to.deep.equal({ A: "1", B: "2" });
      await engine.up(set(environmentId, { variables }));
      expect(puts()).to.deep.equal([["C", "D"], ["E"]]);
    },
  },
  {
    title: "a write that fails stops deletes, too: what was to go stays in state",
    settings: { batchSize: "2" },
    async run({ engine, environmentId, sandbox, requests, values }) {
      await engine.up(set(environmentId, { variables: { A: "1", B: "2", OLD: "x" } }));
      requests();
      sandbox.faults.add({ label: "PUT /env-vars", status: 403 });
      const program = set(environmentId, { variables: { A: "1b", B: "2" } });
      expect((await failing(engine.up(program))).errors.join("\n")).to.contain("403");
      expect(requests()).to.deep.equal(["PUT /env-vars"]);
      await engine.up(program);
      expect(values()).to.deep.equal({ A: "1b", B: "2" });
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
    title: "413 for a single variable is an error that names it",
    choices: { maxBatch: 0 },
    fresh: true,
    async run({ engine, environmentId }) {
      const run = await failing(engine.up(set(environmentId, { variables: { A: "1" } })));
      expect(run.errors.join("\n")).to.match(/^A: .* 413.* too large: make its values shorter/mu);
      expect(engine.state.size).to.equal(0);
    },
  },
  {
    title: "400 for a batch is an error that names batchSize, and nothing is in state",
    async run({ engine, environmentId, sandbox }) {
      sandbox.faults.add({ label: "PUT /env-vars", status: 400 });
      const run = await failing(engine.up(set(environmentId, { variables: { A: "1", B: "2" } })));
      expect(run.errors.join("\n")).to.contain("400").and.to.contain("batchSize");
      expect(engine.state.size).to.equal(0);
    },
  },
  {
    title: "a delete that fails keeps the name in state, and the next up deletes it",
    async run({ engine, environmentId, sandbox, values, requests }) {
      await engine.up(set(environmentId, { variables: { A: "1", B: "2", C: "3" } }));
      sandbox.faults.add({ path: "/env-vars/B", status: 403 });
      const program = set(environmentId, { variables: { A: "1" } });
      const run = await failing(engine.up(program));
      expect(run.errors.join("\n")).to.match(/B: .*403/u);
      expect(values()).to.deep.equal({ A: "1", B: "2" });
      requests();
      await engine.up(program);
      expect(requests()).to.deep.equal(["GET /env-vars", "DELETE /env-vars"]);
      expect(values()).to.deep.equal({ A: "1" });
    },
  },
  {
    title: "a destroy that fails in part can be repeated",
    async run({ engine, environmentId, sandbox, values }) {
      await engine.up(set(environmentId, { variables: { A: "1", B: "2", C: "3" } }));
      sandbox.faults.add({ path: "/env-vars/B", status: 403 });
      const run = await failing(engine.destroy());
      expect(run.errors.join("\n"))
        .to.match(/1 of 3 variables/u)
        .and.to.match(/B: /u);
      expect(engine.state.size).to.equal(1);
      await engine.destroy();
      expect(engine.state.size).to.equal(0);
      expect(values()).to.deep.equal({});
    },
  },
];

contract("EnvVarSet, failures", [...partialCreates, ...partialUpdates, ...others]);

import { expect } from "chai";
import { isMap } from "../../provider/src/framework/properties";
import { contract, type Scenario, set } from "../support/stage";

const ATTEMPTS = 5;
/** So that they are all that a request gets. */
const settings = { maxRetries: String(ATTEMPTS - 1) };

/** Answers and requests that get lost: what the service holds decides what is written again. */
const scenarios: readonly Scenario[] = [
  {
    title: "lost answers (the service acted): one GET decides, and only hidden values are sent once more",
    needsTime: true,
    settings,
    async run({ engine, environmentId, sandbox, requests, puts, values }) {
      await engine.up(set(environmentId, { variables: { A: "1" }, secrets: { B: "secret-b-one" } }));
      const program = set(environmentId, { variables: { A: "2" }, secrets: { B: "secret-b-two" } });
      requests();
      puts();
      sandbox.faults.add({ label: "PUT /env-vars", dropAfter: true, times: ATTEMPTS });
      expect((await engine.up(program)).errors).to.deep.equal([]);
      expect(requests().filter((label) => label === "GET /env-vars")).to.have.length(1);
      expect(puts().slice(ATTEMPTS)).to.deep.equal([["B"]]);
      expect(values()).to.deep.equal({ A: "2", B: "secret-b-two" });
      expect((await engine.up(program, { refresh: true })).operations).to.deep.equal({ vars: "same" });
    },
  },
  {
    title: "lost answers that do not end: a hidden value that fits is not taken for the sent one",
    needsTime: true,
    async run({ engine, environmentId, sandbox, world, clock, puts, values }) {
      await engine.up(set(environmentId, { variables: { A: "1" }, secrets: { B: "secret-b-one" } }));
      clock.advance(5_000);
      // Somebody edits it by hand, and its mask is that of what is declared next.
      world.setVariable(environmentId, { name: "B", value: "secret-x-two", hidden: true });
      const program = set(environmentId, { variables: { A: "1" }, secrets: { B: "secret-b-two" } });
      const fault = sandbox.faults.add({ label: "PUT /env-vars", dropBefore: true, times: Infinity });
      expect((await engine.up(program)).errors.join("\n")).to.match(/1 of 1 variable .*B: /su);
      fault.remove();
      const { secrets } = engine.kept("vars").outputs;
      expect(isMap(secrets) && secrets["B"]).to.match(/^previewenv:unknown:v1:.*:its write got no answer$/u);
      puts();
      expect((await engine.up(program)).errors).to.deep.equal([]);
      expect(puts()).to.deep.equal([["B"]]);
      expect(values()).to.include({ B: "secret-b-two" });
    },
  },
  {
    title: "lost requests (the service did not act): one GET decides that nothing was written",
    needsTime: true,
    async run({ engine, environmentId, sandbox, requests, puts }) {
      await engine.up(set(environmentId, { variables: { A: "1" }, secrets: { B: "secret-b-one" } }));
      const program = set(environmentId, { variables: { A: "2" }, secrets: { B: "secret-b-two" } });
      requests();
      const fault = sandbox.faults.add({ label: "PUT /env-vars", dropBefore: true, times: Infinity });
      const run = await engine.up(program);
      fault.remove();
      expect(run.errors).not.to.deep.equal([]);
      expect(requests().filter((label) => label === "GET /env-vars")).to.have.length(1);
      expect(engine.kept("vars").outputs).to.deep.include({ variables: { A: "1" }, secrets: { B: "secret-b-one" } });
      puts();
      expect((await engine.up(program)).errors).to.deep.equal([]);
      expect(puts()).to.deep.equal([["A", "B"]]);
    },
  },
  {
    title:
      "lost answers and a failing GET: the names of that batch stay in state, without values, and are written again",
    needsTime: true,
    settings: { batchSize: "2" },
    async run({ engine, environmentId, sandbox, puts }) {
      const program = set(environmentId, {
        onConflict: "overwrite",
        variables: { A: "1", B: "2", C: "3", D: "4", E: "5" },
      });
      const lost = sandbox.faults.add({ label: "PUT /env-vars", after: 1, dropAfter: true, times: Infinity });
      const down = sandbox.faults.add({ label: "GET /env-vars", status: 500, times: Infinity });
      const run = await engine.up(program);
      lost.remove();
      down.remove();
      expect(run.errors.join("\n")).to.match(/C, D: /u);
      const lostValue = "previewenv:unknown:v1::its write got no answer";
      expect(engine.kept("vars").outputs["variables"]).to.deep.equal({ A: "1", B: "2", C: lostValue, D: lostValue });
      puts();
      expect((await engine.up(program)).errors).to.deep.equal([]);
      expect(puts()).to.deep.equal([["C", "D"], ["E"]]);
    },
  },
  {
    title: "a create whose answer is lost keeps new hidden names in state, and the next up writes them for certain",
    needsTime: true,
    async run({ engine, environmentId, sandbox, values }) {
      const program = set(environmentId, { variables: { A: "1" }, secrets: { B: "secret-b-one" } });
      const fault = sandbox.faults.add({ label: "PUT /env-vars", dropAfter: true, times: Infinity });
      await engine.up(program);
      fault.remove();
      expect((await engine.up(program)).errors).to.deep.equal([]);
      expect((await engine.up(program, { refresh: true })).operations).to.deep.equal({ vars: "same" });
      expect(engine.kept("vars").outputs).to.deep.include({ variables: { A: "1" }, secrets: { B: "secret-b-one" } });
      await engine.destroy();
      expect(values()).to.deep.equal({});
    },
  },
  {
    title: "a lost answer whose repetition is refused: the names stay in state, and destroy deletes what was stored",
    needsTime: true,
    async run({ engine, environmentId, sandbox, values }) {
      sandbox.faults.add({ label: "PUT /env-vars", dropAfter: true });
      const refused = ["PUT /env-vars", "GET /env-vars"].map((label) =>
        sandbox.faults.add({ label, status: 401, times: Infinity }),
      );
      const program = set(environmentId, {
        onConflict: "overwrite",
        variables: { A: "1" },
        secrets: { B: "secret-b" },
      });
      expect((await engine.up(program)).errors.join("\n")).to.contain("401");
      for (const fault of refused) fault.remove();
      expect(values()).to.have.all.keys("A", "B");
      await engine.destroy();
      expect(values()).to.deep.equal({});
    },
  },
  {
    title: "a lost answer whose repetition is refused: one GET decides what was stored",
    needsTime: true,
    async run({ engine, environmentId, sandbox, puts }) {
      sandbox.faults.add({ label: "PUT /env-vars", dropAfter: true });
      sandbox.faults.add({ label: "PUT /env-vars", status: 400 });
      const program = set(environmentId, { variables: { A: "1" }, secrets: { B: "secret-b" } });
      expect((await engine.up(program)).errors).to.deep.equal([]);
      expect(puts()).to.have.length(2);
      expect((await engine.up(program, { refresh: true })).operations).to.deep.equal({ vars: "same" });
    },
  },
  {
    title: "503 once is repeated with the whole body",
    needsTime: true,
    async run({ engine, environmentId, sandbox, puts, values }) {
      sandbox.faults.add({ label: "PUT /env-vars", status: 503 });
      const run = await engine.up(set(environmentId, { variables: { A: "1", B: "2" } }));
      expect(run.errors).to.deep.equal([]);
      expect(puts()).to.deep.equal([
        ["A", "B"],
        ["A", "B"],
      ]);
      expect(values()).to.deep.equal({ A: "1", B: "2" });
    },
  },
];

contract("EnvVarSet, lost answers", scenarios);

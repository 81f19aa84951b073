import { expect } from "chai";
import { isMap } from "../../provider/src/framework/properties";
import { failing } from "../support/stack";
import { contract, type Scenario, set } from "../support/stage";

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
      expect((await failing(engine.up(program))).errors.join("\n")).to.match(
        /2 of 2 variables .*may have stored \(A, B\)/su,
      );
      expect(new Set(requests())).to.deep.equal(new Set(["PUT /env-vars"]));
      expect(engine.kept("vars").outputs).to.deep.include({
        variables: { A: NOT_KNOWN, KEPT: "1" },
        secrets: { B: NOT_KNOWN },
      });
      puts();
      await engine.up(program);
      expect(puts()).to.deep.equal([["A", "B"]]);
      expect(values()).to.deep.equal({ A: "2", B: "secret-b-two", KEPT: "1" });
      expect((await engine.up(program, { refresh: true })).operations).to.deep.equal({ vars: "same" });
    },
  })),
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
      expect((await failing(engine.up(program))).errors.join("\n")).to.match(/1 of 1 variable .*B: /su);
      fault.remove();
      const { secrets } = engine.kept("vars").outputs;
      expect(isMap(secrets) && secrets["B"]).to.match(/^previewenv:unknown:v1:.*:its write got no answer$/u);
      puts();
      await engine.up(program);
      expect(puts()).to.deep.equal([["B"]]);
      expect(values()).to.include({ B: "secret-b-two" });
    },
  },
  {
    title:
      "lost answers to the second batch: its names are not known, later ones are not sent, and all are written next",
    needsTime: true,
    settings: { batchSize: "2" },
    async run({ engine, environmentId, sandbox, puts }) {
      const program = set(environmentId, {
        onConflict: "overwrite",
        variables: { A: "1", B: "2", C: "3", D: "4", E: "5" },
      });
      const lost = sandbox.faults.add({ label: "PUT /env-vars", after: 1, dropAfter: true, times: Infinity });
      const run = await failing(engine.up(program));
      lost.remove();
      expect(run.errors.join("\n")).to.match(/C, D: /u);
      expect(engine.kept("vars").outputs["variables"]).to.deep.equal({ A: "1", B: "2", C: NOT_KNOWN, D: NOT_KNOWN });
      puts();
      await engine.up(program);
      expect(puts()).to.deep.equal([["C", "D"], ["E"]]);
    },
  },
  {
    title: "a create whose answer is lost keeps new hidden names in state, and the next up writes them for certain",
    needsTime: true,
    async run({ engine, environmentId, sandbox, values }) {
      const program = set(environmentId, { variables: { A: "1" }, secrets: { B: "secret-b-one" } });
      const fault = sandbox.faults.add({ label: "PUT /env-vars", dropAfter: true, times: Infinity });
      await failing(engine.up(program));
      fault.remove();
      await engine.up(program);
      expect((await engine.up(program, { refresh: true })).operations).to.deep.equal({ vars: "same" });
      expect(engine.kept("vars").outputs).to.deep.include({ variables: { A: "1" }, secrets: { B: "secret-b-one" } });
      await engine.destroy();
      expect(values()).to.deep.equal({});
    },
  },
  ...[[400], [401], [413, 400]].map((refusals): Scenario => ({
    title: `a lost answer whose repetition gets ${refusals.join(" and ")}: the names are not known, and destroy deletes what was stored`,
    needsTime: true,
    async run({ engine, environmentId, sandbox, values }) {
      sandbox.faults.add({ label: "PUT /env-vars", dropAfter: true });
      for (const status of refusals) sandbox.faults.add({ label: "PUT /env-vars", status });
      const program = set(environmentId, { variables: { A: "1" }, secrets: { B: "secret-b" } });
      expect((await failing(engine.up(program))).errors.join("\n")).to.contain(`${refusals[0]}`);
      sandbox.faults.clear();
      expect(values()).to.have.all.keys("A", "B");
      expect(engine.kept("vars").outputs).to.deep.include({ variables: { A: NOT_KNOWN }, secrets: { B: NOT_KNOWN } });
      await engine.destroy();
      expect(values()).to.deep.equal({});
    },
  })),
  {
    title: "503 once is repeated with the whole body",
    needsTime: true,
    async run({ engine, environmentId, sandbox, puts, values }) {
      sandbox.faults.add({ label: "PUT /env-vars", status: 503 });
      await engine.up(set(environmentId, { variables: { A: "1", B: "2" } }));
      expect(puts()).to.deep.equal([
        ["A", "B"],
        ["A", "B"],
      ]);
      expect(values()).to.deep.equal({ A: "1", B: "2" });
    },
  },
];

contract("EnvVarSet, lost answers", scenarios);

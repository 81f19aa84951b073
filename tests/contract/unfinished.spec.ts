import { expect } from "chai";
import { failing } from "../support/stack";
import { branches, contract, type Scenario, set } from "../support/stage";

/** What a refresh tells again, for hosts that can: the engine keeps it as init errors, so that the next up finishes. */
const toldAgain: readonly Scenario[] = [
  {
    title: "a half-failed create: every refresh names what is missing, until an up has written it",
    async run({ engine, environmentId, sandbox, puts }) {
      const program = set(environmentId, { variables: { A: "1", B: "value-of-b" }, secrets: { C: "secret-c" } });
      sandbox.faults.add({ refuse: { B: "no room", C: "no room" } });
      await failing(engine.up(program));
      for (const _time of [1, 2]) {
        await engine.refresh();
        const [reason, ...others] = engine.kept("vars").initErrors;
        expect(others).to.deep.equal([]);
        expect(reason).to.match(/did not write or delete B, C; run `pulumi up` to finish\.$/u);
        expect(reason).to.contain(environmentId).and.not.to.contain("value-of-b").and.not.to.contain("secret-c");
      }
      puts();
      expect((await engine.up(program)).operations).to.deep.equal({ vars: "update" });
      expect(puts()).to.deep.equal([["B", "C"]]);
      await engine.refresh();
      expect(engine.kept("vars").initErrors).to.deep.equal([]);
      expect((await engine.up(program)).operations).to.deep.equal({ vars: "same" });
    },
  },
  {
    title: "a half-failed update names what was neither written nor deleted; an up that fails again names what is left",
    async run({ engine, environmentId, sandbox }) {
      await engine.up(set(environmentId, { variables: { A: "1", B: "2", OLD: "x", OLDER: "y" } }));
      const program = set(environmentId, { variables: { A: "1b", B: "2b" } });
      sandbox.faults.add({ refuse: { B: "no room" } });
      sandbox.faults.add({ label: "DELETE /env-vars", status: 403 });
      await failing(engine.up(program));
      await engine.refresh();
      expect(engine.kept("vars").initErrors.join("\n")).to.match(/delete B, OLD(?:ER)?; run/u);
      sandbox.faults.add({ refuse: { B: "no room" } });
      await failing(engine.up(program));
      await engine.refresh();
      expect(engine.kept("vars").initErrors.join("\n")).to.contain("delete B; run");
      await engine.up(program);
      await engine.refresh();
      expect(engine.kept("vars").initErrors).to.deep.equal([]);
    },
  },
  {
    title: "what was to be deleted is named, too, when an earlier write ended the run",
    settings: { batchSize: "1" },
    async run({ engine, environmentId, sandbox }) {
      await engine.up(set(environmentId, { variables: { A: "1", B: "2", OLD: "x" } }));
      sandbox.faults.add({ label: "PUT /env-vars", after: 1, status: 403 });
      await failing(engine.up(set(environmentId, { variables: { A: "1b", B: "2b" } })));
      await engine.refresh();
      expect(engine.kept("vars").initErrors.join("\n")).to.contain("delete B, OLD; run");
    },
  },
  {
    title: "a build that was late is told again, until an up has seen it succeed",
    needsTime: true,
    buildSeconds: 90,
    async run({ engine, environmentId, clock }) {
      const program = branches(environmentId, { branches: { web: "feature" }, buildTimeoutSeconds: 30 });
      await failing(engine.up(program));
      clock.advance(120_000);
      for (const _time of [1, 2]) {
        await engine.refresh();
        expect(engine.kept("deployed").initErrors.join("\n")).to.match(/was not seen to succeed; run `pulumi up`/u);
      }
      await engine.up(program);
      await engine.refresh();
      expect(engine.kept("deployed").initErrors).to.deep.equal([]);
    },
  },
  {
    title: "a single hidden variable whose write got no answer is told at the next refresh, a drifted one is not",
    needsTime: true,
    async run({ engine, environmentId, sandbox, world, clock }) {
      const program = (value: string) => ({ one: { type: "EnvVar", inputs: { environmentId, name: "S", value } } });
      const fault = sandbox.faults.add({ label: "PUT /env-vars", dropAfter: true, times: Infinity });
      const overwrite = { type: "EnvVar", inputs: { ...program("first-value").one.inputs, onConflict: "overwrite" } };
      expect((await failing(engine.up({ one: overwrite }))).errors).to.have.length(1);
      fault.remove();
      await engine.refresh();
      expect(engine.kept("one").initErrors.join("\n")).to.match(/whether the last `pulumi up` wrote S; run/u);
      await engine.up({ one: overwrite });
      clock.advance(5_000);
      world.setVariable(environmentId, { name: "S", value: "by-hand-value", hidden: true });
      for (const _time of [1, 2]) {
        await engine.refresh();
        expect(engine.kept("one").initErrors).to.deep.equal([]);
      }
    },
  },
];

/** What is remembered makes no difference by itself. */
const everywhere: readonly Scenario[] = [
  {
    title: "a failed name that the program then drops: no lasting difference",
    async run({ engine, environmentId, sandbox }) {
      sandbox.faults.add({ refuse: { B: "no room" } });
      await failing(engine.up(set(environmentId, { variables: { A: "1", B: "2" } })));
      const program = set(environmentId, { variables: { A: "1" } });
      await engine.refresh();
      await engine.up(program);
      expect((await engine.up(program, { refresh: true })).operations).to.deep.equal({ vars: "same" });
      expect((await engine.up(program)).operations).to.deep.equal({ vars: "same" });
    },
  },
];

contract(
  "unfinished writes, told again",
  toldAgain.map((scenario) => ({ ...scenario, difference: { row: "unfinished", side: "native" } })),
);
contract("unfinished writes", everywhere);

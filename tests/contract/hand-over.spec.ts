import { expect } from "chai";
import type { Properties } from "../../provider/src/framework/properties";
import { failing } from "../support/stack";
import { contract, type Scenario, type Stage } from "../support/stage";

const VARIABLES = { A: "1", B: "2" };
const SECRETS = { C: "secret-c-1234", D: "secret-d-1234" };
const ALL = { ...VARIABLES, ...SECRETS };
const LEFT = /A, B, C, D not deleted/u;

/** A program of several sets; every one of the scenario's environment. */
function sets({ environmentId }: Stage, named: Readonly<Record<string, Properties>>) {
  return Object.fromEntries(
    Object.entries(named).map(([name, inputs]) => [name, { type: "EnvVarSet", inputs: { environmentId, ...inputs } }]),
  );
}

const whole = { variables: VARIABLES, secrets: SECRETS };

const scenarios: readonly Scenario[] = [
  {
    title: "a renamed Pulumi resource loses nothing, and says so in one line",
    async run(stage) {
      const { engine, values, log, requests } = stage;
      await engine.up(sets(stage, { old: whole }));
      requests();
      const run = await engine.up(sets(stage, { renamed: whole }));
      expect(run).to.deep.include({ operations: { renamed: "create", old: "delete" } });
      expect(values()).to.deep.equal(ALL);
      expect(requests()).not.to.include("DELETE /env-vars");
      expect(await log.until(LEFT)).to.deep.include({ severity: "info", passing: false });
      await engine.destroy();
      expect(values()).to.deep.equal({});
    },
  },
  {
    title: "a forced replace loses nothing",
    async run(stage) {
      const { engine, values, log } = stage;
      const program = sets(stage, { vars: whole });
      await engine.up(program);
      const run = await engine.up(program, { replace: ["vars"] });
      expect(run).to.deep.include({ operations: { vars: "replace" } });
      expect(values()).to.deep.equal(ALL);
      await log.until(LEFT);
      expect((await engine.up(program, { refresh: true })).operations).to.deep.equal({ vars: "same" });
    },
  },
  ...["giver first", "taker first"].flatMap((order) =>
    [false, true].map((parallel): Scenario => ({
      title: `a name moved from one set to another, ${order}${parallel ? ", at once" : ""}: nothing is lost`,
      // A process that has served other runs has no waits left.
      fresh: parallel,
      async run(stage) {
        const { engine, values } = stage;
        const ordered = (giver: Properties, taker: Properties) =>
          sets(stage, order === "giver first" ? { giver, taker } : { taker, giver });
        await engine.up(ordered(whole, { variables: { T: "t" } }));
        const moved = ordered(
          { variables: { A: "1" }, secrets: { C: SECRETS.C } },
          { variables: { T: "t", B: "2" }, secrets: { D: SECRETS.D } },
        );
        await engine.up(moved, { parallel });
        expect(values()).to.deep.equal({ ...ALL, T: "t" });
        expect((await engine.up(moved, { refresh: true })).operations).to.deep.equal({ giver: "same", taker: "same" });
      },
    })),
  ),
  {
    title: "one after the other, taker first, with another value: an error, nothing deleted, and up --refresh finishes",
    async run(stage) {
      const { engine, values } = stage;
      await engine.up(sets(stage, { taker: { variables: { T: "t" } }, giver: { variables: { A: "1", B: "2" } } }));
      const moved = sets(stage, { taker: { variables: { T: "t", B: "new" } }, giver: { variables: { A: "1" } } });
      for (let times = 0; times < 2; times += 1) {
        const { errors } = await failing(engine.up(moved));
        expect(errors.join("\n")).to.match(/already has .*: B\..*pulumi up --refresh/u);
        expect(values()).to.deep.equal({ A: "1", B: "2", T: "t" });
      }
      await engine.up(moved, { refresh: true });
      expect(values()).to.deep.equal({ A: "1", B: "new", T: "t" });
      expect((await engine.up(moved)).operations).to.deep.equal({ taker: "same", giver: "same" });
    },
  },
  {
    title: "a DELETE under way does not take away what another set writes meanwhile",
    async run(stage) {
      const { engine, values, sandbox } = stage;
      await engine.up(sets(stage, { giver: { variables: { A: "1", B: "2" } }, taker: { variables: { T: "t" } } }));
      // The service is slow with the DELETE: in the meantime the other set's PUT comes and goes.
      sandbox.faults.add({ label: "DELETE /env-vars", delayMs: 200 });
      const moved = sets(stage, {
        giver: { variables: { A: "1" } },
        taker: { variables: { T: "t", B: "2" }, onConflict: "overwrite" },
      });
      await engine.up(moved, { parallel: true });
      expect(values()).to.deep.equal({ A: "1", B: "2", T: "t" });
    },
  },
  {
    title: "renamed while the service refuses one name: the next up finishes and loses nothing",
    async run(stage) {
      const { engine, values, sandbox } = stage;
      await engine.up(sets(stage, { old: whole }));
      sandbox.faults.add({ refuse: { D: "no room" } });
      const renamed = sets(stage, { renamed: whole });
      await failing(engine.up(renamed));
      await engine.up(renamed);
      expect([...engine.state.keys()]).to.deep.equal(["renamed"]);
      expect(values()).to.deep.equal(ALL);
    },
  },
  {
    title: "replaced while the service refuses one name: the next up finishes and loses nothing",
    async run(stage) {
      const { engine, values, sandbox } = stage;
      const program = sets(stage, { vars: whole });
      await engine.up(program);
      sandbox.faults.add({ refuse: { D: "no room" } });
      await failing(engine.up(program, { replace: ["vars"] }));
      await engine.up(program);
      expect(values()).to.deep.equal(ALL);
    },
  },
  {
    title: "what a set dropped in one run is deleted by a later run of the same name elsewhere",
    async run(stage) {
      const { engine, values } = stage;
      await engine.up(sets(stage, { old: whole }));
      await engine.up(sets(stage, { renamed: { variables: { A: "1" } } }));
      expect(values()).to.deep.equal({ A: "1" });
    },
  },
  {
    title: "delete of a variable that is gone already is success",
    async run(stage) {
      const { engine, world, environmentId, values } = stage;
      await engine.up(sets(stage, { vars: whole }));
      world.deleteVariable(environmentId, "A");
      await engine.up(sets(stage, { vars: { secrets: SECRETS } }));
      world.deleteVariable(environmentId, "C");
      await engine.destroy();
      expect(values()).to.deep.equal({});
    },
  },
];

contract("hand-over", scenarios);

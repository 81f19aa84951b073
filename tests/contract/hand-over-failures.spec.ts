import { expect } from "chai";
import type { Properties } from "../../provider/src/framework/properties";
import type { FaultOptions } from "../../provider/src/sandbox";
import type { Declared, Program } from "../support/engine-steps";
import { failing } from "../support/stack";
import { contract, type Scenario, type Stage } from "../support/stage";

const set = ({ environmentId }: Stage, inputs: Properties): Declared => ({
  type: "EnvVarSet",
  inputs: { environmentId, ...inputs },
});
const single = ({ environmentId }: Stage, name: string, value: string): Declared => ({
  type: "EnvVar",
  inputs: { environmentId, name, value, hidden: false },
});
const OLD = "old-value-1234";
const NEW = "new-value-5678";

/** How the taker fails. */
const failures: readonly (readonly [string, FaultOptions | undefined])[] = [
  ["was refused", { refuse: { MOVED: "no room" } }],
  ["had a conflict", undefined],
];

/** The giver has left the program, and an engine that goes on after errors deletes it although its taker has failed. */
const dropped = failures.map(([how, fault]): Scenario => ({
  title: `a giver that the program has dropped keeps the name, because its taker ${how}; up --refresh moves it`,
  async run(stage) {
    const { engine, sandbox, values } = stage;
    const before: Program = {
      giver: set(stage, { variables: { MOVED: OLD, GONE: "g" } }),
      taker: set(stage, { variables: { T: "t" } }),
    };
    await engine.up(before);
    const moved: Program = { taker: set(stage, { variables: { T: "t", MOVED: NEW } }) };
    if (fault !== undefined) sandbox.faults.add(fault);
    const run = await failing(engine.up(moved, { refresh: fault !== undefined, continueOnError: true }));
    sandbox.faults.clear();
    expect(run.errors.join("\n")).to.match(/giver: .*MOVED: another resource declares it and could not write it/su);
    expect(values()).to.deep.equal({ T: "t", MOVED: OLD });
    expect([...engine.state.keys()].toSorted()).to.deep.equal(["giver", "taker"]);
    await engine.up(moved, { refresh: true });
    expect(values()).to.deep.equal({ T: "t", MOVED: NEW });
    expect([...engine.state.keys()]).to.deep.equal(["taker"]);
    expect((await engine.up(moved)).operations).to.deep.equal({ taker: "same" });
  },
}));

/** The engine shows what waits for its delete only in a refresh. */
const replaced: readonly Scenario[] = [
  {
    title: "a name of an EnvVar that was replaced stays when its taker was refused; the error's advice moves it",
    async run(stage) {
      const { engine, sandbox, values } = stage;
      await engine.up({ giver: single(stage, "MOVED", OLD), taker: set(stage, { variables: { T: "t" } }) });
      const moved: Program = {
        giver: single(stage, "OTHER", "o"),
        taker: set(stage, { variables: { T: "t", MOVED: NEW } }),
      };
      sandbox.faults.add({ refuse: { MOVED: "no room" } });
      await failing(engine.up(moved));
      sandbox.faults.clear();
      expect((await failing(engine.up(moved))).errors.join("\n")).to.match(/MOVED.*`pulumi up --refresh`/su);
      expect(values()).to.deep.equal({ T: "t", OTHER: "o", MOVED: OLD });
      await engine.up(moved, { refresh: true });
      expect(values()).to.deep.equal({ T: "t", OTHER: "o", MOVED: NEW });
      expect(engine.doomed.size).to.equal(0);
      expect((await engine.up(moved)).operations).to.deep.equal({ giver: "same", taker: "same" });
    },
  },
];

/** The engine encrypts nothing of a name that the giver's inputs do not have. */
const secrets: readonly Scenario[] = [
  {
    title: "a secret that was given away is in state by its name only; a refresh that finds another value drops it",
    fresh: true,
    async run(stage) {
      const { engine, sandbox, world, environmentId, clock, values } = stage;
      await engine.up({
        giver: set(stage, { secrets: { MOVED: OLD } }),
        taker: set(stage, { variables: { T: "t" } }),
      });
      const moved: Program = {
        giver: set(stage, {}),
        taker: set(stage, { variables: { T: "t" }, secrets: { MOVED: OLD } }),
      };
      sandbox.faults.add({ refuse: { MOVED: "no room" } });
      await failing(engine.up(moved, { parallel: true }));
      sandbox.faults.clear();
      clock.advance(60_000);
      world.setVariable(environmentId, { name: "MOVED", value: "by-hand-value-9999", hidden: true });
      expect(JSON.stringify(engine.kept("giver").outputs))
        .to.contain('"MOVED"')
        .and.not.to.contain(OLD);
      await engine.refresh();
      // Somebody has written it since: it is not the stack's any more.
      expect(JSON.stringify(engine.kept("giver")))
        .not.to.contain('"MOVED"')
        .and.not.to.contain("*");
      expect((await failing(engine.up(moved))).errors.join("\n")).to.match(/another value than declared: MOVED/u);
      expect(values()).to.deep.equal({ T: "t", MOVED: "by-hand-value-9999" });
    },
  },
];

contract("hand-over, the taker fails", [...dropped, ...replaced, ...secrets]);

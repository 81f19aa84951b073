import { expect } from "chai";
import type { Declared, Program } from "../support/engine-steps";
import { failing } from "../support/stack";
import { branches, contract, type Scenario, writes } from "../support/stage";
import { warningsOf } from "./support/previews";

const MINUTE_MS = 60_000;

const power = (environmentId: string, state: string, more: object = {}): Declared => ({
  type: "EnvironmentState",
  inputs: { environmentId, state, ...more },
});

const deployed = (environmentId: string, inputs: object = {}): Declared =>
  branches(environmentId, { branches: { web: "feature/x" }, ...inputs }).deployed;

/** Both resources, which do not depend on each other, in either order. */
function both(isFirst: boolean, state: Declared, build: Declared): Program {
  return isFirst ? { power: state, deployed: build } : { deployed: build, power: state };
}

/** How a service is asked to start an environment: it refuses the restart of one that is only stopped. */
const STARTS = {
  stopped: ["POST /restart", "POST /rebuild"],
  retired: ["POST /restart"],
  deleted: ["POST /revive"],
} as const;

const ORDERS = [true, false] as const;
const orderText = (isFirst: boolean): string => (isFirst ? "state first" : "branches first");

const started: readonly Scenario[] = ORDERS.flatMap((isFirst) => [
  ...(["stopped", "retired", "deleted"] as const).flatMap((flag) =>
    (["fail", "skip", "wake"] as const).map((whenStopped): Scenario => ({
      title: `an environment that is ${flag} is brought up first, and its branches are changed once (${whenStopped}, ${orderText(isFirst)})`,
      environment: { [flag]: true },
      async run(stage) {
        const { engine, environmentId, world } = stage;
        const program = both(isFirst, power(environmentId, "running"), deployed(environmentId, { whenStopped }));
        await engine.up(program, { parallel: true });
        const sent = writes(stage);
        expect(sent.filter((label) => label === "PATCH /environment")).to.have.length(1);
        expect(sent)
          .to.include.members(STARTS[flag])
          .and.to.have.length(STARTS[flag].length + 1);
        // A build that starts the environment does not wait until the engine has shown what else does.
        if (isFirst || whenStopped !== "wake") expect(sent.at(-1)).to.equal("PATCH /environment");
        expect(engine.kept("deployed").outputs).to.have.nested.property("build.id", world.builds(environmentId)[0]?.id);
        expect(engine.kept("deployed").outputs).not.to.have.property("pending");
        writes(stage);
        for (const refresh of [false, true])
          expect((await engine.up(program, { refresh })).operations).to.deep.equal({ power: "same", deployed: "same" });
        expect(writes(stage)).to.deep.equal([]);
      },
    })),
  ),
  {
    title: `an environment that a refresh has seen asleep, and new branches: one up (${orderText(isFirst)})`,
    async run(stage) {
      const { engine, environmentId, world } = stage;
      const program = (inputs: object) =>
        both(isFirst, power(environmentId, "running"), deployed(environmentId, inputs));
      await engine.up(program({ rebuildOn: ["1"] }));
      world.setFlags(environmentId, { stopped: true });
      writes(stage);
      await engine.up(program({ rebuildOn: ["2"] }), { refresh: true, parallel: true });
      expect(writes(stage)).to.deep.equal([...STARTS.stopped, "POST /rebuild"]);
    },
  },
]);

const others: readonly Scenario[] = [
  {
    title: "nothing to build: only the EnvironmentState starts it",
    environment: { stopped: true },
    async run(stage) {
      const { engine, environmentId } = stage;
      const program = both(
        false,
        power(environmentId, "running"),
        deployed(environmentId, { branches: { web: "main" } }),
      );
      await engine.up(program, { parallel: true });
      expect(writes(stage)).to.deep.equal(STARTS.stopped);
    },
  },
  {
    title: "an EnvironmentState that depends on the branches comes too late: an error at once that says so",
    environment: { stopped: true },
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, clock } = stage;
      const program = { deployed: deployed(environmentId), power: power(environmentId, "running") };
      const start = clock.now();
      expect((await failing(engine.up(program))).errors.join()).to.match(
        /it is stopped\. .*let this resource depend on it/u,
      );
      expect(clock.now() - start).to.be.below(MINUTE_MS);
    },
  },
  {
    title: "an EnvironmentState that has not seen that somebody stopped it: an error that says --refresh, which works",
    async run(stage) {
      const { engine, environmentId, world } = stage;
      const program = (web: string) =>
        both(true, power(environmentId, "running"), deployed(environmentId, { branches: { web } }));
      await engine.up(program("main"));
      world.setFlags(environmentId, { stopped: true });
      expect((await warningsOf(stage, program("feature/x"))).join()).to.contain("`pulumi up --refresh`");
      expect((await failing(engine.up(program("feature/x"), { parallel: true }))).errors.join()).to.contain(
        "`pulumi up --refresh`",
      );
      await engine.up(program("feature/x"), { refresh: true, parallel: true });
      expect(world.environments.get(environmentId)).to.deep.include({ stopped: false });
    },
  },
  {
    title: "an environment that does not come up: the time of the EnvironmentState counts, and nothing is built",
    environment: { stopped: true },
    choices: { flagsAfterRestart: {}, flagsAfterRebuild: {} },
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, clock, world } = stage;
      const program = both(false, power(environmentId, "running", { timeoutSeconds: 60 }), deployed(environmentId));
      const start = clock.now();
      const run = await failing(engine.up(program, { parallel: true }));
      expect(run.errors.join("\n")).to.contain("timeoutSeconds of the EnvironmentState");
      expect(clock.now() - start).to.be.within(MINUTE_MS, 4 * MINUTE_MS);
      expect(writes(stage)).not.to.contain("PATCH /environment");
      world.setFlags(environmentId, { stopped: false });
      await engine.up(program, { parallel: true });
    },
  },
];

const CONTRADICTION =
  /a build is due, and the EnvironmentState of this program has `state: "stopped"`.*`whenStopped: "skip"`/u;

const stopped: readonly Scenario[] = ORDERS.flatMap((isFirst): readonly Scenario[] => [
  {
    title: `a build that is due beside the state stopped is refused, in preview and up (${orderText(isFirst)})`,
    async run(stage) {
      const { engine, environmentId, world } = stage;
      const program = (inputs: object) =>
        both(isFirst, power(environmentId, "stopped"), deployed(environmentId, inputs));
      const { errors } = await failing(engine.preview(program({})));
      expect(errors.length).to.be.within(1, 2);
      for (const error of errors) expect(error).to.match(CONTRADICTION);
      expect((await failing(engine.up(program({}), { parallel: true }))).errors.join("\n")).to.match(CONTRADICTION);
      expect((await failing(engine.up(program({}), { parallel: true }))).errors.join("\n")).to.match(CONTRADICTION);

      world.setFlags(environmentId, { stopped: false });
      const settled = program({ branches: { web: "main" } });
      await engine.up(settled, { refresh: true });
      expect(world.environments.get(environmentId)).to.deep.include({ stopped: true });
      for (const more of [{ branches: { web: "feature/y" } }, { branches: { web: "main" }, rebuildOn: ["1"] }])
        expect((await failing(engine.up(program(more), { parallel: true }))).errors.join("\n")).to.match(CONTRADICTION);
      writes(stage);
      const skipping = program({ whenStopped: "skip" });
      await engine.preview(skipping);
      await engine.up(skipping, { parallel: true });
      expect(writes(stage)).to.deep.equal([]);
    },
  },
  {
    title: `nothing is refused where no build is due (${orderText(isFirst)})`,
    async run(stage) {
      const { engine, environmentId, world } = stage;
      const built = deployed(environmentId, { rebuildOn: ["1"] });
      await engine.up({ deployed: built });
      const program = both(isFirst, power(environmentId, "stopped"), built);
      await engine.preview(program);
      await engine.up(program, { parallel: true });
      expect(world.environments.get(environmentId)).to.deep.include({ stopped: true });
      expect((await engine.up(program, { refresh: true })).operations).to.deep.equal({
        power: "same",
        deployed: "same",
      });
    },
  },
]);

contract("EnvironmentBranches beside an EnvironmentState", [...started, ...others, ...stopped]);

import { expect } from "chai";
import type { Properties } from "../../provider/src/framework/properties";
import type { Program } from "../support/engine-steps";
import { errorsOf, quiet } from "../support/stack";
import { branches, contract, type Scenario, type Stage, warningsOf, writes } from "../support/stage";
import {
  CHANGE,
  deploying,
  hasNewestBuild,
  isSettled,
  MINUTE_MS,
  pendingOf,
  powered,
  quietUps,
  REBUILD,
} from "./support/builds";

/** Branches that depend on the state, as in the component. */
function both(stage: Stage, state: "running" | "stopped", inputs: Properties = {}): Program {
  const { deployed } = deploying(stage, inputs);
  return { ...powered(stage, state), deployed: { ...deployed, dependsOn: ["power"] } };
}

/** How a service is asked to start an environment: it refuses the restart of one that is only stopped. */
const STARTS = {
  stopped: ["POST /restart", REBUILD],
  retired: ["POST /restart"],
  deleted: ["POST /revive"],
} as const;

const started: readonly Scenario[] = (["stopped", "retired", "deleted"] as const).flatMap((flag) =>
  (["fail", "skip", "wake"] as const).map((whenStopped): Scenario => ({
    title: `an environment that is ${flag} is brought up first, and its branches are changed once (${whenStopped})`,
    environment: { [flag]: true },
    onHosts: flag === "stopped" && whenStopped === "fail",
    async run(stage) {
      const { engine } = stage;
      const program = both(stage, "running", { whenStopped });
      await engine.up(program, { parallel: true });
      expect(writes(stage)).to.deep.equal([...STARTS[flag], CHANGE]);
      hasNewestBuild(stage);
      await isSettled(stage, program);
    },
  })),
);

const ADVICE = /it is stopped\. .*this resource depends on \(`dependsOn`, and `pulumi up --refresh`\)/u;

const others: readonly Scenario[] = [
  {
    title: "an EnvironmentState that the branches do not depend on: an error at once that says `dependsOn`",
    environment: { stopped: true },
    needsTime: true,
    async run(stage) {
      const { engine, clock } = stage;
      const program = { ...deploying(stage), ...powered(stage, "running") };
      const start = clock.now();
      expect(await errorsOf(engine.up(program))).to.match(ADVICE);
      expect(clock.now() - start).to.be.below(MINUTE_MS);
    },
  },
  {
    title: "an EnvironmentState that has not seen that somebody stopped it: an error that says --refresh, which works",
    async run(stage) {
      const { engine, environmentId, world } = stage;
      const program = (web: string) => both(stage, "running", { branches: { web } });
      await engine.up(program("main"));
      world.setFlags(environmentId, { stopped: true });
      expect((await warningsOf(stage, program("feature/x"))).join()).to.contain(
        "unless an EnvironmentState of this program starts it before",
      );
      expect(await errorsOf(engine.up(program("feature/x"), { parallel: true }))).to.match(ADVICE);
      await engine.up(program("feature/x"), { refresh: true, parallel: true });
      expect(world.environments.get(environmentId)).to.deep.include({ stopped: false });
    },
  },
  {
    title: "the state stopped, and nothing new to build: it stops, and what comes after is quiet",
    async run(stage) {
      const { engine, environmentId, world } = stage;
      await engine.up(deploying(stage, { rebuildOn: ["1"] }));
      const program = both(stage, "stopped", { rebuildOn: ["1"] });
      await engine.preview(program);
      await engine.up(program, { parallel: true });
      expect(world.environments.get(environmentId)).to.deep.include({ stopped: true });
      await quiet(engine.up(program, { refresh: true }));
    },
  },
];

contract("EnvironmentBranches beside an EnvironmentState", [...started, ...others]);

const waking = ({ environmentId }: Stage, inputs: Properties = {}) =>
  branches(environmentId, { rebuildOn: ["1"], whenStopped: "wake", ...inputs });
const isAsleep = ({ world, environmentId }: Stage): boolean => {
  const { stopped = false, retired = false, deleted = false } = world.environments.get(environmentId) ?? {};
  return stopped || retired || deleted;
};
const builds = ({ world, environmentId }: Stage) => world.builds(environmentId).map(({ outcome }) => outcome);

/** An `up` of a program whose build is not due any more, then the environment falls asleep. */
async function fallAsleep(stage: Stage, flag: "stopped" | "retired", inputs: Properties = {}): Promise<void> {
  await stage.engine.up(waking(stage, inputs));
  stage.world.setFlags(stage.environmentId, { [flag]: true });
  writes(stage);
}

/** Nothing is due any more: nothing is asked for, and nothing is woken. */
async function isDone(stage: Stage, inputs: Properties = {}): Promise<void> {
  stage.world.setFlags(stage.environmentId, { stopped: true });
  await quietUps(stage, waking(stage, inputs));
}

const AGAIN = { rebuildOn: ["2"] };
const OTHER = { branches: { web: "feature/x" } };

const sleeping = (["stopped", "retired"] as const).flatMap((flag): readonly Scenario[] => [
  {
    title: `${flag}: the rebuild that is due wakes it, and is the only build`,
    async run(stage) {
      await fallAsleep(stage, flag);
      await stage.engine.up(waking(stage, AGAIN));
      expect(writes(stage)).to.deep.equal([REBUILD]);
      expect(isAsleep(stage)).to.equal(false);
      expect(pendingOf(stage)).to.equal(undefined);
      await isDone(stage, AGAIN);
    },
  },
  {
    title: `${flag}: a branch change goes first, and is all when the service starts what it builds`,
    choices: { flagsAfterBranchChange: { stopped: false, retired: false } },
    async run(stage) {
      await fallAsleep(stage, flag);
      await stage.engine.up(waking(stage, OTHER));
      expect(writes(stage)).to.deep.equal([CHANGE]);
      expect(isAsleep(stage)).to.equal(false);
    },
  },
  ...[{}, { waitForBuild: false }].map((how): Scenario => ({
    title: `${flag}: it is woken after the build of the branches when it still sleeps then ${JSON.stringify(how)}`,
    buildSeconds: 60,
    needsTime: true,
    async run(stage) {
      await fallAsleep(stage, flag, how);
      stage.clock.advance(60_000);
      await stage.engine.up(waking(stage, { ...OTHER, ...how }));
      // A restart is for retired environments: where it is refused, a rebuild starts.
      const calls = flag === "retired" ? ["POST /restart"] : ["POST /restart", REBUILD];
      expect(writes(stage)).to.deep.equal([CHANGE, ...calls]);
      expect(isAsleep(stage)).to.equal(false);
      // This service builds what it starts: that is waited for as well.
      expect(builds(stage).slice(0, 2)).to.deep.equal(["waitForBuild" in how ? "inFlight" : "succeeded", "succeeded"]);
      await isDone(stage, { ...OTHER, ...how });
    },
  })),
  {
    title: `${flag}: a rebuild that does not wake it is followed by a start`,
    choices: { flagsAfterRebuild: {} },
    needsTime: true,
    async run(stage) {
      await fallAsleep(stage, flag);
      const running = stage.engine.up(waking(stage, AGAIN));
      // A service that can start nothing but what is retired, and says so.
      if (flag === "stopped") expect(await errorsOf(running)).to.match(/is not running|No effect/u);
      else await running;
      expect(writes(stage).slice(0, 2)).to.deep.equal([REBUILD, "POST /restart"]);
      if (flag === "retired") expect(isAsleep(stage)).to.equal(false);
    },
  },
]);

const refused: readonly Scenario[] = ["fail", "skip", "wake"].map((whenStopped) => ({
  title: `deleted: a build that is due is an error with ${whenStopped}, and nothing is revived`,
  async run(stage) {
    const { engine, environmentId, world } = stage;
    world.setFlags(environmentId, { deleted: true, stopped: true });
    for (const inputs of [{ whenStopped }, { ...OTHER, whenStopped }])
      expect(await errorsOf(engine.up(waking(stage, inputs)))).to.match(/it is deleted/u);
    expect(engine.state.size).to.equal(0);
    world.setFlags(environmentId, { deleted: false, stopped: false });
    await engine.up(waking(stage, { whenStopped }));
    world.setFlags(environmentId, { deleted: true });
    writes(stage);
    expect(await errorsOf(engine.up(waking(stage, { ...AGAIN, whenStopped })))).to.match(/it is deleted/u);
    expect(writes(stage)).to.deep.equal([]);
    await engine.refresh();
  },
}));

const troubled: readonly Scenario[] = [
  {
    title: "a start that is refused after the branches were built is finished by the next up, without their build",
    needsTime: true,
    async run(stage) {
      await fallAsleep(stage, "retired");
      const { engine, sandbox } = stage;
      sandbox.faults.add({ label: "POST /restart", status: 403 });
      expect(await errorsOf(engine.up(waking(stage, OTHER)))).to.match(/403/u);
      expect(writes(stage)).to.deep.equal([CHANGE, "POST /restart"]);
      await engine.up(waking(stage, OTHER), { refresh: true });
      expect(writes(stage)).to.deep.equal(["POST /restart"]);
      expect(isAsleep(stage)).to.equal(false);
      await isDone(stage, OTHER);
    },
  },
];

contract("EnvironmentBranches, whenStopped wake", [...sleeping, ...refused, ...troubled]);

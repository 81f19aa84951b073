import { expect } from "chai";
import { failing } from "../support/stack";
import { branches, contract, type Scenario, type Stage, writes } from "../support/stage";

const waking = ({ environmentId }: Stage, inputs: object = {}) =>
  branches(environmentId, { rebuildOn: ["1"], whenStopped: "wake", ...inputs });
const isAsleep = ({ world, environmentId }: Stage): boolean => {
  const { stopped = false, retired = false, deleted = false } = world.environments.get(environmentId) ?? {};
  return stopped || retired || deleted;
};
const builds = ({ world, environmentId }: Stage) => world.builds(environmentId).map(({ outcome }) => outcome);

/** An `up` of a program whose build is not due any more, then the environment falls asleep. */
async function fallAsleep(stage: Stage, flag: "stopped" | "retired", inputs: object = {}): Promise<void> {
  await stage.engine.up(waking(stage, inputs));
  stage.world.setFlags(stage.environmentId, { [flag]: true });
  writes(stage);
}

/** Nothing is due any more: nothing is asked for, and nothing is woken. */
async function quietUps(stage: Stage, inputs: object = {}): Promise<void> {
  stage.world.setFlags(stage.environmentId, { stopped: true });
  writes(stage);
  for (const refresh of [false, true])
    expect((await stage.engine.up(waking(stage, inputs), { refresh })).operations).to.deep.equal({ deployed: "same" });
  expect(writes(stage)).to.deep.equal([]);
}

const AGAIN = { rebuildOn: ["2"] };
const OTHER = { branches: { web: "feature/x" } };

const sleeping = (["stopped", "retired"] as const).flatMap((flag): readonly Scenario[] => [
  {
    title: `${flag}: the rebuild that is due wakes it, and is the only build`,
    async run(stage) {
      await fallAsleep(stage, flag);
      await stage.engine.up(waking(stage, AGAIN));
      expect(writes(stage)).to.deep.equal(["POST /rebuild"]);
      expect(isAsleep(stage)).to.equal(false);
      expect(stage.engine.kept("deployed").outputs).not.to.have.any.keys("pending");
      await quietUps(stage, AGAIN);
    },
  },
  {
    title: `${flag}: a create wakes it`,
    async run(stage) {
      stage.world.setFlags(stage.environmentId, { [flag]: true });
      await stage.engine.up(waking(stage));
      expect(writes(stage)).to.deep.equal(["POST /rebuild"]);
      expect(isAsleep(stage)).to.equal(false);
    },
  },
  {
    title: `${flag}: a branch change that got no answer, and is not waited for, is woken by the next up`,
    async run(stage) {
      const inputs = { ...OTHER, waitForBuild: false };
      await fallAsleep(stage, flag, { waitForBuild: false });
      stage.sandbox.faults.add({ label: "PATCH /environment", dropAfter: true });
      expect((await failing(stage.engine.up(waking(stage, inputs)))).errors.join()).to.contain("looks again");
      await stage.engine.up(waking(stage, inputs));
      expect(isAsleep(stage)).to.equal(false);
    },
  },
  {
    title: `${flag}: a branch change goes first, and is all when the service starts what it builds`,
    choices: { flagsAfterBranchChange: { stopped: false, retired: false } },
    async run(stage) {
      await fallAsleep(stage, flag);
      await stage.engine.up(waking(stage, OTHER));
      expect(writes(stage)).to.deep.equal(["PATCH /environment"]);
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
      const calls = flag === "retired" ? ["POST /restart"] : ["POST /restart", "POST /rebuild"];
      expect(writes(stage)).to.deep.equal(["PATCH /environment", ...calls]);
      expect(isAsleep(stage)).to.equal(false);
      // This service builds what it starts: that is waited for as well.
      expect(builds(stage).slice(0, 2)).to.deep.equal(["waitForBuild" in how ? "inFlight" : "succeeded", "succeeded"]);
      await quietUps(stage, { ...OTHER, ...how });
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
      if (flag === "stopped") expect((await failing(running)).errors.join()).to.match(/is not running|No effect/u);
      else await running;
      expect(writes(stage).slice(0, 2)).to.deep.equal(["POST /rebuild", "POST /restart"]);
      if (flag === "retired") expect(isAsleep(stage)).to.equal(false);
    },
  },
  {
    title: `${flag}: where only what runs is rebuilt, a restart that builds is the build`,
    choices: { rebuildAllowed: "runningOnly" },
    async run(stage) {
      await fallAsleep(stage, flag);
      const before = builds(stage).length;
      const running = stage.engine.up(waking(stage, AGAIN));
      if (flag === "retired") {
        await running;
        expect(writes(stage)).to.deep.equal(["POST /rebuild", "POST /restart"]);
        expect(builds(stage)).to.have.length(before + 1);
        return;
      }
      // The specification has no way to start it: "restart: environment is retired".
      expect((await failing(running)).errors.join()).to.match(/Environment is not active/u);
      expect(builds(stage)).to.have.length(before);
      expect(stage.engine.kept("deployed").inputs).to.deep.include({ rebuildOn: ["1"] });
    },
  },
]);

const refused: readonly Scenario[] = ["fail", "skip", "wake"].map((whenStopped) => ({
  title: `deleted: a build that is due is an error with ${whenStopped}, and nothing is revived`,
  async run(stage) {
    const { engine, environmentId, world } = stage;
    world.setFlags(environmentId, { deleted: true, stopped: true });
    for (const inputs of [{ whenStopped }, { ...OTHER, whenStopped }])
      expect((await failing(engine.up(waking(stage, inputs)))).errors.join()).to.match(/it is deleted/u);
    expect(engine.state.size).to.equal(0);
    world.setFlags(environmentId, { deleted: false, stopped: false });
    await engine.up(waking(stage, { whenStopped }));
    world.setFlags(environmentId, { deleted: true });
    writes(stage);
    expect((await failing(engine.up(waking(stage, { ...AGAIN, whenStopped })))).errors.join()).to.match(
      /it is deleted/u,
    );
    expect(writes(stage)).to.deep.equal([]);
    await engine.refresh();
  },
}));

const troubles = [
  { what: "503 before the service acted", fault: { status: 503, times: 99 }, acted: false },
  { what: "an answer lost after it acted", fault: { dropAfter: true }, acted: true },
  { what: "a connection lost before it acted", fault: { dropBefore: true }, acted: false },
];

const troubled: readonly Scenario[] = [
  ...troubles.map(({ what, fault, acted }): Scenario => ({
    title: `a rebuild that wakes, ${what}: one build in the end, and it runs`,
    needsTime: true,
    async run(stage) {
      await fallAsleep(stage, "stopped");
      const before = builds(stage).length;
      const { engine, sandbox } = stage;
      sandbox.faults.add({ label: "POST /rebuild", ...fault });
      const running = engine.up(waking(stage, AGAIN));
      await (acted ? running : failing(running));
      sandbox.faults.clear();
      await engine.up(waking(stage, AGAIN), { refresh: true });
      expect([builds(stage).length, isAsleep(stage)]).to.deep.equal([before + 1, false]);
      await quietUps(stage, AGAIN);
    },
  })),
  {
    title: "a start that is refused after the branches were built is finished by the next up, without their build",
    needsTime: true,
    async run(stage) {
      await fallAsleep(stage, "retired");
      const { engine, sandbox } = stage;
      sandbox.faults.add({ label: "POST /restart", status: 403 });
      expect((await failing(engine.up(waking(stage, OTHER)))).errors.join()).to.match(/403/u);
      expect(writes(stage)).to.deep.equal(["PATCH /environment", "POST /restart"]);
      await engine.up(waking(stage, OTHER), { refresh: true });
      expect(writes(stage)).to.deep.equal(["POST /restart"]);
      expect(isAsleep(stage)).to.equal(false);
      await quietUps(stage, OTHER);
    },
  },
  {
    title: "a create that was killed while it woke goes on with the same build",
    buildSeconds: 600,
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, world } = stage;
      world.setFlags(environmentId, { stopped: true });
      await failing(engine.up(waking(stage, { ...OTHER, rebuildOn: undefined, buildTimeoutSeconds: 5 })));
      engine.state.clear();
      const before = builds(stage).length;
      writes(stage);
      await engine.up(waking(stage, { ...OTHER, rebuildOn: undefined }));
      expect(writes(stage)).to.deep.equal(["POST /restart", "POST /rebuild"]);
      expect([builds(stage).length, isAsleep(stage)]).to.deep.equal([before + 1, false]);
    },
  },
  {
    title: "a build that fails is an error, and the next up rebuilds, awake or not",
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, world } = stage;
      await fallAsleep(stage, "stopped");
      world.failNextBuild(environmentId);
      expect((await failing(engine.up(waking(stage, AGAIN)))).errors.join()).to.match(/failed/u);
      world.setFlags(environmentId, { stopped: true });
      await engine.up(waking(stage, AGAIN));
      expect(writes(stage)).to.deep.equal(["POST /rebuild", "POST /rebuild"]);
      expect(isAsleep(stage)).to.equal(false);
    },
  },
];

contract("EnvironmentBranches, whenStopped wake", [...sleeping, ...refused, ...troubled]);

import { expect } from "chai";
import type { Properties } from "../../provider/src/framework/properties";
import { errorsOf, failing, quiet } from "../support/stack";
import { branchChanges, branches, contract, type Scenario, type Stage, writes, warningsOf } from "../support/stage";
import { CHANGE, deploying, MINUTE_MS, quietUps, REBUILD, settlesWith, pendingOf } from "./support/builds";

/** A program whose branches wait for the environment to run. */
const skipping = (stage: Stage, inputs: Properties = {}) => deploying(stage, { whenStopped: "skip", ...inputs });
const OWED = /is (?:stopped|retired), so the build is postponed/u;

/** Inputs that ask for a rebuild once more. */
const AGAIN = { rebuildOn: ["2"] };
const wake = ({ world, environmentId }: Stage) => world.setFlags(environmentId, { stopped: false, retired: false });

/** Deployed, asleep, and another rebuild is owed. */
async function owe(stage: Stage, inputs: Properties = AGAIN): Promise<void> {
  const { engine, environmentId, world } = stage;
  await engine.up(skipping(stage, { rebuildOn: ["1"] }));
  world.setFlags(environmentId, { stopped: true });
  await engine.up(skipping(stage, inputs));
  expect(engine.kept("deployed").initErrors).to.deep.equal([]);
  writes(stage);
}

const asleep = (["stopped", "retired"] as const).flatMap((flag): readonly Scenario[] => [
  {
    title: `${flag}: branches that differ are owed at create, until a refresh sees it running`,
    async run(stage) {
      const { engine, environmentId, world, log } = stage;
      world.setFlags(environmentId, { [flag]: true });
      await engine.up(skipping(stage));
      expect(await log.until(OWED)).to.include({ severity: "warning" });
      await quietUps(stage, skipping(stage));
      expect(engine.kept("deployed").initErrors).to.deep.equal([]);

      world.setFlags(environmentId, { [flag]: false });
      await quiet(engine.up(skipping(stage)));
      await engine.refresh();
      expect((await engine.preview(skipping(stage))).operations).to.deep.equal({ deployed: "update" });
      await settlesWith(stage, skipping(stage), [CHANGE]);
      expect(branchChanges(stage)).to.deep.equal([{ web: "feature/x", api: "main" }]);
    },
  },
]);

const settled: readonly Scenario[] = [
  {
    title: "several changes while it sleeps are one build",
    async run(stage) {
      await owe(stage);
      const program = skipping(stage, { rebuildOn: ["3"], branches: { web: "feature/y", api: "feature/y" } });
      await stage.engine.up(program);
      await quietUps(stage, program);
      wake(stage);
      await settlesWith(stage, program, [CHANGE], { refresh: true });
    },
  },
  {
    title: "once somebody has started it, any update requests the build, and its preview looks",
    async run(stage) {
      await owe(stage);
      wake(stage);
      const { engine, log } = stage;
      await engine.preview(skipping(stage, { ...AGAIN, requires: ["MISSING"] }));
      await log.until(/lacks the variable MISSING.*: `pulumi up` fails/u);
      await settlesWith(stage, skipping(stage, { ...AGAIN, buildTimeoutSeconds: 600 }), [REBUILD]);
    },
  },
  ...[false, true].map((hasEnded): Scenario => ({
    title: `stopped while the build is waited for: a warning, and the build is looked after later${hasEnded ? ", when it is over" : ""}`,
    buildSeconds: 600,
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, world, log, clock } = stage;
      const running = engine.up(skipping(stage));
      await log.until(/build .+ is running/u);
      world.setFlags(environmentId, { stopped: true });
      await running;
      expect(engine.kept("deployed").initErrors).to.deep.equal([]);
      writes(stage);
      await quietUps(stage, skipping(stage));
      clock.advance(3_600_000);
      wake(stage);
      if (hasEnded) {
        world.queueBuild(environmentId);
        clock.advance(3_600_000);
        expect(await warningsOf(stage, skipping(stage, { requires: ["MISSING"] }))).to.deep.equal([]);
      }
      await settlesWith(stage, skipping(stage), hasEnded ? [] : [REBUILD], { refresh: true });
    },
  })),
];

contract("EnvironmentBranches, whenStopped skip", [...asleep, ...settled]);

/** How an `up` can leave a build that it did not see succeed. */
const causes: Readonly<Record<string, (stage: Stage) => void>> = {
  failed: ({ world, environmentId }) => world.failNextBuild(environmentId),
  late: ({ world, environmentId }) => {
    world.failNextBuild(environmentId);
    world.slowNextBuild(environmentId, 900);
  },
  lost: ({ sandbox }) => void sandbox.faults.add({ label: CHANGE, status: 503, times: 9 }),
};

const kept: readonly Scenario[] = Object.entries(causes).flatMap(([what, makes]) =>
  (["stopped", "retired", "deleted"] as const).map((flag): Scenario => ({
    title: `a build that was ${what}, then ${flag}: ups are quiet until a refresh sees it running`,
    choices: { branchesShown: "afterBuild" },
    buildSeconds: 30,
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, sandbox, world, clock, log } = stage;
      const program = deploying(stage, { buildTimeoutSeconds: 600 });
      makes(stage);
      expect((await failing(engine.up(program))).errors).to.have.length(1);
      clock.advance(60 * MINUTE_MS);
      sandbox.faults.clear();
      world.setFlags(environmentId, { [flag]: true });
      writes(stage);
      await engine.up(program);
      expect((await log.until(/looks at that build|the build is postponed/u)).severity).to.equal("warning");
      await quietUps(stage, program);

      world.setFlags(environmentId, { [flag]: false });
      await engine.up(program, { refresh: true });
      expect(writes(stage)).to.have.length(1);
      expect(world.builds(environmentId)[0]).to.deep.include({ outcome: "succeeded" });
      await quietUps(stage, program);
    },
  })),
);

contract("EnvironmentBranches, postponed builds", kept);

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

const OTHER = { branches: { web: "feature/x" } };

const woken = (["stopped", "retired"] as const).flatMap((flag): readonly Scenario[] => [
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
    title: "stopped while the build is waited for: the error says that the next up starts it, which it does",
    buildSeconds: 600,
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, world, log } = stage;
      const running = engine.up(waking(stage, OTHER));
      await log.until(/build .+ is running/u);
      world.setFlags(environmentId, { stopped: true });
      expect(await errorsOf(running))
        .to.contain("or run `pulumi up` again, which starts it")
        .and.not.to.contain("whenStopped");
      await engine.up(waking(stage, OTHER));
      expect(isAsleep(stage)).to.equal(false);
    },
  },
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

/** An environment that is stopped, with a build that is joined: with `wake`, the `up` starts it, and its preview says so. */
const joined: readonly Scenario[] = [
  ...[{ waitForBuild: true }, { waitForBuild: false }].map((how): Scenario => ({
    title: `a build has succeeded that was asked for with skip: with wake, the up only starts the environment ${JSON.stringify(how)}`,
    onHosts: true,
    buildSeconds: 600,
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, world, log, clock } = stage;
      const running = engine.up(skipping(stage, how));
      if (how.waitForBuild) {
        await log.until(/build .+ is running/u);
        world.setFlags(environmentId, { stopped: true });
      }
      await running;
      wake(stage);
      world.queueBuild(environmentId);
      clock.advance(3_600_000);
      world.setFlags(environmentId, { stopped: true });
      writes(stage);
      await startsIt(stage, { ...how, whenStopped: "wake" });
    },
  })),
  {
    title: "5a: a build runs in an environment that does not: the create joins it, then starts the environment",
    buildSeconds: 600,
    needsTime: true,
    async run(stage) {
      const { environmentId, world } = stage;
      world.setFlags(environmentId, { stopped: true });
      world.switchBranch(environmentId, "web", "feature/x");
      await startsIt(stage, { whenStopped: "wake" });
    },
  },
];

/** A preview says that the `up` starts the environment, and the `up` starts it, without a request for a build before. */
async function startsIt(stage: Stage, inputs: Properties): Promise<void> {
  const warnings = await warningsOf(stage, deploying(stage, inputs));
  expect(warnings).to.have.length(1);
  expect(warnings.join()).to.match(/is stopped: unless .* `pulumi up` starts the environment\.$/u);
  await stage.engine.up(deploying(stage, inputs));
  expect(writes(stage)[0]).to.equal("POST /restart");
  expect(isAsleep(stage)).to.equal(false);
}

contract("EnvironmentBranches, whenStopped wake", [...woken, ...refused, ...troubled, ...joined]);

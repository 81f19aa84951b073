import { expect } from "chai";
import { failing } from "../support/stack";
import { branchChanges, branches, contract, type Scenario, type Stage, writes } from "../support/stage";

/** A program whose branches wait for the environment to run. */
const skipping = ({ environmentId }: Stage, inputs: object = {}) =>
  branches(environmentId, { branches: { web: "feature/x" }, whenStopped: "skip", ...inputs });
const same = { deployed: "same" };
const OWED = /is (?:stopped|retired), so the build is postponed/u;

/** Each `up` is without an error and sends nothing but reads. */
async function quietUps(stage: Stage, program: ReturnType<typeof skipping>): Promise<void> {
  for (const refresh of [false, true, false])
    expect((await stage.engine.up(program, { refresh })).operations).to.deep.equal(same);
  await stage.engine.refresh();
  expect((await stage.engine.preview(program)).operations).to.deep.equal(same);
  expect(writes(stage)).to.deep.equal([]);
}

/** Inputs that ask for a rebuild once more. */
const AGAIN = { rebuildOn: ["2"] };
const wake = ({ world, environmentId }: Stage) => world.setFlags(environmentId, { stopped: false, retired: false });

/** Deployed, asleep, and another rebuild is owed. */
async function owe(stage: Stage, inputs: object = AGAIN): Promise<void> {
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
      expect((await engine.up(skipping(stage))).operations).to.deep.equal(same);
      await engine.refresh();
      expect((await engine.preview(skipping(stage))).operations).to.deep.equal({ deployed: "update" });
      await engine.up(skipping(stage));
      expect(writes(stage)).to.deep.equal(["PATCH /environment"]);
      expect(branchChanges(stage)).to.deep.equal([{ web: "feature/x", api: "main" }]);
      await quietUps(stage, skipping(stage));
    },
  },
  {
    title: `${flag}: a rebuild that is due is owed, and done once`,
    async run(stage) {
      const { engine, environmentId, world } = stage;
      await engine.up(skipping(stage, { rebuildOn: ["1"] }));
      world.setFlags(environmentId, { [flag]: true });
      writes(stage);
      const program = skipping(stage, { rebuildOn: ["2"] });
      await engine.up(program);
      await quietUps(stage, program);

      world.setFlags(environmentId, { [flag]: false });
      expect((await engine.up(program, { refresh: true })).operations).to.deep.equal({ deployed: "update" });
      expect(writes(stage)).to.deep.equal(["POST /rebuild"]);
      await quietUps(stage, program);
    },
  },
]);

const settled: readonly Scenario[] = [
  {
    title: "a build that somebody starts with the environment is not the one that is owed",
    async run(stage) {
      await owe(stage);
      wake(stage);
      stage.world.queueBuild(stage.environmentId);
      await stage.engine.up(skipping(stage, AGAIN), { refresh: true });
      expect(writes(stage)).to.deep.equal(["POST /rebuild"]);
      await quietUps(stage, skipping(stage, AGAIN));
    },
  },
  {
    title: "several changes while it sleeps are one build",
    async run(stage) {
      await owe(stage);
      const program = skipping(stage, { rebuildOn: ["3"], branches: { web: "feature/y", api: "feature/y" } });
      await stage.engine.up(program);
      await quietUps(stage, program);
      wake(stage);
      await stage.engine.up(program, { refresh: true });
      expect(writes(stage)).to.deep.equal(["PATCH /environment"]);
      await quietUps(stage, program);
    },
  },
  {
    title: "an EnvironmentState that starts the environment: the build that is owed comes after the next refresh",
    async run(stage) {
      const { engine, world, environmentId } = stage;
      const power = { type: "EnvironmentState", inputs: { environmentId, state: "running" } };
      const program = (inputs: object) => {
        const { deployed } = skipping(stage, inputs);
        return { power, deployed: { ...deployed, dependsOn: ["power"] } };
      };
      await engine.up(program({ rebuildOn: ["1"] }));
      world.setFlags(environmentId, { stopped: true });
      await engine.up(program(AGAIN));
      expect((await engine.up(program(AGAIN))).operations).to.deep.equal({ power: "same", deployed: "same" });
      const started = await engine.up(program(AGAIN), { refresh: true });
      expect(started.operations).to.deep.equal({ power: "update", deployed: "same" });
      writes(stage);
      await engine.up(program(AGAIN), { refresh: true });
      expect(writes(stage)).to.deep.equal(["POST /rebuild"]);
      expect(engine.kept("deployed").outputs).not.to.have.any.keys("pending");
      for (const refresh of [false, true])
        expect((await engine.up(program(AGAIN), { refresh })).operations).to.deep.equal({
          power: "same",
          deployed: "same",
        });
      expect(writes(stage)).to.deep.equal([]);
    },
  },
  {
    title: "with wake instead of skip, the next up does what is owed",
    async run(stage) {
      await owe(stage);
      const program = skipping(stage, { ...AGAIN, whenStopped: "wake" });
      await stage.engine.up(program);
      expect(writes(stage)).to.deep.equal(["POST /rebuild"]);
      await quietUps(stage, program);
    },
  },
  {
    title: "an environment that is deleted while a build is owed is no obstacle: refresh, up, destroy",
    async run(stage) {
      await owe(stage);
      stage.world.setFlags(stage.environmentId, { deleted: true });
      await quietUps(stage, skipping(stage, AGAIN));
      await stage.engine.destroy();
    },
  },
];

contract("EnvironmentBranches, whenStopped skip", [...asleep, ...settled]);

const troubled: readonly Scenario[] = [
  {
    title: "stopped while the build is waited for: a warning, and the build is looked after later",
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
      await engine.up(skipping(stage), { refresh: true });
      // The stop ended that build.
      expect(writes(stage)).to.deep.equal(["POST /rebuild"]);
      await quietUps(stage, skipping(stage));
    },
  },
];

contract("EnvironmentBranches, whenStopped skip in trouble", troubled);

const HOUR_MS = 3_600_000;

/** One second: where time passes by itself, a failed build is a late one. */
const deployed = ({ environmentId }: Stage, inputs: object = {}) =>
  branches(environmentId, { branches: { web: "feature/x" }, buildTimeoutSeconds: 1, ...inputs });
/** The program of a PreviewEnvironment that is to be stopped, as far as the engine sees it. */
const stopped = (stage: Stage) => ({
  power: { type: "EnvironmentState", inputs: { environmentId: stage.environmentId, state: "stopped" } },
  ...deployed(stage),
});

/** How an `up` can leave a build that it did not see succeed. */
const causes: readonly { readonly what: string; readonly makes: (stage: Stage) => void; readonly seconds?: number }[] =
  [
    { what: "failed", makes: ({ world, environmentId }) => world.failNextBuild(environmentId) },
    {
      what: "late",
      makes: ({ world, environmentId }) => {
        world.failNextBuild(environmentId);
        world.slowNextBuild(environmentId, 900);
      },
    },
    {
      what: "lost",
      makes: ({ sandbox }) => void sandbox.faults.add({ label: "PATCH /environment", status: 503, times: 9 }),
    },
  ];

const PATIENT = { buildTimeoutSeconds: 600 };

const kept: readonly Scenario[] = causes.flatMap(({ what, makes }) =>
  (["stopped", "retired", "deleted"] as const).map((flag): Scenario => ({
    title: `a build that was ${what}, then ${flag}: ups are quiet until a refresh sees it running`,
    choices: { branchesShown: "afterBuild" },
    buildSeconds: 30,
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, sandbox, world, clock, log } = stage;
      makes(stage);
      expect((await failing(engine.up(deployed(stage, PATIENT)))).errors).to.have.length(1);
      clock.advance(HOUR_MS);
      sandbox.faults.clear();
      world.setFlags(environmentId, { [flag]: true });
      writes(stage);
      await engine.up(deployed(stage, PATIENT));
      expect((await log.until(/looks at that build|the build is postponed/u)).severity).to.equal("warning");
      for (const refresh of [false, true, false])
        expect((await engine.up(deployed(stage, PATIENT), { refresh })).operations).to.deep.equal({
          deployed: "same",
        });
      expect(writes(stage)).to.deep.equal([]);

      world.setFlags(environmentId, { [flag]: false });
      await engine.up(deployed(stage, PATIENT), { refresh: true });
      expect(writes(stage)).to.have.length(1);
      expect(world.builds(environmentId)[0]).to.deep.include({ outcome: "succeeded" });
      expect((await engine.up(deployed(stage, PATIENT), { refresh: true })).operations).to.deep.equal({
        deployed: "same",
      });
    },
  })),
);

const wanted: readonly Scenario[] = [
  {
    title:
      "a failed build, then a program that wants it stopped: it stops, and the next up, preview and refresh are quiet",
    async run(stage) {
      const { engine, environmentId, world } = stage;
      world.failNextBuild(environmentId);
      expect((await failing(engine.up(deployed(stage)))).errors).to.have.length(1);
      writes(stage);
      await engine.up(stopped(stage));
      expect(writes(stage)).to.deep.equal(["POST /stop"]);
      for (const run of [engine.up(stopped(stage)), engine.preview(stopped(stage))])
        expect((await run).operations).to.deep.equal({ power: "same", deployed: "same" });
      expect((await engine.up(stopped(stage), { refresh: true })).operations).to.deep.equal({
        power: "same",
        deployed: "same",
      });
      expect(writes(stage)).to.deep.equal([]);

      const running = {
        ...stopped(stage),
        power: { type: "EnvironmentState", inputs: { environmentId, state: "running" } },
      };
      expect((await engine.preview(running)).operations).to.deep.equal({ power: "update", deployed: "same" });
      await engine.up(running);
      expect((await engine.up(running, { refresh: true })).operations).to.deep.include({ deployed: "update" });
      expect(world.builds(environmentId)[0]).to.deep.include({ outcome: "succeeded" });
      expect((await engine.up(running, { refresh: true })).operations).to.deep.equal({
        power: "same",
        deployed: "same",
      });
    },
  },
];

contract("EnvironmentBranches, postponed builds", [...kept, ...wanted]);

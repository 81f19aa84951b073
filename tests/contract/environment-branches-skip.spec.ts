import { expect } from "chai";
import { branches, contract, type Scenario, type Stage } from "../support/stage";
import { changes } from "./support/branch-changes";

const writes = ({ requests }: Stage): readonly string[] => requests().filter((label) => !label.startsWith("GET"));
const skipping = ({ environmentId }: Stage, inputs: object = {}) =>
  branches(environmentId, { branches: { web: "feature/x" }, whenStopped: "skip", ...inputs });
const same = { deployed: "same" };
const OWED = /is (?:stopped|retired), so no build was requested\. It is owed/u;

/** Each `up` is without an error and sends nothing but reads. */
async function quietUps(stage: Stage, program: ReturnType<typeof skipping>): Promise<void> {
  for (const refresh of [false, true, false])
    expect((await stage.engine.up(program, { refresh })).operations).to.deep.equal(same);
  expect((await stage.engine.refresh()).errors).to.deep.equal([]);
  expect((await stage.engine.preview(program)).operations).to.deep.equal(same);
  expect(writes(stage)).to.deep.equal([]);
}

const asleep = (["stopped", "retired"] as const).flatMap((flag): readonly Scenario[] => [
  {
    title: `${flag}: branches that differ are owed at create, until a refresh sees it running`,
    async run(stage) {
      const { engine, environmentId, world, log } = stage;
      world.setFlags(environmentId, { [flag]: true });
      expect((await engine.up(skipping(stage))).errors).to.deep.equal([]);
      expect(await log.until(OWED)).to.include({ severity: "warning" });
      await quietUps(stage, skipping(stage));
      expect(engine.kept("deployed").initErrors).to.deep.equal([]);

      world.setFlags(environmentId, { [flag]: false });
      expect((await engine.up(skipping(stage))).operations).to.deep.equal(same);
      expect((await engine.refresh()).errors).to.deep.equal([]);
      expect((await engine.preview(skipping(stage))).operations).to.deep.equal({ deployed: "update" });
      expect((await engine.up(skipping(stage))).errors).to.deep.equal([]);
      expect(writes(stage)).to.deep.equal(["PATCH /environment"]);
      expect(changes(stage)).to.deep.equal([{ web: "feature/x", api: "main" }]);
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
      expect((await engine.up(program)).errors).to.deep.equal([]);
      await quietUps(stage, program);

      world.setFlags(environmentId, { [flag]: false });
      expect((await engine.up(program, { refresh: true })).operations).to.deep.equal({ deployed: "update" });
      expect(writes(stage)).to.deep.equal(["POST /rebuild"]);
      await quietUps(stage, program);
    },
  },
]);

const AGAIN = { rebuildOn: ["2"] };
const wake = ({ world, environmentId }: Stage) => world.setFlags(environmentId, { stopped: false, retired: false });

/** Deployed, asleep, and another rebuild is owed. */
async function owe(stage: Stage, inputs: object = AGAIN): Promise<void> {
  const { engine, environmentId, world } = stage;
  await engine.up(skipping(stage, { rebuildOn: ["1"] }));
  world.setFlags(environmentId, { stopped: true });
  expect((await engine.up(skipping(stage, inputs))).errors).to.deep.equal([]);
  expect(engine.kept("deployed").initErrors).to.deep.equal([]);
  writes(stage);
}

const settled: readonly Scenario[] = [
  {
    title: "a build that somebody starts with the environment is the one that was owed",
    async run(stage) {
      await owe(stage);
      wake(stage);
      stage.world.queueBuild(stage.environmentId);
      expect((await stage.engine.up(skipping(stage, AGAIN), { refresh: true })).errors).to.deep.equal([]);
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
      expect((await stage.engine.up(program, { refresh: true })).errors).to.deep.equal([]);
      expect(writes(stage)).to.deep.equal(["PATCH /environment"]);
      await quietUps(stage, program);
    },
  },
  {
    title: "branches that the program takes back while it sleeps need no build",
    async run(stage) {
      await owe(stage, { rebuildOn: ["1"], branches: { web: "feature/y" } });
      const program = skipping(stage, { rebuildOn: ["1"] });
      expect((await stage.engine.up(program)).errors).to.deep.equal([]);
      expect(stage.engine.kept("deployed").outputs).not.to.have.any.keys("pending");
      wake(stage);
      await quietUps(stage, program);
    },
  },
  {
    title: "a rebuild that was owed is done when the branches are taken back",
    async run(stage) {
      await owe(stage, { rebuildOn: ["2"], branches: { web: "feature/y" } });
      await stage.engine.up(skipping(stage, AGAIN));
      await quietUps(stage, skipping(stage, AGAIN));
      wake(stage);
      expect((await stage.engine.up(skipping(stage, AGAIN), { refresh: true })).errors).to.deep.equal([]);
      expect(writes(stage)).to.deep.equal(["POST /rebuild"]);
      await quietUps(stage, skipping(stage, AGAIN));
    },
  },
  {
    title: "without waitForBuild it is owed all the same",
    async run(stage) {
      const how = { ...AGAIN, waitForBuild: false };
      await owe(stage, how);
      await quietUps(stage, skipping(stage, how));
      wake(stage);
      expect((await stage.engine.up(skipping(stage, how), { refresh: true })).errors).to.deep.equal([]);
      expect(writes(stage)).to.deep.equal(["POST /rebuild"]);
      await quietUps(stage, skipping(stage, how));
    },
  },
  {
    title: "seen running, then asleep again: quiet again, and owed until the next time",
    async run(stage) {
      await owe(stage, { ...AGAIN, branches: { web: "feature/y" } });
      const program = skipping(stage, { ...AGAIN, branches: { web: "feature/y" } });
      wake(stage);
      await stage.engine.refresh();
      stage.world.setFlags(stage.environmentId, { retired: true });
      await stage.engine.refresh();
      await quietUps(stage, program);
      wake(stage);
      expect((await stage.engine.up(program, { refresh: true })).errors).to.deep.equal([]);
      expect(writes(stage)).to.deep.equal(["PATCH /environment"]);
    },
  },
  {
    title: "a program that begins to want it running gets the build in the same up",
    async run(stage) {
      await owe(stage);
      const power = { type: "EnvironmentState", inputs: { environmentId: stage.environmentId, state: "running" } };
      const program = { power, ...skipping(stage, AGAIN) };
      expect((await stage.engine.preview(program)).operations).to.deep.equal({ power: "create", deployed: "update" });
      expect((await stage.engine.up(program)).errors).to.deep.equal([]);
      expect(stage.engine.kept("deployed").outputs).not.to.have.any.keys("pending");
    },
  },
  ...(["stopped", "retired"] as const).map((flag): Scenario => ({
    title: `the up that starts an environment which fell asleep unseen also does what is owed (${flag})`,
    async run(stage) {
      const power = { type: "EnvironmentState", inputs: { environmentId: stage.environmentId, state: "running" } };
      const program = { power, ...skipping(stage, AGAIN) };
      await stage.engine.up({ power, ...skipping(stage, { rebuildOn: ["1"] }) });
      stage.world.setFlags(stage.environmentId, { [flag]: true });
      expect((await stage.engine.up(program)).errors).to.deep.equal([]);
      expect((await stage.engine.up(program)).operations).to.deep.equal({ power: "same", deployed: "same" });
      expect((await stage.engine.up(program, { refresh: true })).operations).to.deep.equal({
        power: "update",
        deployed: "update",
      });
      expect(stage.engine.kept("deployed").outputs).not.to.have.any.keys("pending");
      writes(stage);
      for (const refresh of [false, true])
        expect((await stage.engine.up(program, { refresh })).operations).to.deep.equal({
          power: "same",
          deployed: "same",
        });
      expect(writes(stage)).to.deep.equal([]);
    },
  })),
  {
    title: "with wake instead of skip, the next up does what is owed",
    async run(stage) {
      await owe(stage);
      const program = skipping(stage, { ...AGAIN, whenStopped: "wake" });
      expect((await stage.engine.up(program)).errors).to.deep.equal([]);
      expect(writes(stage)).to.deep.equal(["POST /rebuild"]);
      await quietUps(stage, program);
    },
  },
  {
    title: "with fail instead of skip, what is owed stays so, and what is new is an error",
    async run(stage) {
      await owe(stage);
      const program = skipping(stage, { ...AGAIN, whenStopped: "fail" });
      expect((await stage.engine.up(program)).errors).to.deep.equal([]);
      await quietUps(stage, program);
      expect((await stage.engine.up(skipping(stage, { rebuildOn: ["3"], whenStopped: "fail" }))).errors).to.have.length(
        1,
      );
      wake(stage);
      expect((await stage.engine.up(program, { refresh: true })).errors).to.deep.equal([]);
      expect(writes(stage)).to.deep.equal(["POST /rebuild"]);
    },
  },
  {
    title: "an environment that is deleted while a build is owed is no obstacle: refresh, up, destroy",
    async run(stage) {
      await owe(stage);
      stage.world.setFlags(stage.environmentId, { deleted: true });
      await quietUps(stage, skipping(stage, AGAIN));
      expect((await stage.engine.destroy()).errors).to.deep.equal([]);
    },
  },
];

const troubles = [
  { what: "503 before the service acted", fault: { status: 503, times: 99 }, errors: 1 },
  { what: "an answer lost after it acted", fault: { dropAfter: true }, errors: 0 },
  { what: "a connection lost before it acted", fault: { dropBefore: true }, errors: 1 },
];

const troubled: readonly Scenario[] = [
  ...troubles.map(({ what, fault, errors }): Scenario => ({
    title: `the build that is owed, ${what}: one build in the end`,
    needsTime: true,
    async run(stage) {
      await owe(stage);
      wake(stage);
      const { engine, sandbox, world, environmentId } = stage;
      const before = world.builds(environmentId).length;
      sandbox.faults.add({ label: "POST /rebuild", ...fault });
      expect((await engine.up(skipping(stage, AGAIN), { refresh: true })).errors).to.have.length(errors);
      sandbox.faults.clear();
      expect((await engine.up(skipping(stage, AGAIN), { refresh: true })).errors).to.deep.equal([]);
      expect(world.builds(environmentId)).to.have.length(before + 1);
    },
  })),
  ...["GET /environment", "GET /build-history"].map((label): Scenario => ({
    title: `${label} fails while it sleeps: an error, and the next up owes the build`,
    async run(stage) {
      const { engine, environmentId, sandbox, world } = stage;
      await engine.up(skipping(stage, { rebuildOn: ["1"] }));
      world.setFlags(environmentId, { stopped: true });
      sandbox.faults.add({ label, status: 500 });
      expect((await engine.up(skipping(stage, AGAIN))).errors).to.have.length(1);
      expect((await engine.up(skipping(stage, AGAIN))).errors).to.deep.equal([]);
      writes(stage);
      wake(stage);
      await engine.up(skipping(stage, AGAIN), { refresh: true });
      expect(writes(stage)).to.deep.equal(["POST /rebuild"]);
    },
  })),
  {
    title: "an up that is killed after it did what was owed: the next one does not build again",
    async run(stage) {
      await owe(stage);
      wake(stage);
      const { engine } = stage;
      await engine.refresh();
      const before = new Map(engine.state);
      await engine.up(skipping(stage, AGAIN));
      expect(writes(stage)).to.deep.equal(["POST /rebuild"]);
      engine.state.clear();
      for (const [name, kept] of before) engine.state.set(name, kept);
      expect((await engine.up(skipping(stage, AGAIN), { refresh: true })).errors).to.deep.equal([]);
      await quietUps(stage, skipping(stage, AGAIN));
    },
  },
  {
    title: "stopped while the build is waited for: a warning, and the build is looked after later",
    buildSeconds: 600,
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, world, log, clock } = stage;
      const running = engine.up(skipping(stage));
      await log.until(/building/u);
      world.setFlags(environmentId, { stopped: true });
      expect((await running).errors).to.deep.equal([]);
      expect(engine.kept("deployed").initErrors).to.deep.equal([]);
      writes(stage);
      await quietUps(stage, skipping(stage));
      clock.advance(3_600_000);
      wake(stage);
      expect((await engine.up(skipping(stage), { refresh: true })).errors).to.deep.equal([]);
      // The stop ended that build.
      expect(writes(stage)).to.deep.equal(["POST /rebuild"]);
      await quietUps(stage, skipping(stage));
    },
  },
  {
    title: "one that sleeps spoils nothing of the others in the same up",
    async run(stage) {
      const others = Array.from({ length: 5 }, (_, index) => stage.addEnvironment({ name: `pr-${index}` }));
      const { engine, environmentId, world } = stage;
      world.setFlags(environmentId, { stopped: true });
      const program = Object.fromEntries(
        [environmentId, ...others].map((id) => [id, skipping({ ...stage, environmentId: id }).deployed]),
      );
      expect((await engine.up(program, { parallel: true })).errors).to.deep.equal([]);
      for (const id of others) expect(world.builds(id)).to.have.length(2);
      expect(world.builds(environmentId)).to.have.length(1);
      expect(Object.values((await engine.up(program, { refresh: true })).operations)).to.deep.equal(
        Array.from({ length: 6 }, () => "same"),
      );
    },
  },
];

contract("EnvironmentBranches, whenStopped skip", [...asleep, ...settled, ...troubled]);

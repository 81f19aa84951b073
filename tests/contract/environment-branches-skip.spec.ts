import { expect } from "chai";
import { failing } from "../support/stack";
import { branchChanges, contract, type Scenario, writes } from "../support/stage";
import { AGAIN, OWED, owe, quietUps, same, skipping, wake } from "./support/skipped-builds";

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
    title: "branches that the program takes back while it sleeps need no build",
    async run(stage) {
      await owe(stage, { rebuildOn: ["1"], branches: { web: "feature/y" } });
      const program = skipping(stage, { rebuildOn: ["1"] });
      await stage.engine.up(program);
      expect(stage.engine.kept("deployed").outputs).not.to.have.any.keys("pending");
      wake(stage);
      await quietUps(stage, program);
    },
  },
  {
    title: "a replacement owes the rebuild that the old resource owed",
    async run(stage) {
      await owe(stage);
      const program = skipping(stage);
      const replaced = await stage.engine.up(program, { replace: ["deployed"] });
      expect(replaced).to.deep.include({ operations: { deployed: "replace" } });
      wake(stage);
      await stage.engine.up(program, { refresh: true });
      expect(writes(stage)).to.deep.equal(["POST /rebuild"]);
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
      await stage.engine.up(skipping(stage, AGAIN), { refresh: true });
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
      await stage.engine.up(skipping(stage, how), { refresh: true });
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
      await stage.engine.up(program, { refresh: true });
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
      await stage.engine.up(program);
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
      await stage.engine.up(program);
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
      await stage.engine.up(program);
      expect(writes(stage)).to.deep.equal(["POST /rebuild"]);
      await quietUps(stage, program);
    },
  },
  {
    title: "with fail instead of skip, what is owed stays so, and what is new is an error",
    async run(stage) {
      await owe(stage);
      const program = skipping(stage, { ...AGAIN, whenStopped: "fail" });
      await stage.engine.up(program);
      await quietUps(stage, program);
      expect(
        (await failing(stage.engine.up(skipping(stage, { rebuildOn: ["3"], whenStopped: "fail" })))).errors,
      ).to.have.length(1);
      wake(stage);
      await stage.engine.up(program, { refresh: true });
      expect(writes(stage)).to.deep.equal(["POST /rebuild"]);
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

import { expect } from "chai";
import type { Properties } from "../../provider/src/framework/properties";
import { errorsOf, failing, quiet } from "../support/stack";
import { contract, type Scenario, type Stage, warningsOf, writes } from "../support/stage";
import {
  CHANGE,
  deploying,
  hasNewestBuild,
  isSettled,
  MINUTE_MS,
  pendingOf,
  REBUILD,
  settlesWith,
} from "./support/builds";

/** An `up` that ends before its build does: the build is asked for, and not awaited any more. */
async function ask(stage: Stage, inputs: Properties = {}): Promise<void> {
  stage.world.slowNextBuild(stage.environmentId, 90);
  expect(
    (await failing(stage.engine.up(deploying(stage, { buildTimeoutSeconds: 30, ...inputs })))).errors,
  ).to.have.length(1);
  expect(pendingOf(stage)).to.include({ status: "asked" });
  writes(stage);
}

const late = { needsTime: true, buildSeconds: 90 } as const;

/** One scenario for each row of the table of builds (builds/due-build.ts) that no other one is about. */
const rows: readonly Scenario[] = [
  {
    title: "1: rebuildOn has changed while the build that was asked for runs: one more is requested",
    ...late,
    async run(stage) {
      await ask(stage, { rebuildOn: ["1"] });
      await settlesWith(stage, deploying(stage, { rebuildOn: ["2"] }), [REBUILD]);
    },
  },
  {
    title: "1: what is owed is requested although somebody has brought the branches there meanwhile",
    ...late,
    async run(stage) {
      const { engine, environmentId, world, clock } = stage;
      world.failNextBuild(environmentId);
      expect((await failing(engine.up(deploying(stage)))).errors).to.have.length(1);
      expect(pendingOf(stage)).to.deep.equal({ v: 1, status: "owed", branches: { web: "feature/x" } });
      world.switchBranch(environmentId, "web", "feature/x");
      clock.advance(10 * MINUTE_MS);
      await settlesWith(stage, deploying(stage), [REBUILD]);
    },
  },
  {
    title: "2a: the build that was asked for has succeeded since: it is recorded, with two GETs",
    ...late,
    async run(stage) {
      const { engine, clock, requests } = stage;
      await ask(stage);
      clock.advance(10 * MINUTE_MS);
      requests();
      await engine.up(deploying(stage));
      expect(requests()).to.deep.equal(["GET /environment", "GET /build-history"]);
      hasNewestBuild(stage);
      await isSettled(stage, deploying(stage));
    },
  },
  {
    title: "2b: a repository that is not declared any more makes no other build of it",
    ...late,
    async run(stage) {
      await ask(stage, { branches: { web: "feature/x", api: "feature/x" } });
      await settlesWith(stage, deploying(stage), []);
    },
  },
  {
    title:
      "2c: a build that no up has waited for has failed: a preview of the first up that waits says that it requests another",
    onHosts: true,
    async run(stage) {
      const { environmentId, engine, world } = stage;
      const unawaited = deploying(stage, { waitForBuild: false });
      world.failNextBuild(environmentId);
      await engine.up(unawaited);
      expect(await warningsOf(stage, unawaited)).to.deep.equal([]);
      const [warning = "", ...others] = await warningsOf(stage, deploying(stage));
      expect(warning).to.match(/was not seen to succeed\. `pulumi up` requests another one\.$/u);
      expect(others).to.deep.equal([]);
      await settlesWith(stage, deploying(stage), [REBUILD]);
      expect(await warningsOf(stage, deploying(stage))).to.deep.equal([]);
    },
  },
  {
    title: "4: the preview of the first up that waits does not speak of a build that has succeeded",
    onHosts: true,
    async run(stage) {
      const { environmentId, engine, world } = stage;
      await engine.up(deploying(stage, { waitForBuild: false }));
      world.finishBuilds(environmentId);
      world.switchBranch(environmentId, "web", "by-hand", { build: false });
      expect(await warningsOf(stage, deploying(stage))).to.deep.equal([]);
      await settlesWith(stage, deploying(stage), [CHANGE]);
    },
  },
  {
    title: "2c: somebody's build of other branches runs: the declared ones are requested again",
    ...late,
    async run(stage) {
      const { environmentId, world } = stage;
      await ask(stage);
      world.switchBranch(environmentId, "web", "by-hand");
      await settlesWith(stage, deploying(stage), [CHANGE]);
    },
  },
  ...[
    { when: "it runs", choices: { branchesShown: "afterBuild" as const } },
    {
      when: "it waits in a queue, and is not listed",
      choices: {
        branchesShown: "afterBuild" as const,
        processingStarts: "late" as const,
        processingDelaySeconds: 60,
        buildListed: "whenProcessing" as const,
      },
    },
  ].map(({ when, choices }): Scenario => ({
    title: `3: a build of other branches was asked for, and ${when}: the declared ones are requested, which the environment still shows`,
    ...late,
    choices,
    async run(stage) {
      await ask(stage, { branches: { web: "feature/y", api: "feature/y" } });
      const main = { branches: { web: "main" } };
      await settlesWith(stage, deploying(stage, main), [CHANGE]);
      // What is not declared any more keeps the branch that it was about to get.
      expect(stage.world.environments.get(stage.environmentId)?.projects.map(({ branch }) => branch)).to.deep.equal([
        "main",
        "feature/y",
      ]);
    },
  })),
  {
    title: "3: a build of other branches was asked for, and has ended: nothing is requested",
    ...late,
    async run(stage) {
      const { environmentId, world, clock } = stage;
      await ask(stage);
      clock.advance(10 * MINUTE_MS);
      world.switchBranch(environmentId, "web", "main", { build: false });
      await settlesWith(stage, deploying(stage, { branches: { web: "main" } }), []);
    },
  },
  {
    title: "4: the environment has other branches, and the build that was asked for is over: a change",
    ...late,
    async run(stage) {
      const { engine, clock } = stage;
      await engine.up(deploying(stage, { waitForBuild: false }));
      clock.advance(10 * MINUTE_MS);
      stage.world.switchBranch(stage.environmentId, "web", "by-hand", { build: false });
      writes(stage);
      await engine.up(deploying(stage, { waitForBuild: false }), { refresh: true });
      expect(writes(stage)).to.deep.equal([CHANGE]);
      expect(pendingOf(stage)).to.include({ status: "asked" });
    },
  },
  {
    title: "5: a change that finds its branches there, and a build running, waits for it",
    ...late,
    async run(stage) {
      const { engine, environmentId, world } = stage;
      await engine.up(deploying(stage));
      world.switchBranch(environmentId, "web", "feature/y");
      await settlesWith(stage, deploying(stage, { branches: { web: "feature/y" } }), []);
      hasNewestBuild(stage);
      expect(world.builds(environmentId)[0]).to.include({ outcome: "succeeded" });
    },
  },
  {
    title: "5, without a wait: nothing is asked for, and nothing is pending",
    ...late,
    async run(stage) {
      const { engine, environmentId, world, requests } = stage;
      world.switchBranch(environmentId, "web", "feature/x");
      await engine.up(deploying(stage, { waitForBuild: false }));
      expect(requests()).to.deep.equal(["GET /environment"]);
      expect(pendingOf(stage)).to.equal(undefined);
    },
  },
];

contract("EnvironmentBranches, what is due of a build", rows);

/** Nothing can be read of a deleted environment's builds. */
const asleep: readonly Scenario[] = [
  {
    title: "a build that an update waits for, once the environment is back, sleeps no more",
    ...late,
    async run(stage) {
      const { engine, environmentId, world, clock } = stage;
      await ask(stage);
      world.setFlags(environmentId, { deleted: true });
      await engine.up(deploying(stage));
      world.setFlags(environmentId, { deleted: false });
      clock.advance(MINUTE_MS);
      world.pushCommit(environmentId, "web");
      expect((await failing(engine.up(deploying(stage, { buildTimeoutSeconds: 20 })))).errors).to.have.length(1);
      expect(pendingOf(stage)).to.include({ status: "asked" }).and.not.to.have.property("asleep");
      expect(writes(stage)).to.deep.equal([]);
    },
  },
  ...["fail", "skip"].map((whenStopped): Scenario => ({
    title: `what was asked for stays asked while the environment is deleted, and is recorded once it is back (${whenStopped})`,
    ...late,
    async run(stage) {
      const { engine, environmentId, world, clock } = stage;
      await ask(stage, { whenStopped });
      clock.advance(10 * MINUTE_MS);
      world.setFlags(environmentId, { deleted: true });
      await engine.up(deploying(stage, { whenStopped }));
      expect(pendingOf(stage)).to.include({ status: "asked", asleep: true });
      for (const refresh of [false, true]) await quiet(engine.up(deploying(stage, { whenStopped }), { refresh }));
      world.setFlags(environmentId, { deleted: false });
      await settlesWith(stage, deploying(stage, { whenStopped }), [], { refresh: true });
    },
  })),
];

contract("EnvironmentBranches, what was asked for, in an environment that sleeps", asleep);

const WITHOUT = { waitForBuild: false };

const notAwaited: readonly Scenario[] = [
  {
    title:
      "a build that was asked for is no difference while it runs, once it has failed, and where an input changes beside it",
    ...late,
    async run(stage) {
      const { engine, environmentId, world, clock } = stage;
      world.failNextBuild(environmentId);
      await engine.up(deploying(stage, WITHOUT));
      expect(pendingOf(stage)).to.include({ status: "asked" });
      writes(stage);
      const nothingDiffers = async () => {
        for (const refresh of [false, true]) await quiet(engine.up(deploying(stage, WITHOUT), { refresh }));
        await engine.up(deploying(stage, { ...WITHOUT, onDestroy: "restore" }));
        await engine.up(deploying(stage, WITHOUT));
        expect(writes(stage)).to.deep.equal([]);
      };
      await nothingDiffers();
      clock.advance(10 * MINUTE_MS);
      await nothingDiffers();
      expect(pendingOf(stage)).to.include({ status: "asked" });

      await settlesWith(stage, deploying(stage), [REBUILD]);
    },
  },
  ...[true, false].map((waits): Scenario => ({
    title: `a refresh while the build runs takes branches that show only after it for no drift (waitForBuild: ${waits})`,
    ...late,
    choices: { branchesShown: "afterBuild" },
    async run(stage) {
      const { engine } = stage;
      if (waits) await ask(stage);
      else await engine.up(deploying(stage, WITHOUT));
      await quiet(engine.refresh());
      expect(engine.kept("deployed").outputs).to.deep.include({ branches: { web: "feature/x" } });
      const { operations } = await engine.up(deploying(stage, waits ? {} : WITHOUT));
      expect(operations).to.deep.equal({ deployed: waits ? "update" : "same" });
    },
  })),
];

contract("EnvironmentBranches, builds that are not awaited", notAwaited);

/** A service that builds one after the other, with a pause, and lists a build when it ends. */
const inTurn = {
  buildWhileBuilding: "waits",
  processingStarts: "late",
  processingDelaySeconds: 20,
  buildListed: "afterBuild",
} as const;

/** Somebody's build of the declared branches, which runs as the `up` begins. */
function occupy({ world, environmentId, clock }: Stage, branch = "feature/x"): void {
  world.slowNextBuild(environmentId, 60);
  world.switchBranch(environmentId, "web", branch);
  clock.advance(30_000);
}

const AGAIN = { rebuildOn: ["1"] };

const busy: readonly Scenario[] = [
  {
    title: "somebody's build that runs before the request is none of this resource: its own, which fails, is the error",
    ...late,
    choices: inTurn,
    async run(stage) {
      const { engine, environmentId, world } = stage;
      occupy(stage);
      world.failNextBuild(environmentId);
      const text = await errorsOf(engine.up(deploying(stage, AGAIN)));
      const [own, foreign] = world.builds(environmentId);
      expect([own?.outcome, foreign?.outcome]).to.deep.equal(["failed", "succeeded"]);
      expect(text).to.contain(own?.id);
      expect(writes(stage)).to.deep.equal([REBUILD]);
      await settlesWith(stage, deploying(stage, AGAIN), [REBUILD]);
    },
  },
  ...(["immediately", "whenProcessing", "afterBuild"] as const).flatMap((buildListed) =>
    (["supersedes", "waits"] as const).map((buildWhileBuilding): Scenario => ({
      title: `behind somebody's build, the own one is waited for (listed ${buildListed}, ${buildWhileBuilding})`,
      ...late,
      choices: { ...inTurn, buildListed, buildWhileBuilding },
      async run(stage) {
        occupy(stage);
        await settlesWith(stage, deploying(stage, AGAIN), [REBUILD]);
        hasNewestBuild(stage);
      },
    })),
  ),
  {
    title: "a wait that ends while somebody's build runs: the next up waits for the own one",
    ...late,
    choices: inTurn,
    async run(stage) {
      const { engine } = stage;
      occupy(stage);
      expect((await failing(engine.up(deploying(stage, { ...AGAIN, buildTimeoutSeconds: 10 })))).errors).to.have.length(
        1,
      );
      expect(pendingOf(stage)).to.include({ status: "asked", busy: true });
      writes(stage);
      await engine.up(deploying(stage, { ...AGAIN, buildTimeoutSeconds: 900 }));
      expect(writes(stage)).to.deep.equal([]);
      hasNewestBuild(stage);
    },
  },
  {
    title: "nothing follows somebody's build for 120 s: an error, and the build is owed",
    ...late,
    async run(stage) {
      const { engine, sandbox, clock } = stage;
      occupy(stage);
      // Accepted, and forgotten.
      sandbox.faults.add({ label: REBUILD, status: 204, body: "" });
      const start = clock.now();
      expect(await errorsOf(engine.up(deploying(stage, AGAIN)))).to.contain("none has followed it");
      expect(clock.now() - start).to.be.within(2 * MINUTE_MS, 4 * MINUTE_MS);
      expect(pendingOf(stage)).to.include({ status: "owed" });
      await settlesWith(stage, deploying(stage, AGAIN), [REBUILD]);
    },
  },
  ...[1, 2].map((count): Scenario => ({
    title: `a request that is lost while somebody's build runs: ${count} of these are no trace of it`,
    ...late,
    choices: inTurn,
    async run(stage) {
      const { engine, sandbox, world, environmentId } = stage;
      occupy(stage);
      if (count > 1) world.queueBuild(environmentId);
      sandbox.faults.add({ label: REBUILD, dropBefore: true });
      expect(await errorsOf(engine.up(deploying(stage, AGAIN)))).to.contain("requests the build again");
      expect(pendingOf(stage)).to.include({ status: "owed" });
      await settlesWith(stage, deploying(stage, AGAIN), [REBUILD]);
    },
  })),
];

contract("EnvironmentBranches, behind somebody's build", busy);

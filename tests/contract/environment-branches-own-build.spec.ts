import { expect } from "chai";
import { failing } from "../support/stack";
import { branches, contract, type Scenario, type Stage, writes } from "../support/stage";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** A service that shows branches only once they are built. */
const late = { buildSeconds: 60, choices: { branchesShown: "afterBuild" } } as const;

const program = ({ environmentId }: Stage, web: string, inputs: object = {}) =>
  branches(environmentId, { branches: { web }, ...inputs });

/** The branch that the environment has once every build is over. */
function settled({ clock, environmentId, world }: Stage): string | undefined {
  clock.advance(10 * MINUTE_MS);
  return world.environments.get(environmentId)?.projects.find(({ repoName }) => repoName === "web")?.branch;
}

/** Waits that end before the build does, with what state then says of it. */
const WAITS = [
  ["not awaited", { waitForBuild: false }, "notAwaited"],
  ["awaited too short", { buildTimeoutSeconds: 10 }, "requested"],
] as const;

const restored: readonly Scenario[] = [
  ...WAITS.map(([how, inputs, status]): Scenario => ({
    ...late,
    needsTime: status === "requested",
    title: `onDestroy restore while the build of this resource runs, which was ${how}, puts the branches back`,
    async run(stage) {
      const { engine } = stage;
      const running = engine.up(program(stage, "feature", { onDestroy: "restore", ...inputs }));
      await ("buildTimeoutSeconds" in inputs ? failing(running) : running);
      expect(engine.kept("deployed").outputs).to.have.nested.property("pending.status", status);
      writes(stage);
      await engine.destroy();
      expect(writes(stage)).to.deep.equal(["PATCH /environment"]);
      expect(settled(stage)).to.equal("main");
    },
  })),
  {
    ...late,
    title: "onDestroy restore while the build of this resource waits in a queue of the service",
    choices: { ...late.choices, processingStarts: "late", processingDelaySeconds: 30, buildListed: "whenProcessing" },
    async run(stage) {
      const { engine } = stage;
      await engine.up(program(stage, "feature", { onDestroy: "restore", waitForBuild: false }));
      await engine.destroy();
      expect(settled(stage)).to.equal("main");
    },
  },
  {
    ...late,
    needsTime: true,
    title:
      "onDestroy restore while the build of this resource runs, and the request is lost: an error, and the next destroy sends it",
    async run(stage) {
      const { engine, sandbox } = stage;
      await engine.up(program(stage, "feature", { onDestroy: "restore", waitForBuild: false }));
      sandbox.faults.add({ label: "PATCH /environment", dropBefore: true });
      expect((await failing(engine.destroy())).errors.join()).to.contain("not known whether the service acted on it");
      await engine.destroy();
      expect(settled(stage)).to.equal("main");
    },
  },
  ...["ended", "was superseded by one of the branches found at create"].map((what): Scenario => ({
    ...late,
    title: `onDestroy restore with nothing to put back, after a build that nobody awaited ${what}, sends nothing`,
    async run(stage) {
      const { engine, environmentId, world, clock } = stage;
      await engine.up(program(stage, "feature", { onDestroy: "restore", waitForBuild: false }));
      if (what === "ended") clock.advance(2 * MINUTE_MS);
      world.switchBranch(environmentId, "web", "main");
      clock.advance(2 * MINUTE_MS);
      writes(stage);
      await engine.destroy();
      expect(writes(stage)).to.deep.equal([]);
    },
  })),
];

contract("EnvironmentBranches, restored while its own build runs", restored);

const putBack: readonly Scenario[] = [
  ...[false, true].map((waitForBuild): Scenario => ({
    ...late,
    needsTime: waitForBuild,
    title: `branches put back while the build of this resource runs, which nobody awaited, are deployed (waitForBuild: ${waitForBuild})`,
    async run(stage) {
      const { engine, environmentId, world } = stage;
      await engine.up(program(stage, "feature", { waitForBuild: false }));
      writes(stage);
      await engine.up(program(stage, "main", { waitForBuild }));
      expect(writes(stage)).to.deep.equal(["PATCH /environment"]);
      expect(settled(stage)).to.equal("main");
      expect((await engine.up(program(stage, "main", { waitForBuild }), { refresh: true })).operations).to.deep.equal({
        deployed: "same",
      });
      expect(world.builds(environmentId)).to.have.length(3);
    },
  })),
  ...[{ waitForBuild: false }, { buildTimeoutSeconds: 10 }].map((inputs): Scenario => ({
    ...late,
    needsTime: inputs.waitForBuild !== false,
    title: `branches put back while the build of this resource waits in a queue of the service are deployed (${Object.keys(inputs).join()})`,
    choices: { ...late.choices, processingStarts: "late", processingDelaySeconds: 30, buildListed: "whenProcessing" },
    async run(stage) {
      const { engine } = stage;
      const running = engine.up(program(stage, "feature", inputs));
      await (inputs.waitForBuild === false ? running : failing(running));
      await engine.up(program(stage, "main", { ...inputs, waitForBuild: false }));
      expect(settled(stage)).to.equal("main");
    },
  })),
  ...[{}, { rebuildOn: ["1"] }].map((inputs): Scenario => ({
    ...late,
    needsTime: true,
    title: `branches put back after a build that failed are deployed at once (${Object.keys(inputs).join() || "alone"})`,
    async run(stage) {
      const { engine, environmentId, world } = stage;
      world.failNextBuild(environmentId);
      expect((await failing(engine.up(program(stage, "feature", {})))).errors).to.have.length(1);
      writes(stage);
      await engine.up(program(stage, "main", inputs));
      expect(writes(stage)).to.deep.equal(["PATCH /environment"]);
      expect(settled(stage)).to.equal("main");
      expect((await engine.up(program(stage, "main", inputs), { refresh: true })).operations).to.deep.equal({
        deployed: "same",
      });
    },
  })),
  {
    ...late,
    title: "branches put back together with other values of rebuildOn, while the build of this resource runs",
    async run(stage) {
      const { engine } = stage;
      await engine.up(program(stage, "feature", { waitForBuild: false }));
      writes(stage);
      await engine.up(program(stage, "main", { waitForBuild: false, rebuildOn: ["2"] }));
      expect(writes(stage)).to.deep.equal(["PATCH /environment"]);
      expect(settled(stage)).to.equal("main");
    },
  },
  {
    ...late,
    title: "a branch put back keeps what the running build brings to a repository that is not declared any more",
    async run(stage) {
      const { engine, environmentId, world } = stage;
      await engine.up(branches(environmentId, { branches: { web: "feature", api: "feature" }, waitForBuild: false }));
      await engine.up(program(stage, "main", { waitForBuild: false }));
      expect(settled(stage)).to.equal("main");
      expect(world.environments.get(environmentId)?.projects.map(({ branch }) => branch)).to.deep.equal([
        "main",
        "feature",
      ]);
    },
  },
  {
    ...late,
    title: "a branch that is not declared any more, while its build runs, is no reason for another build",
    async run(stage) {
      const { engine, environmentId } = stage;
      await engine.up(branches(environmentId, { branches: { web: "feature", api: "main" }, waitForBuild: false }));
      writes(stage);
      await engine.up(branches(environmentId, { branches: { api: "main" }, waitForBuild: false }));
      expect(writes(stage)).to.deep.equal([]);
      expect(settled(stage)).to.equal("feature");
    },
  },
  {
    ...late,
    title: "branches put back by an up that was cut off: the next one finds its build running, and queues none",
    async run(stage) {
      const { engine, environmentId, world } = stage;
      await engine.up(program(stage, "feature", { waitForBuild: false }));
      world.switchBranch(environmentId, "web", "main");
      writes(stage);
      await engine.up(program(stage, "main", { waitForBuild: false }));
      expect(writes(stage)).to.deep.equal([]);
      expect(settled(stage)).to.equal("main");
    },
  },
];

contract("EnvironmentBranches, put back while its own build runs", putBack);

import { expect } from "chai";
import { failing } from "../support/stack";
import { branches, contract, type Scenario, type Stage, writes } from "../support/stage";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

const ORDERS = ["newestFirst", "oldestFirst"] as const;

const program = ({ environmentId }: Stage, inputs: object = {}) =>
  branches(environmentId, { branches: { web: "feature/x" }, buildTimeoutSeconds: 600, ...inputs });

const matrix: readonly Scenario[] = ORDERS.flatMap((historyOrder) =>
  [0, 45].flatMap((builds) => {
    const when = `${historyOrder}, ${builds} builds`;
    const common = { choices: { historyOrder }, buildSeconds: 60, environment: { builds }, needsTime: true };
    return [
      {
        ...common,
        title: `waits for the right build (${when})`,
        async run(stage) {
          const { engine, environmentId, world, requests } = stage;
          await engine.up(program(stage));
          expect(writes({ requests })).to.deep.equal(["PATCH /environment"]);
          const [newest] = world.builds(environmentId);
          expect(engine.kept("deployed").outputs).to.have.nested.property("build.id", newest?.id);
          expect((await engine.up(program(stage), { refresh: true })).operations).to.deep.equal({ deployed: "same" });
        },
      },
      {
        ...common,
        title: `a late build that succeeds before the next up is found behind 25 others, and not repeated (${when})`,
        async run(stage) {
          const { engine, environmentId, world, clock, requests } = stage;
          world.slowNextBuild(environmentId, 90);
          expect((await failing(engine.up(program(stage, { buildTimeoutSeconds: 60 })))).errors).to.have.length(1);
          const [ours] = world.builds(environmentId);
          clock.advance(MINUTE_MS);
          for (let count = 0; count < 25; count += 1) {
            world.pushCommit(environmentId, "api");
            world.failNextBuild(environmentId);
          }
          world.finishBuilds(environmentId);
          requests();
          await engine.up(program(stage));
          expect(writes({ requests })).to.deep.equal([]);
          expect(engine.kept("deployed").outputs).to.have.nested.property("build.id", ours?.id);
        },
      },
    ] satisfies readonly Scenario[];
  }),
);

const others: readonly Scenario[] = ORDERS.flatMap((historyOrder): readonly Scenario[] => [
  {
    title: `an old successful build of the declared branches on an earlier page never counts (${historyOrder})`,
    choices: { historyOrder },
    environment: { builds: 12 },
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, world, clock } = stage;
      world.switchBranch(environmentId, "web", "feature/x");
      clock.advance(SECOND_MS);
      for (let count = 0; count < 28; count += 1) world.switchBranch(environmentId, "web", "main");
      clock.advance(SECOND_MS);
      world.failNextBuild(environmentId);
      const run = await failing(engine.up(program(stage)));
      expect(run.errors.join("\n")).to.contain(world.builds(environmentId)[0]?.id).and.to.contain("failed");
    },
  },
]);

/** The clock from which builds take their time goes back: the requested build seems to be the older one. */
const setBack = (["newestFirst", "oldestFirst", "byTime"] as const).map((historyOrder): Scenario => ({
  title: `a build that seems to be older than those before it is the requested one (${historyOrder})`,
  choices: { historyOrder },
  buildSeconds: 60,
  environment: { builds: 45 },
  needsTime: true,
  async run(stage) {
    const { engine, environmentId, world, clock, requests } = stage;
    world.setClockBack(300);
    const start = clock.now();
    await engine.up(program(stage));
    expect(clock.now() - start).to.be.below(2 * MINUTE_MS);
    const labels = requests();
    expect(labels.filter((label) => !label.startsWith("GET"))).to.deep.equal(["PATCH /environment"]);
    // 12 looks at most, of two pages each.
    expect(labels.filter((label) => label === "GET /build-history").length).to.be.below(30);
    expect(engine.kept("deployed").outputs).to.have.nested.property("build.id", world.builds(environmentId)[0]?.id);
    expect((await engine.up(program(stage), { refresh: true })).operations).to.deep.equal({ deployed: "same" });
  },
}));

contract("EnvironmentBranches, histories in either order and of any length", [...matrix, ...others, ...setBack]);

/** A service that shows branches only once they are built. */
const late = { buildSeconds: 60, choices: { branchesShown: "afterBuild" } } as const;

const programOf = ({ environmentId }: Stage, web: string, inputs: object = {}) =>
  branches(environmentId, { branches: { web }, ...inputs });

/** The branch that the environment has once every build is over. */
function settled({ clock, environmentId, world }: Stage): string | undefined {
  clock.advance(10 * MINUTE_MS);
  return world.environments.get(environmentId)?.projects.find(({ repoName }) => repoName === "web")?.branch;
}

/** Waits that end before the build does. */
const WAITS = [
  ["not awaited", { waitForBuild: false }],
  ["awaited too short", { buildTimeoutSeconds: 10 }],
] as const;

const restored: readonly Scenario[] = [
  ...WAITS.map(([how, inputs]): Scenario => ({
    ...late,
    needsTime: "buildTimeoutSeconds" in inputs,
    title: `onDestroy restore while the build of this resource runs, which was ${how}, puts the branches back`,
    async run(stage) {
      const { engine } = stage;
      const running = engine.up(programOf(stage, "feature", { onDestroy: "restore", ...inputs }));
      await ("buildTimeoutSeconds" in inputs ? failing(running) : running);
      expect(engine.kept("deployed").outputs).to.have.nested.property("pending.status", "asked");
      writes(stage);
      await engine.destroy();
      expect(writes(stage)).to.deep.equal(["PATCH /environment"]);
      expect(settled(stage)).to.equal("main");
    },
  })),
  ...["ended", "was superseded by one of the branches found at create"].map((what): Scenario => ({
    ...late,
    title: `onDestroy restore with nothing to put back, after a build that nobody awaited ${what}, sends nothing`,
    async run(stage) {
      const { engine, environmentId, world, clock } = stage;
      await engine.up(programOf(stage, "feature", { onDestroy: "restore", waitForBuild: false }));
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
      await engine.up(programOf(stage, "feature", { waitForBuild: false }));
      writes(stage);
      await engine.up(programOf(stage, "main", { waitForBuild }));
      expect(writes(stage)).to.deep.equal(["PATCH /environment"]);
      expect(settled(stage)).to.equal("main");
      expect((await engine.up(programOf(stage, "main", { waitForBuild }), { refresh: true })).operations).to.deep.equal(
        {
          deployed: "same",
        },
      );
      expect(world.builds(environmentId)).to.have.length(3);
    },
  })),
  ...[{}, { rebuildOn: ["1"] }].map((inputs): Scenario => ({
    ...late,
    needsTime: true,
    title: `branches put back after a build that failed are deployed at once (${Object.keys(inputs).join() || "alone"})`,
    async run(stage) {
      const { engine, environmentId, world } = stage;
      world.failNextBuild(environmentId);
      expect((await failing(engine.up(programOf(stage, "feature", {})))).errors).to.have.length(1);
      writes(stage);
      await engine.up(programOf(stage, "main", inputs));
      expect(writes(stage)).to.deep.equal(["PATCH /environment"]);
      expect(settled(stage)).to.equal("main");
      expect((await engine.up(programOf(stage, "main", inputs), { refresh: true })).operations).to.deep.equal({
        deployed: "same",
      });
    },
  })),
];

contract("EnvironmentBranches, put back while its own build runs", putBack);

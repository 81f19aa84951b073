import { expect } from "chai";
import { errorsOf, failing, quiet } from "../support/stack";
import { branches, contract, type Scenario, set, type Stage, warningsOf, writes } from "../support/stage";
import { deploying, MINUTE_MS, pendingOf, REBUILD, settlesWith } from "./support/builds";

const late = { needsTime: true, buildSeconds: 90 } as const;

/** The branch change of a run that was killed, before state knew of it. Its build fails. */
function failUnseen({ world, environmentId, requests }: Stage, branch = "feature/x"): void {
  world.failNextBuild(environmentId);
  world.switchBranch(environmentId, "web", branch);
  requests();
}

const FAILURE = "its newest build, of the declared branches, has failed";
const MAIN = { branches: { web: "main" } };

/** State knows nothing of the build: it is that of a run that was killed, or somebody's. */
const unseen: readonly Scenario[] = [
  {
    title: "5b: a create that finds its branches there, and their build failed, rebuilds once; a preview says so",
    onHosts: true,
    async run(stage) {
      const { requests, log } = stage;
      failUnseen(stage);
      expect((await warningsOf(stage, deploying(stage))).join()).to.contain(`${FAILURE}, so a build is due`);
      expect(requests()).to.deep.equal(["GET /environment", "GET /build-history"]);
      await settlesWith(stage, deploying(stage), [REBUILD]);
      expect(log.lines.map(({ text }) => text).join()).to.contain(`${FAILURE}, so it is rebuilt`);
    },
  },
  ...[false, true].map((refresh): Scenario => ({
    title: `5b: a change that is repeated after its build failed rebuilds once (with a refresh before: ${refresh})`,
    onHosts: true,
    async run(stage) {
      const { engine } = stage;
      await engine.up(deploying(stage, MAIN));
      failUnseen(stage);
      await settlesWith(stage, deploying(stage), [REBUILD], { refresh });
    },
  })),
  {
    title:
      "5b: a refresh that sees the repeated change while it is built: the up after it waits, and the one after a failure rebuilds",
    ...late,
    async run(stage) {
      const { engine } = stage;
      await engine.up(deploying(stage, MAIN));
      failUnseen(stage);
      expect(await errorsOf(engine.up(deploying(stage), { refresh: true }))).to.contain("failed");
      expect(writes(stage)).to.deep.equal([]);
      await settlesWith(stage, deploying(stage), [REBUILD], { refresh: true });
    },
  },
  {
    title: "5b: a change away from branches whose build is pending finds that its own build failed",
    ...late,
    async run(stage) {
      const { engine, environmentId, world, clock } = stage;
      for (const refresh of [false, true]) {
        world.slowNextBuild(environmentId, 90);
        await failing(engine.up(deploying(stage, { buildTimeoutSeconds: 30 })));
        failUnseen(stage, "feature/y");
        clock.advance(10 * MINUTE_MS);
        const other = { branches: { web: "feature/y" } };
        await settlesWith(stage, deploying(stage, other), [REBUILD], { refresh });
      }
    },
  },
  {
    title: "5b: nothing, where the build succeeded, is not waited for, is of other branches, or no branch is declared",
    async run(stage) {
      const { engine, environmentId, world, requests } = stage;
      await engine.up(deploying(stage, { ...MAIN, waitForBuild: false }));
      failUnseen(stage);
      await engine.up(deploying(stage, { waitForBuild: false }));
      expect(requests()).to.deep.equal(["GET /environment"]);
      await engine.up({});
      await engine.up(deploying(stage, { branches: {}, rebuildOn: [] }));
      expect(writes(stage)).to.deep.equal([]);
      await engine.up({});
      world.switchBranch(environmentId, "web", "main", { build: false });
      await engine.up(deploying(stage, MAIN));
      expect(requests()).to.deep.equal(["GET /environment", "GET /build-history"]);
      await engine.up({});
      world.switchBranch(environmentId, "web", "feature/x");
      await engine.up(deploying(stage));
      expect(writes(stage)).to.deep.equal([]);
    },
  },
  ...(["fail", "skip"] as const).map((whenStopped): Scenario => ({
    title: `5b: in an environment that sleeps, the build is owed, with a warning (${whenStopped})`,
    onHosts: true,
    async run(stage) {
      const { engine, environmentId, world } = stage;
      failUnseen(stage);
      world.setFlags(environmentId, { stopped: true });
      expect((await warningsOf(stage, deploying(stage, { whenStopped }))).join()).to.contain("it is postponed");
      await engine.up(deploying(stage, { whenStopped }));
      expect(pendingOf(stage)).to.include({ status: "owed", asleep: true });
      await engine.up(deploying(stage, { whenStopped }), { refresh: true });
      world.setFlags(environmentId, { stopped: false });
      expect(writes(stage)).to.deep.equal([]);
      await settlesWith(stage, deploying(stage, { whenStopped }), [REBUILD], { refresh: true });
    },
  })),
];

contract("EnvironmentBranches, a build that state knows nothing of", unseen);

/** What a run has done to variables before it was killed, in what state has of them. */
const killed: readonly {
  readonly what: string;
  readonly to: Readonly<Record<string, unknown>>;
  readonly by: (stage: Stage) => void;
}[] = [
  {
    what: "another value",
    to: { variables: { A: "2", B: "1" } },
    by: ({ world, environmentId }) => world.setVariable(environmentId, { name: "A", value: "2", hidden: false }),
  },
  {
    what: "another scope",
    to: { variables: { A: "1", B: "1" }, scopes: { A: ["web"] } },
    by: ({ world, environmentId }) =>
      world.setVariable(environmentId, { name: "A", value: "1", hidden: false, services: ["web"] }),
  },
  {
    what: "a new name",
    to: { variables: { A: "1", B: "1", C: "1" } },
    by: ({ world, environmentId }) => world.setVariable(environmentId, { name: "C", value: "1", hidden: false }),
  },
  {
    what: "a name less",
    to: { variables: { A: "1" } },
    by: ({ world, environmentId }) => world.deleteVariable(environmentId, "B"),
  },
];

const unbuilt: readonly Scenario[] = killed.flatMap(({ what, to, by }) =>
  [false, true].map((refresh): Scenario => ({
    title: `${what}, written by a run that was killed before it could build: the next up builds (with a refresh before: ${refresh})`,
    onHosts: refresh,
    async run(stage) {
      const { engine, environmentId, clock } = stage;
      const { deployed } = branches(environmentId, { rebuildOn: [{ $output: ["vars", "revision"] }] });
      const programWith = (inputs: Readonly<Record<string, unknown>>) => ({ ...set(environmentId, inputs), deployed });
      await engine.up(programWith({ variables: { A: "1", B: "1" } }));
      clock.advance(5_000);
      by(stage);
      writes(stage);
      await engine.up(programWith(to), { refresh });
      expect(writes(stage)).to.include(REBUILD);
      for (const again of [false, true]) await quiet(engine.up(programWith(to), { refresh: again }));
    },
  })),
);

contract("EnvironmentBranches, variables that a killed run has written", unbuilt);

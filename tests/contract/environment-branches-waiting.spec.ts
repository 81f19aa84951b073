import { expect } from "chai";
import { failing } from "../support/stack";
import { branches, contract, type Scenario, type Stage, writes } from "../support/stage";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const PROGRESS_MS = 30 * SECOND_MS;

const program = ({ environmentId }: Stage, inputs: object = {}) =>
  branches(environmentId, { branches: { web: "feature/x" }, ...inputs });

/** Does something once, as soon as the clock has moved that far since the start of the scenario. */
function at({ clock }: Stage, elapsedMs: number, action: () => void): void {
  let done = false;
  clock.onSleep = (now) => {
    if (done || now < elapsedMs) return;
    done = true;
    action();
  };
}

const right: readonly Scenario[] = [
  {
    title: "a create that finds the branches as declared while a build runs waits for it and queues none",
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, world, clock } = stage;
      world.slowNextBuild(environmentId, 60);
      world.switchBranch(environmentId, "web", "feature/x");
      const start = clock.now();
      await engine.up(program(stage));
      expect(writes(stage)).to.deep.equal([]);
      expect(clock.now() - start).to.be.at.least(MINUTE_MS);
      const { outputs } = engine.kept("deployed");
      expect(outputs).to.have.nested.property("build.id", world.builds(environmentId)[0]?.id);
      expect(outputs["originalBranches"]).to.deep.equal({ web: "feature/x", api: "main" });
    },
  },
  ...[true, false].map((isOlder): Scenario => ({
    title: `a create with rebuildOn ${isOlder ? "asks for a build of its own when the running one is older" : "joins a running build that is newer"} than the variables`,
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, world, clock } = stage;
      if (!isOlder) world.setVariable(environmentId, { name: "A", value: "1" });
      clock.advance(10 * SECOND_MS);
      world.slowNextBuild(environmentId, 60);
      world.switchBranch(environmentId, "web", "feature/x");
      clock.advance(10 * SECOND_MS);
      if (isOlder) world.setVariable(environmentId, { name: "A", value: "2" });
      await engine.up(program(stage, { rebuildOn: ["1"] }));
      expect(writes(stage)).to.deep.equal(isOlder ? ["POST /rebuild"] : []);
    },
  })),
  ...["written in its second", "deleted", "written in another environment"].map((what): Scenario => ({
    title: `a running build, and variables that the same up has ${what}`,
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, addEnvironment, world, clock } = stage;
      const set = (variables: object, id = environmentId) =>
        ({ type: "EnvVarSet", inputs: { environmentId: id, variables } }) as const;
      if (what === "deleted") await engine.up({ vars: set({ A: "1", B: "2" }) });
      clock.advance(10 * SECOND_MS);
      world.slowNextBuild(environmentId, 60);
      world.switchBranch(environmentId, "web", "feature/x");
      stage.requests();
      const vars = set({ A: "1" }, what === "written in another environment" ? addEnvironment() : environmentId);
      const { deployed } = program(stage, { rebuildOn: ["2"] });
      await engine.up({ vars, deployed });
      const rebuilds = writes(stage).filter((label) => label === "POST /rebuild");
      expect(rebuilds).to.have.length(what === "written in another environment" ? 0 : 1);
      expect(engine.kept("deployed").outputs).to.have.nested.property("build.id", world.builds(environmentId)[0]?.id);
    },
  })),
  {
    title: "an update repeated after a crash waits for the build that the first one queued, and queues none",
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, world } = stage;
      await engine.up(branches(environmentId, { branches: { web: "main" } }));
      world.slowNextBuild(environmentId, 60);
      world.switchBranch(environmentId, "web", "feature/x");
      stage.requests();
      await engine.up(branches(environmentId, { branches: { web: "feature/x" } }));
      expect(writes(stage)).to.deep.equal([]);
      const [build] = world.builds(environmentId);
      expect(build?.outcome).to.equal("succeeded");
      expect(engine.kept("deployed").outputs).to.have.nested.property("build.id", build?.id);
    },
  },
  {
    title: "a newer foreign build of the same branches that supersedes ours counts",
    needsTime: true,
    buildSeconds: 60,
    async run(stage) {
      const { engine, environmentId, world } = stage;
      at(stage, 20 * SECOND_MS, () => world.pushCommit(environmentId, "web"));
      await engine.up(program(stage));
      const [foreign, ours] = world.builds(environmentId);
      expect(ours?.outcome).to.equal("failed");
      expect(engine.kept("deployed").outputs).to.have.nested.property("build.id", foreign?.id);
    },
  },
  {
    title: "a newer foreign build of other branches is an error that keeps state and names it",
    needsTime: true,
    buildSeconds: 60,
    async run(stage) {
      const { engine, environmentId, world } = stage;
      at(stage, 20 * SECOND_MS, () => world.switchBranch(environmentId, "web", "by-hand"));
      const run = await failing(engine.up(program(stage)));
      expect(run.errors).to.have.length(1);
      expect(engine.state.size).to.equal(1);
      await engine.up(program(stage));
      expect(world.environments.get(environmentId)?.projects[0]?.branch).to.equal("feature/x");
    },
  },
  ...(["immediately", "afterBuild"] as const).map((branchesShown): Scenario => ({
    title: `a branch that somebody puts back while the build runs is an error, and the next up deploys again (${branchesShown})`,
    needsTime: true,
    buildSeconds: 60,
    choices: { branchesShown },
    async run(stage) {
      const { engine, environmentId, world } = stage;
      // With "afterBuild" the last build decides what is shown: it has to end before somebody changes that.
      const moment = branchesShown === "immediately" ? 20 : 60;
      at(stage, moment * SECOND_MS, () => {
        world.finishBuilds(environmentId);
        world.switchBranch(environmentId, "web", "main", { build: false });
      });
      const run = await failing(engine.up(program(stage)));
      expect(run.errors.join("\n")).to.contain("Somebody else changes these branches").and.to.contain("web@main");
      expect(writes(stage)).to.deep.equal(["PATCH /environment"]);
      expect(engine.kept("deployed").outputs).to.have.property("pending");
      await engine.up(program(stage));
      expect(writes(stage)).to.deep.equal(["PATCH /environment"]);
      expect(world.environments.get(environmentId)?.projects[0]?.branch).to.equal("feature/x");
      expect(engine.kept("deployed").outputs).not.to.have.property("pending");
      expect((await engine.up(program(stage), { refresh: true })).operations).to.deep.equal({ deployed: "same" });
    },
  })),
  {
    title: "an environment that is stopped while we wait ends the wait, naming the flag; state is kept",
    needsTime: true,
    buildSeconds: 60,
    async run(stage) {
      const { engine, environmentId, world, clock } = stage;
      at(stage, 20 * SECOND_MS, () => world.setFlags(environmentId, { stopped: true }));
      const start = clock.now();
      const run = await failing(engine.up(program(stage)));
      expect(run.errors.join("\n")).to.contain("stopped");
      expect(clock.now() - start).to.be.below(MINUTE_MS);
      expect(engine.state.size).to.equal(1);
    },
  },
  {
    title: "progress is shown on a change of state, and otherwise every 30 s at most",
    needsTime: true,
    buildSeconds: 300,
    choices: { processingStarts: "late", processingDelaySeconds: 8 },
    async run(stage) {
      const { engine, log, environmentId, world, clock } = stage;
      const times = new Map<string, number>();
      const add = log.add.bind(log);
      log.add = (line) => {
        if (line.passing) times.set(line.text, clock.now());
        add(line);
      };
      await engine.up(program(stage));
      const lines = log.lines.filter(({ passing }) => passing).map(({ text }) => text);
      expect(
        lines.some((text) => /start/u.test(text)),
        lines.join("\n"),
      ).to.equal(true);
      const building = lines.filter((text) =>
        text.includes(`: build ${world.builds(environmentId)[0]?.id.slice(0, 8)} of shop is running`),
      );
      expect(building.length).to.be.within(5, 11);
      const moments = building.map((text) => times.get(text) ?? 0);
      for (const [index, moment] of moments.slice(1).entries())
        expect(moment - (moments[index] ?? 0)).to.be.at.least(PROGRESS_MS);
      expect(building[1])
        .to.match(/^\d+ s: build /u)
        .and.to.have.length.at.most(80);
    },
  },
  {
    title: "two EnvironmentBranches of one environment at once do not undo each other",
    needsTime: true,
    buildSeconds: 30,
    async run(stage) {
      const { engine, environmentId, world } = stage;
      const both = {
        web: { type: "EnvironmentBranches", inputs: { environmentId, branches: { web: "w" } } },
        api: { type: "EnvironmentBranches", inputs: { environmentId, branches: { api: "a" } } },
      };
      await engine.up(both, { parallel: true });
      expect(world.environments.get(environmentId)?.projects.map(({ branch }) => branch)).to.deep.equal(["w", "a"]);
    },
  },
];

contract("EnvironmentBranches, waiting", right);

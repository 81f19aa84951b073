import { expect } from "chai";
import { errorsOf, failing, quiet } from "../support/stack";
import { branchChanges, branches, contract, type Scenario, type Stage, writes } from "../support/stage";
import { CHANGE, deploying, hasNewestBuild, REBUILD, SECOND_MS } from "./support/builds";

const scenarios: readonly Scenario[] = [
  {
    title: "a change sends every repository, undeclared ones with the branch they have, and waits for the build",
    onHosts: true,
    async run(stage) {
      const { engine, environmentId, world } = stage;
      const run = await engine.up(branches(environmentId, { branches: { web: "feature/x" } }));
      expect(run).to.deep.include({ operations: { deployed: "create" } });
      expect(branchChanges(stage)).to.deep.equal([{ web: "feature/x", api: "main" }]);
      const [build] = world.builds(environmentId);
      const { id, outputs } = engine.kept("deployed");
      expect(id).to.equal(environmentId);
      expect(outputs).to.deep.include({
        environmentId,
        branches: { web: "feature/x" },
        name: "shop",
        url: "https://shop.preview.example",
        ready: true,
        originalBranches: { web: "main", api: "main" },
        build: { id: build?.id, successfullyBuilt: true, queuedAt: build?.queuedAt },
      });
      expect(outputs["projects"]).to.have.deep.nested.property("[0].branch", "feature/x");
      expect(outputs["projects"]).to.have.nested.property("[0].pullRequestNumber", 42);
      expect(outputs["projects"]).not.to.have.nested.property("[1].pullRequestNumber");
      expect(outputs).not.to.have.property("pending");
    },
  },
  {
    title: "branches that are as declared: two GETs, no build; again and after a refresh the same, with less",
    async run({ engine, environmentId, requests, world }) {
      const program = branches(environmentId, { branches: { web: "main" } });
      await engine.up(program);
      expect(requests()).to.deep.equal(["GET /environment", "GET /build-history"]);
      await quiet(engine.up(program));
      await engine.preview(program);
      expect(requests()).to.deep.equal([]);
      await quiet(engine.refresh());
      expect(requests()).to.deep.equal(["GET /environment"]);
      await quiet(engine.up(program));
      expect(requests()).to.deep.equal([]);
      await engine.up(branches(environmentId, { branches: { web: "main" }, buildTimeoutSeconds: 60 }));
      expect(requests()).to.deep.equal(["GET /environment"]);
      expect(world.builds(environmentId)).to.have.length(1);
    },
  },
  {
    title: "rebuildOn rebuilds once when it changes, and at create; branches that change beside it are the one build",
    async run({ engine, environmentId, requests, world }) {
      const program = (revision: string) => branches(environmentId, { rebuildOn: [revision] });
      await engine.up(program("1"));
      expect(requests().filter((label) => label === REBUILD)).to.have.length(1);
      await quiet(engine.up(program("1")));
      expect(requests()).to.deep.equal([]);
      await engine.up(program("2"));
      expect(requests().filter((label) => label.startsWith("POST"))).to.deep.equal([REBUILD]);
      await quiet(engine.refresh());
      await quiet(engine.up(program("2")));
      expect(world.builds(environmentId)).to.have.length(3);
      requests();
      await engine.up(branches(environmentId, { branches: { web: "b" }, rebuildOn: ["3"] }));
      expect(world.builds(environmentId)).to.have.length(4);
      expect(requests()).to.include(CHANGE).and.not.to.include(REBUILD);
    },
  },
  {
    title:
      "drift: another branch shows as a change of that repository and is put back with one build; a commit, or a branch that is not declared, is none",
    onHosts: true,
    async run({ engine, environmentId, world }) {
      const program = branches(environmentId, { branches: { web: "feature/x" } });
      await engine.up(program);
      world.switchBranch(environmentId, "web", "by-hand");
      expect((await engine.refresh()).paths).to.deep.equal({ deployed: ["branches.web"] });
      expect((await engine.preview(program)).paths).to.deep.equal({ deployed: ["branches.web"] });
      const before = world.builds(environmentId).length;
      await engine.up(program);
      expect(world.builds(environmentId)).to.have.length(before + 1);
      expect(world.environments.get(environmentId)?.projects[0]?.branch).to.equal("feature/x");
      world.pushCommit(environmentId, "web");
      world.switchBranch(environmentId, "api", "by-hand");
      await quiet(engine.refresh());
      await quiet(engine.up(program));
      expect(engine.kept("deployed").outputs["projects"]).to.have.nested.property("[1].branch", "by-hand");
    },
  },
  {
    title: "a failed build keeps state, names build, commits and url; the next up rebuilds once",
    async run({ engine, environmentId, world, requests }) {
      const program = branches(environmentId, { branches: { web: "broken" }, buildTimeoutSeconds: 60 });
      world.failNextBuild(environmentId);
      const run = await failing(engine.up(program));
      const [failed] = world.builds(environmentId);
      const text = run.errors.join("\n");
      expect(text).to.contain(failed?.id).and.to.contain("https://shop.preview.example");
      expect(text).to.contain(failed?.projects[0]?.commitHash.slice(0, 7));
      expect(engine.kept("deployed").outputs).to.deep.include({ branches: { web: "broken" } });
      requests();
      await engine.up(program);
      expect(writes({ requests })).to.deep.equal([REBUILD]);
      expect(world.builds(environmentId)).to.have.length(3);
      expect(engine.kept("deployed").outputs).not.to.have.property("pending");
      await quiet(engine.up(program, { refresh: true }));
    },
    needsTime: true,
  },
];

contract("EnvironmentBranches", scenarios);

const BUILD_SECONDS = 120;
/** Longer than the provider waits, and over soon after. */
const SLOW_SECONDS = 90;

const PATIENT = { buildTimeoutSeconds: 600 };

/** What the specification leaves open about builds: every answer with every answer to another question. */
const answers = [
  ["immediately", "immediately", "immediately"],
  ["immediately", "immediately", "afterBuild"],
  ["immediately", "afterBuild", "whenProcessing"],
  ["late", "afterBuild", "immediately"],
  ["late", "afterBuild", "afterBuild"],
  ["late", "immediately", "whenProcessing"],
] as const;

const matrix: readonly Scenario[] = answers.flatMap(([processingStarts, branchesShown, buildListed]) => {
  const choices = { processingStarts, processingDelaySeconds: 5, branchesShown, buildListed };
  const when = `processing ${processingStarts}, branches ${branchesShown}, listed ${buildListed}`;
  const common = { choices, buildSeconds: BUILD_SECONDS, needsTime: true };
  return [
    {
      ...common,
      title: `waits for the right build (${when})`,
      async run(stage) {
        const { engine, clock } = stage;
        const start = clock.now();
        await engine.up(deploying(stage, PATIENT));
        expect(clock.now() - start).to.be.within(BUILD_SECONDS * SECOND_MS, (BUILD_SECONDS + 11) * SECOND_MS);
        hasNewestBuild(stage);
        expect(engine.kept("deployed").outputs).to.deep.include({ ready: true });
        expect(writes(stage)).to.deep.equal([CHANGE]);
        await quiet(engine.up(deploying(stage, PATIENT), { refresh: true }));
      },
    },
    {
      ...common,
      title: `a failed build is an error, the next up builds once (${when})`,
      async run(stage) {
        const { engine, environmentId, world } = stage;
        world.failNextBuild(environmentId);
        expect(await errorsOf(engine.up(deploying(stage, PATIENT))))
          .to.contain(world.builds(environmentId)[0]?.id)
          .and.to.contain("failed");
        await engine.up(deploying(stage, PATIENT));
        expect(world.builds(environmentId)).to.have.length(3);
        await quiet(engine.up(deploying(stage, PATIENT), { refresh: true }));
      },
    },
    ...["running", "succeeded", "failed"].flatMap((fate) =>
      [false, true].map((refresh): Scenario => ({
        ...common,
        title: `a late build that has ${fate === "running" ? "not ended" : fate} by the next up${refresh ? ", refresh between" : ""} (${when})`,
        async run(stage) {
          const { engine, environmentId, world, clock } = stage;
          if (fate === "failed") world.failNextBuild(environmentId);
          world.slowNextBuild(environmentId, SLOW_SECONDS);
          expect(await errorsOf(engine.up(deploying(stage, { buildTimeoutSeconds: 60 }))))
            .to.contain("60 s")
            .and.to.contain("buildTimeoutSeconds");
          expect(engine.state.size).to.equal(1);
          if (fate !== "running") clock.advance(SLOW_SECONDS * SECOND_MS);
          if (refresh) await engine.refresh();
          writes(stage);
          await engine.up(deploying(stage, { buildTimeoutSeconds: 60 }));
          const made = writes(stage);
          if (fate === "failed") expect(made).to.have.length(1);
          else expect(made).to.deep.equal([]);
          expect(world.builds(environmentId)).to.have.length(fate === "failed" ? 3 : 2);
          await quiet(engine.up(deploying(stage, { buildTimeoutSeconds: 60 }), { refresh: true }));
        },
        buildSeconds: 30,
      })),
    ),
  ];
});

contract("EnvironmentBranches, builds of every kind of service", matrix);

const FULL_LIST = "GET /env-vars";
const requiring = ({ environmentId }: Stage, inputs: object = {}) =>
  branches(environmentId, { rebuildOn: ["1"], requires: ["B", "A", "REGION"], ...inputs });
const changing = (requests: readonly string[]): readonly string[] =>
  requests.filter((label) => !label.startsWith("GET"));
const reads = (requests: readonly string[]): number => requests.filter((label) => label === FULL_LIST).length;
const INHERITED = { inherited: [{ name: "REGION", value: "eu", hidden: false }] };
const variables = (...names: readonly string[]) => names.map((name) => ({ name, value: "value-of-it" }));

const missing: readonly Scenario[] = [
  {
    title: "what is missing is an error that names it, with one look at the variables, and nothing is built",
    environment: { ...INHERITED, variables: variables("OTHER") },
    async run(stage) {
      const { engine, environmentId, world } = stage;
      const text = await errorsOf(engine.up(requiring(stage)));
      expect(text).to.match(/lacks the variables A, B, which `requires` names\. No build was requested/u);
      expect(text).not.to.contain("value-of-it");
      expect(engine.state.size).to.equal(0);
      world.setVariable(environmentId, { name: "A", value: "1" });
      expect(await errorsOf(engine.up(requiring(stage)))).to.match(/lacks the variable B, which/u);
      const requests = stage.requests();
      expect([changing(requests), reads(requests)]).to.deep.equal([[], 2]);

      world.setVariable(environmentId, { name: "B", value: "1" });
      await engine.up(requiring(stage));
      expect(writes(stage)).to.deep.equal([REBUILD]);
    },
  },
  {
    title: "an update whose build lacks something keeps state, and the next up does it",
    environment: { ...INHERITED, variables: variables("A", "B") },
    async run(stage) {
      const { engine, environmentId, world } = stage;
      await engine.up(requiring(stage));
      const before = engine.kept("deployed").outputs;
      world.deleteVariable(environmentId, "A");
      stage.requests();
      for (const inputs of [{ rebuildOn: ["2"] }, { branches: { web: "feature/x" } }])
        expect(await errorsOf(engine.up(requiring(stage, inputs)))).to.match(/lacks the variable A/u);
      expect(writes(stage)).to.deep.equal([]);
      expect(engine.kept("deployed").outputs).to.deep.equal(before);
      world.setVariable(environmentId, { name: "A", value: "1" });
      await engine.up(requiring(stage, { branches: { web: "feature/x" } }));
      expect(writes(stage)).to.deep.equal([CHANGE]);
    },
  },
  {
    title: "no inherited name can be read: what is missing is a warning, and the build is requested",
    async run(stage) {
      const { engine, sandbox, log } = stage;
      sandbox.faults.add({
        label: FULL_LIST,
        status: 200,
        times: Infinity,
        body: { data: [], included: { inherited: [{ key: "REGION" }, { name: "B" }] } },
      });
      await engine.up(requiring(stage));
      const line = await log.until(/lacks the variables A, REGION/u);
      expect(line).to.include({ severity: "warning" });
      expect(line.text).to.match(/not all of them have a readable name/u);
      expect(writes(stage)).to.deep.equal([REBUILD]);
    },
  },
];

const noLook: readonly Scenario[] = [
  {
    title: "no build is due: nobody looks at the variables, in an up, a refresh, a preview or a destroy",
    environment: { ...INHERITED, variables: variables("A", "B") },
    async run(stage) {
      const { engine, environmentId, world } = stage;
      const program = requiring(stage, { branches: { web: "feature/x" }, onDestroy: "restore" });
      await engine.up(program);
      world.deleteVariable(environmentId, "A");
      stage.requests();
      await engine.up(program, { refresh: true });
      const more = requiring(stage, { ...program.deployed.inputs, requires: ["NEW"], buildTimeoutSeconds: 60 });
      expect((await engine.preview(more)).operations).to.deep.equal({ deployed: "update" });
      await engine.up(more);
      const before = stage.requests();
      expect([changing(before), reads(before)]).to.deep.equal([[], 0]);
      await engine.destroy();
      const requests = stage.requests();
      expect([changing(requests), reads(requests)]).to.deep.equal([[CHANGE], 0]);
    },
  },
];

contract("EnvironmentBranches, requires", [...missing, ...noLook]);

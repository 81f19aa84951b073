import { expect } from "chai";
import { failing } from "../support/stack";
import { branchChanges, branches, contract, type Scenario } from "../support/stage";

const scenarios: readonly Scenario[] = [
  {
    title: "a change sends every repository, undeclared ones with the branch they have, and waits for the build",
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
    title: "undeclared repositories keep a branch that someone else gave them",
    async run(stage) {
      const { engine, environmentId, world } = stage;
      await engine.up(branches(environmentId, { branches: { web: "a" } }));
      world.switchBranch(environmentId, "api", "by-hand");
      await engine.up(branches(environmentId, { branches: { web: "b" } }));
      expect(branchChanges(stage).at(-1)).to.deep.equal({ web: "b", api: "by-hand" });
    },
  },
  {
    title: "branches that are as declared: one GET, no build; again and after a refresh the same",
    async run({ engine, environmentId, requests, world }) {
      const program = branches(environmentId, { branches: { web: "main" } });
      await engine.up(program);
      expect(requests()).to.deep.equal(["GET /environment"]);
      expect((await engine.up(program)).operations).to.deep.equal({ deployed: "same" });
      await engine.preview(program);
      expect(requests()).to.deep.equal([]);
      expect((await engine.refresh()).paths).to.deep.equal({ deployed: [] });
      expect(requests()).to.deep.equal(["GET /environment"]);
      expect((await engine.up(program)).operations).to.deep.equal({ deployed: "same" });
      expect(requests()).to.deep.equal([]);
      await engine.up(branches(environmentId, { branches: { web: "main" }, buildTimeoutSeconds: 60 }));
      expect(requests()).to.deep.equal(["GET /environment"]);
      expect(world.builds(environmentId)).to.have.length(1);
    },
  },
  {
    title: "a repository that the environment lacks is refused before any write, with those it has",
    async run({ engine, environmentId, requests }) {
      const run = await failing(engine.up(branches(environmentId, { branches: { web: "x", worker: "y" } })));
      expect(run.errors.join("\n")).to.contain('"worker"').and.to.contain('"web", "api"');
      expect(requests()).to.deep.equal(["GET /environment"]);
      expect(engine.state.size).to.equal(0);
    },
  },
  {
    title: "rebuildOn rebuilds once when it changes, and at create",
    async run({ engine, environmentId, requests, world }) {
      const program = (revision: string) => branches(environmentId, { rebuildOn: [revision] });
      await engine.up(program("1"));
      expect(requests().filter((label) => label === "POST /rebuild")).to.have.length(1);
      expect((await engine.up(program("1"))).operations).to.deep.equal({ deployed: "same" });
      expect(requests()).to.deep.equal([]);
      await engine.up(program("2"));
      expect(requests().filter((label) => label.startsWith("POST"))).to.deep.equal(["POST /rebuild"]);
      expect((await engine.refresh()).paths).to.deep.equal({ deployed: [] });
      expect((await engine.up(program("2"))).operations).to.deep.equal({ deployed: "same" });
      expect(world.builds(environmentId)).to.have.length(3);
    },
  },
  {
    title: "branches and rebuildOn together cause one build",
    async run({ engine, environmentId, requests, world }) {
      await engine.up(branches(environmentId, { branches: { web: "a" }, rebuildOn: ["1"] }));
      expect(world.builds(environmentId)).to.have.length(2);
      expect(requests()).to.include("PATCH /environment").and.not.to.include("POST /rebuild");
      await engine.up(branches(environmentId, { branches: { web: "b" }, rebuildOn: ["2"] }));
      expect(world.builds(environmentId)).to.have.length(3);
      expect(requests()).to.include("PATCH /environment").and.not.to.include("POST /rebuild");
    },
  },
  {
    title: "drift: another branch shows as a change of that repository and is put back with one build",
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
    },
  },
  {
    title: "no drift: a new commit on the branch, and another branch of a repository that is not declared",
    async run({ engine, environmentId, world }) {
      const program = branches(environmentId, { branches: { web: "feature/x" } });
      await engine.up(program);
      world.pushCommit(environmentId, "web");
      world.switchBranch(environmentId, "api", "by-hand");
      expect((await engine.refresh()).paths).to.deep.equal({ deployed: [] });
      expect((await engine.up(program)).operations).to.deep.equal({ deployed: "same" });
      expect(engine.kept("deployed").outputs["projects"]).to.have.nested.property("[1].branch", "by-hand");
    },
  },
  ...([405, 404] as const).map((wrongMethodStatus): Scenario => ({
    title: `PATCH refused with ${wrongMethodStatus}: POST, and the process remembers`,
    choices: { branchMethods: ["POST"], wrongMethodStatus },
    fresh: true,
    async run({ engine, environmentId, requests, addEnvironment, world }) {
      const second = addEnvironment();
      const program = {
        ...branches(environmentId, { branches: { web: "a" } }),
        other: { type: "EnvironmentBranches", inputs: { environmentId: second, branches: { web: "a" } } },
      };
      await engine.up(program);
      const writes = requests().filter((label) => !label.startsWith("GET"));
      expect(writes.map((label) => label.split(" ")[0])).to.deep.equal(["PATCH", "POST", "POST"]);
      expect(world.builds(environmentId)).to.have.length(2);
      expect(world.builds(second)).to.have.length(2);
    },
  })),
  {
    title: "a branch change that the service refuses (400) is an error with its title, and nothing is in state",
    async run({ engine, environmentId, sandbox }) {
      sandbox.faults.add({
        method: "PATCH",
        status: 400,
        body: { errors: [{ status: 400, title: "branch is unknown" }] },
      });
      const run = await failing(engine.up(branches(environmentId, { branches: { web: "nope" } })));
      expect(run.errors.join("\n")).to.contain("branch is unknown").and.to.contain(environmentId);
      expect(engine.state.size).to.equal(0);
    },
  },
  ...(["stopped", "retired", "deleted"] as const).flatMap((flag) =>
    [{ branches: { web: "feature/x" } }, { rebuildOn: ["2"] }].map((inputs): Scenario => ({
      title: `${Object.keys(inputs).join()} on a ${flag} environment is refused, naming the flag and EnvironmentState`,
      async run({ engine, environmentId, requests, world }) {
        world.setFlags(environmentId, { [flag]: true });
        const run = await failing(engine.up(branches(environmentId, inputs)));
        expect(run.errors.join("\n")).to.contain(`is ${flag}`).and.to.contain("EnvironmentState");
        expect(requests().filter((label) => !label.startsWith("GET"))).to.deep.equal([]);
        expect(engine.state.size).to.equal(0);
      },
    })),
  ),
  {
    title: "waitForBuild: false does not wait, and `build` is empty",
    buildSeconds: 3_600,
    async run({ engine, environmentId, world }) {
      await engine.up(branches(environmentId, { branches: { web: "a" }, waitForBuild: false }));
      expect(engine.kept("deployed").outputs).not.to.have.property("build");
      expect(world.environments.get(environmentId)?.processing).to.equal(true);
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
      expect(requests().filter((label) => !label.startsWith("GET"))).to.deep.equal(["POST /rebuild"]);
      expect(world.builds(environmentId)).to.have.length(3);
      expect(engine.kept("deployed").outputs).not.to.have.property("pending");
      expect((await engine.up(program, { refresh: true })).operations).to.deep.equal({ deployed: "same" });
    },
    needsTime: true,
  },
  {
    title: "a new environmentId replaces",
    async run({ engine, environmentId, addEnvironment, world }) {
      const second = addEnvironment();
      await engine.up(branches(environmentId, { branches: { web: "a" } }));
      expect((await engine.up(branches(second, { branches: { web: "a" } }))).operations).to.deep.equal({
        deployed: "replace",
      });
      expect(world.builds(second)).to.have.length(2);
      expect(engine.kept("deployed").outputs["originalBranches"]).to.deep.equal({ web: "main", api: "main" });
    },
  },
  {
    title: "what is wrong is refused before any request",
    async run({ engine, environmentId, requests }) {
      const wrong: readonly [object, RegExp][] = [
        [{}, /branches must name .*rebuildOn/u],
        [{ branches: {} }, /branches must name .*rebuildOn/u],
        [{ branches: { "": "x" } }, /empty repository/u],
        [{ branches: { web: "" } }, /branches\.web must not be empty/u],
        [{ branches: { web: "main\n" } }, /branches\.web must not have a control character or a line break/u],
        [
          { branches: { "web\r\n": "main" } },
          /branches has the name "web.*", which must not have a control character/u,
        ],
        [{ branches: { web: "x" }, buildTimeoutSeconds: 0 }, /buildTimeoutSeconds must be greater than 0/u],
        [{ branches: { web: "x" }, buildTimeoutSeconds: 1.5 }, /buildTimeoutSeconds must be a whole number/u],
        [{ branches: { web: "x" }, onDestroy: "explode" }, /onDestroy must be one of "retain", "restore"/u],
        [{ branches: { web: "x" }, environmentId: "1" }, /environmentId must be a UUID/u],
      ];
      for (const [inputs, pattern] of wrong)
        expect((await failing(engine.up(branches(environmentId, { ...inputs })))).errors.join("\n")).to.match(pattern);
      expect(requests()).to.deep.equal([]);
    },
  },
];

contract("EnvironmentBranches", scenarios);

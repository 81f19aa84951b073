import { expect } from "chai";
import type { Properties } from "../../provider/src/framework/properties";
import { failing } from "../support/stack";
import { branches, contract, type Scenario, type Stage } from "../support/stage";

const whole = { variables: { A: "1" }, secrets: { C: "secret-c-1234" } };
const ALL = { A: "1", C: "secret-c-1234" };

function sets({ environmentId }: Stage, named: Readonly<Record<string, Properties>>) {
  return Object.fromEntries(
    Object.entries(named).map(([name, inputs]) => [name, { type: "EnvVarSet", inputs: { environmentId, ...inputs } }]),
  );
}

/** Hand-overs that an earlier run began: the taker is unchanged by the time the giver goes. */
const scenarios: readonly Scenario[] = [
  ...[false, true].map((refresh): Scenario => ({
    title: `renamed beside another resource that fails: the next up${refresh ? " --refresh" : ""} loses nothing`,
    async run(stage) {
      const { engine, values, sandbox } = stage;
      await engine.up(sets(stage, { old: whole }));
      sandbox.faults.add({ refuse: { OTHER: "no room" } });
      const program = sets(stage, { renamed: whole, other: { variables: { OTHER: "x" } } });
      await failing(engine.up(program));
      const run = await engine.up(program, { refresh });
      expect(run.operations).to.include({ renamed: "same", old: "delete" });
      expect(values()).to.deep.equal({ ...ALL, OTHER: "x" });
      await engine.destroy();
      expect(values()).to.deep.equal({});
    },
  })),
  {
    title: "a resource that the program drops is deleted, also in an up --refresh",
    async run(stage) {
      const { engine, values } = stage;
      await engine.up(sets(stage, { kept: { variables: { K: "k" } }, dropped: whole }));
      await engine.up(sets(stage, { kept: { variables: { K: "k" } } }), { refresh: true });
      expect(values()).to.deep.equal({ K: "k" });
    },
  },
  {
    title: "a name whose taker was refused stays with its giver, and the next up writes it",
    async run(stage) {
      const { engine, values, sandbox } = stage;
      await engine.up(sets(stage, { taker: { variables: { T: "t" } }, giver: { variables: { A: "1", B: "2" } } }));
      sandbox.faults.add({ refuse: { B: "no room" } });
      const taker = { variables: { T: "t", B: "2" }, onConflict: "overwrite" };
      const moved = sets(stage, { taker, giver: { variables: { A: "1" } } });
      await failing(engine.up(moved));
      expect(values()).to.deep.equal({ A: "1", B: "2", T: "t" });
      await engine.up(moved);
      expect(values()).to.deep.equal({ A: "1", B: "2", T: "t" });
      await engine.destroy();
      expect(values()).to.deep.equal({});
    },
  },
  {
    title: "a name whose taker was refused, and that nobody declares any more, is deleted by the giver's next update",
    async run(stage) {
      const { engine, values, sandbox } = stage;
      await engine.up(sets(stage, { taker: { variables: { T: "t" } }, giver: { variables: { A: "1", B: "2" } } }));
      sandbox.faults.add({ refuse: { B: "no room" } });
      const giver = { variables: { A: "1" } };
      const taker = { variables: { T: "t", B: "3" }, onConflict: "overwrite" };
      await failing(engine.up(sets(stage, { taker, giver })));
      const program = sets(stage, { taker: { ...taker, variables: { T: "t" } }, giver });
      await engine.up(program);
      expect(values()).to.deep.equal({ A: "1", B: "2", T: "t" });
      expect(engine.kept("giver").outputs["variables"]).to.deep.equal({ A: "1" });
      await engine.up(sets(stage, { taker: { variables: { T: "t" } }, giver: { variables: { A: "2" } } }));
      expect(values()).to.deep.equal({ A: "2", T: "t" });
    },
  },
  {
    title: "a secret whose removal failed stays in state by its name, not by its value",
    async run(stage) {
      const { engine, sandbox } = stage;
      await engine.up(sets(stage, { vars: { secrets: { KEEP: "keep-1234", GONE: "gone-1234" } } }));
      sandbox.faults.add({ method: "DELETE", status: 500 });
      const program = sets(stage, { vars: { secrets: { KEEP: "keep-1234" } } });
      expect((await failing(engine.up(program))).errors.join()).to.contain("GONE");
      const outputs = JSON.stringify(engine.kept("vars").outputs);
      expect(outputs).to.contain('"GONE"').and.not.to.contain("gone-1234");
      await engine.up(program);
      expect(engine.kept("vars").outputs["secrets"]).to.deep.equal({ KEEP: "keep-1234" });
    },
  },
  {
    title: "a secret that should become visible, and was refused, leaves no value in state",
    async run(stage) {
      const { engine, sandbox, values } = stage;
      await engine.up(sets(stage, { vars: { secrets: { MOVED: "moved-1234" } } }));
      sandbox.faults.add({ refuse: { MOVED: "not now" } });
      const program = sets(stage, { vars: { variables: { MOVED: "moved-1234" } } });
      await failing(engine.up(program));
      expect(JSON.stringify(engine.kept("vars").outputs))
        .to.contain('"MOVED"')
        .and.not.to.contain("moved-1234");
      await engine.up(program);
      expect(values()).to.deep.equal({ MOVED: "moved-1234" });
      expect(engine.kept("vars").outputs["variables"]).to.deep.equal({ MOVED: "moved-1234" });
    },
  },
  {
    title: "a renamed EnvironmentBranches that restores leaves the branches to its successor, without another build",
    async run({ engine, environmentId, world, requests, log }) {
      const inputs = { branches: { web: "feature/x" }, onDestroy: "restore" };
      const [first] = Object.values(branches(environmentId, inputs));
      if (first === undefined) throw new Error("no program");
      await engine.up({ old: first });
      requests();
      const run = await engine.up({ renamed: first });
      expect(run).to.deep.include({ operations: { renamed: "create", old: "delete" } });
      expect(requests().filter((label) => !label.startsWith("GET"))).to.deep.equal([]);
      expect(
        world.environments.get(environmentId)?.projects.find(({ repoName }) => repoName === "web")?.branch,
      ).to.equal("feature/x");
      await log.until(/web not restored/u);
    },
  },
  {
    title: "a create never takes an older build for the running one, where builds are listed once they are over",
    choices: { buildListed: "afterBuild" },
    buildSeconds: 20,
    needsTime: true,
    async run({ engine, environmentId, world }) {
      world.pushCommit(environmentId, "web");
      const [older] = world.builds(environmentId).filter(({ outcome }) => outcome === "succeeded");
      await engine.up(branches(environmentId, { branches: { web: "main" } }));
      expect(engine.kept("deployed").outputs["build"]).to.have.property("id").that.is.not.equal(older?.id);
      expect(world.environments.get(environmentId)?.processing).to.equal(false);
    },
  },
  {
    title: "a build that waits in the service's queue for a minute is waited for",
    choices: { processingStarts: "late", processingDelaySeconds: 60 },
    buildSeconds: 90,
    needsTime: true,
    async run({ engine, environmentId, requests }) {
      await engine.up(branches(environmentId, { branches: { web: "feature/x" } }));
      expect(requests().filter((label) => !label.startsWith("GET"))).to.deep.equal(["PATCH /environment"]);
    },
  },
];

contract("hand-over and builds across runs", scenarios);

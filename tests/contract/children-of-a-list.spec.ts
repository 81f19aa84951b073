import { expect } from "chai";
import { failing, quiet } from "../support/stack";
import { contract, type Scenario, type Stage } from "../support/stage";
import type { FaultOptions } from "../../provider/src/sandbox";

const VARIABLES = { variables: { A: "1" }, secrets: { B: "secret-b-1234" } };
const ALL = { A: "1", B: "secret-b-1234" };
const MARK = { __listed: true };

/** The children that PreviewEnvironments declares for an environment of its list. */
function children(environmentId: string, mark: object = MARK) {
  return {
    app: { type: "EnvVarSet", inputs: { environmentId, ...VARIABLES, ...mark } },
    deployed: {
      type: "EnvironmentBranches",
      inputs: { environmentId, branches: { web: "feature/x" }, onDestroy: "restore", whenStopped: "skip", ...mark },
    },
  };
}

function branchOf({ world, environmentId }: Stage): string | undefined {
  return world.environments.get(environmentId)?.projects.find(({ repoName }) => repoName === "web")?.branch;
}

function warnings({ log }: Stage): readonly string[] {
  return log.lines.filter(({ severity }) => severity === "warning").map(({ text }) => text);
}

/** Everything is deployed. */
async function start(stage: Stage): Promise<void> {
  const { engine, environmentId, requests } = stage;
  await engine.up(children(environmentId));
  expect(branchOf(stage)).to.equal("feature/x");
  requests();
}

const unlisted: readonly Scenario[] = [
  {
    title: "what exists stays as it is when an up does not list it: one GET, one warning, and it is taken over later",
    onHosts: true,
    async run(stage) {
      const { engine, environmentId, requests, values } = stage;
      await start(stage);
      const { operations } = await engine.up({});
      expect(operations).to.deep.equal({ app: "delete", deployed: "delete" });
      expect(requests()).to.deep.equal(["GET /environment"]);
      expect([values(), branchOf(stage)]).to.deep.equal([ALL, "feature/x"]);
      expect(engine.state.size).to.equal(0);
      expect(warnings(stage)).to.have.length(1);
      expect(warnings(stage)[0])
        .to.include(environmentId)
        .and.include("declare it again, and then empty its maps")
        .and.include('`onConflict: "overwrite"`')
        .and.match(/Original branches that are not restored: web@(?:main|\[secret\])\./u);

      await engine.up(children(environmentId));
      const { app, deployed } = children(environmentId);
      await quiet(engine.up({ app, deployed }));
      await engine.up({ app: { ...app, inputs: { ...app.inputs, variables: {}, secrets: {} } }, deployed });
      expect(values()).to.deep.equal({});
      await engine.destroy();
    },
  },
  {
    title: "what goes while the list has its environment is deleted, also when an EnvironmentState is all that is left",
    onHosts: true,
    async run(stage) {
      const { engine, environmentId, values } = stage;
      await start(stage);
      await engine.up({
        state: { type: "EnvironmentState", inputs: { environmentId, state: "running", __listed: false } },
      });
      expect([values(), branchOf(stage)]).to.deep.equal([{}, "main"]);
      expect(warnings(stage)).to.deep.equal([]);
      expect(engine.kept("state").outputs).not.to.have.property("__listed");
    },
  },
  ...(["404", "200"] as const).map((deletedEnvironmentVariables): Scenario => ({
    title: `of an environment that is deleted, nothing is left to delete (its variables answer ${deletedEnvironmentVariables})`,
    choices: { deletedEnvironmentVariables },
    async run(stage) {
      const { engine, environmentId, world, requests } = stage;
      await start(stage);
      world.setFlags(environmentId, { deleted: true });
      await engine.up({});
      expect(requests()).to.deep.equal(["GET /environment"]);
      expect(engine.state.size).to.equal(0);
      expect(warnings(stage)).to.deep.equal([]);
    },
  })),
  ...([{ status: 401 }, { gateway: "page" }] satisfies FaultOptions[]).map((fault): Scenario => ({
    title: `an environment that cannot be read (${JSON.stringify(fault)}) is an error, and state keeps its children`,
    async run(stage) {
      const { engine, environmentId, sandbox, values } = stage;
      await start(stage);
      const handle = sandbox.faults.add({ ...fault, label: "GET /environment", times: Infinity });
      await failing(engine.up({}));
      expect(engine.kept("app").outputs).to.deep.include(MARK);
      expect([values(), branchOf(stage)]).to.deep.equal([ALL, "feature/x"]);
      handle.remove();
      await engine.up(children(environmentId));
    },
  })),
];

const deletes: readonly Scenario[] = [
  ...[true, false].map((isListed): Scenario => ({
    title: `what the program drops of an environment is deleted, where it keeps the mark or takes it away (${isListed})`,
    onHosts: !isListed,
    async run(stage) {
      const { engine, environmentId, values } = stage;
      await start(stage);
      const { deployed } = children(environmentId, { __listed: isListed });
      await engine.up({ deployed });
      expect([values(), branchOf(stage)]).to.deep.equal([{}, "feature/x"]);
      expect(warnings(stage)).to.deep.equal([]);
    },
  })),
  {
    title: "without the mark it is deleted, and to take the mark away costs no request",
    async run(stage) {
      const { engine, environmentId, values, requests } = stage;
      await start(stage);
      const { operations } = await engine.up(children(environmentId, {}));
      expect(operations).to.deep.equal({ app: "update", deployed: "update" });
      expect(requests()).to.deep.equal([]);
      for (const name of ["app", "deployed"]) expect(engine.kept(name).outputs).not.to.have.property("__listed");
      await quiet(engine.up(children(environmentId, {})));
      await engine.up({});
      expect([values(), branchOf(stage)]).to.deep.equal([{}, "main"]);
    },
  },
];

const carried: Scenario = {
  title: "the mark is in inputs and in state, and stays there through a refresh and an update",
  async run(stage) {
    const { engine, environmentId, world } = stage;
    await start(stage);
    const hasMarks = (): void => {
      for (const name of ["app", "deployed"]) {
        expect(engine.kept(name).outputs, name).to.deep.include(MARK);
        expect(engine.kept(name).inputs, name).to.deep.include(MARK);
      }
    };
    hasMarks();
    world.setVariable(environmentId, { name: "A", value: "drifted" });
    await engine.refresh();
    hasMarks();
    const { operations, paths } = await engine.preview(children(environmentId));
    expect(operations).to.deep.equal({ app: "update", deployed: "same" });
    expect(Object.values(paths).flat()).not.to.include("__listed");
    await engine.up(children(environmentId));
    hasMarks();
    await quiet(engine.up(children(environmentId)));
  },
};

contract("children of a list", [...unlisted, ...deletes, carried]);

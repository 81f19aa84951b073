import { expect } from "chai";
import { failing } from "../support/stack";
import { branches, contract, type Scenario, type Stage, writes } from "../support/stage";

const MINUTE_MS = 60_000;

const program = ({ environmentId }: Stage, inputs: Readonly<Record<string, unknown>>) =>
  branches(environmentId, inputs);

/** A request that the service did not act on. Meanwhile somebody pushes a commit. */
function lose({ environmentId, sandbox, world }: Stage, label: string): void {
  const match = (request: { readonly label: string }): boolean => {
    if (request.label !== label) return false;
    world.pushCommit(environmentId, "api");
    return true;
  };
  sandbox.faults.add({ match, status: 502 });
}

/** When somebody's build is listed: while it runs, or only once it is over. */
const LISTINGS = ["immediately", "afterBuild"] as const;

const KINDS = [
  { kind: "branch change", label: "PATCH /environment", inputs: { branches: { web: "a" }, waitForBuild: false } },
  { kind: "rebuild", label: "POST /rebuild", inputs: { rebuildOn: ["1"], waitForBuild: false } },
] as const;

const restored: readonly Scenario[] = LISTINGS.map((buildListed) => ({
  title: `onDestroy restore: somebody's build is no trace of a lost request, and the next destroy sends it (${buildListed})`,
  needsTime: true,
  buildSeconds: 20,
  choices: { buildListed },
  async run(stage) {
    const { engine, environmentId, world } = stage;
    await engine.up(program(stage, { branches: { web: "a" }, onDestroy: "restore" }));
    lose(stage, "PATCH /environment");
    expect((await failing(engine.destroy())).errors.join()).to.contain("no effect of it can be seen");
    expect(engine.state.size).to.equal(1);
    writes(stage);
    await engine.destroy();
    expect(writes(stage)).to.deep.equal(["PATCH /environment"]);
    expect(world.environments.get(environmentId)?.projects[0]?.branch).to.equal("main");
  },
}));

const notAwaited: readonly Scenario[] = [
  ...LISTINGS.flatMap((buildListed) =>
    ([0, MINUTE_MS] as const).map((pauseMs): Scenario => ({
      title: `branch change without a wait: somebody's build is no trace of a lost request, and the up ${pauseMs} ms later sends it (${buildListed})`,
      needsTime: true,
      buildSeconds: 20,
      choices: { buildListed, branchesShown: "afterBuild" },
      async run(stage) {
        const { engine, environmentId, world, clock } = stage;
        const { inputs, label } = KINDS[0];
        lose(stage, label);
        const run = await failing(engine.up(program(stage, inputs)));
        expect(run.errors.join()).to.contain("no effect of it can be seen");
        expect(engine.kept("deployed").outputs).to.have.nested.property("pending.status", "ambiguous");
        clock.advance(pauseMs);
        writes(stage);
        await engine.up(program(stage, inputs));
        expect(writes(stage)).to.deep.equal([label]);
        expect(engine.kept("deployed").outputs).to.have.nested.property("pending.status", "notAwaited");
        expect(world.environments.get(environmentId)?.projects[0]?.branch).to.equal("a");
      },
    })),
  ),
  {
    title:
      "rebuild without a wait: a lost request is an error, and somebody's build that is not listed does not stand for it",
    needsTime: true,
    buildSeconds: 20,
    choices: { buildListed: "afterBuild" },
    async run(stage) {
      const { engine, environmentId, sandbox, world } = stage;
      const { inputs, label } = KINDS[1];
      sandbox.faults.add({ label, status: 502 });
      const run = await failing(engine.up(program(stage, inputs)));
      expect(run.errors.join()).to.contain("nothing that the service shows can tell");
      world.pushCommit(environmentId, "api");
      writes(stage);
      await engine.up(program(stage, inputs));
      expect(writes(stage)).to.deep.equal([label]);
    },
  },
  ...KINDS.map(({ kind, label, inputs }): Scenario => ({
    title: `${kind} without a wait: an answer lost after the service acted costs no second build`,
    needsTime: true,
    buildSeconds: 20,
    choices: { branchesShown: "afterBuild" },
    async run(stage) {
      const { engine, environmentId, sandbox, world } = stage;
      sandbox.faults.add({ label, dropAfter: true });
      expect((await failing(engine.up(program(stage, inputs)))).errors).to.have.length(1);
      await engine.up(program(stage, inputs));
      expect(writes(stage)).to.deep.equal([label]);
      expect(world.builds(environmentId)).to.have.length(2);
      expect((await engine.up(program(stage, inputs))).operations).to.deep.equal({ deployed: "same" });
    },
  })),
  {
    title: "branch change without a wait: an answer lost after the service acted is looked up by the branches",
    needsTime: true,
    buildSeconds: 20,
    async run(stage) {
      const { engine, environmentId, sandbox, world } = stage;
      sandbox.faults.add({ label: KINDS[0].label, dropAfter: true });
      await engine.up(program(stage, KINDS[0].inputs));
      expect(world.builds(environmentId)).to.have.length(2);
    },
  },
];

contract("EnvironmentBranches, lost requests that no wait follows", [...restored, ...notAwaited]);

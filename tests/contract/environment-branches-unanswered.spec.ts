import { expect } from "chai";
import { errorsOf, quiet } from "../support/stack";
import { branches, contract, type Scenario, type Stage, writes } from "../support/stage";
import { CHANGE, hasNewestBuild, MINUTE_MS, pendingOf, REBUILD } from "./support/builds";

/** A request that queues a build and gets no answer: looked up, and not repeated in the same `up`. */
const unanswered: readonly Scenario[] = [
  { kind: "branch change", label: CHANGE, inputs: { branches: { web: "feature/x" } } },
  { kind: "rebuild", label: REBUILD, inputs: { rebuildOn: ["1"] } },
].flatMap(({ kind, label, inputs }): readonly Scenario[] => [
  ...[{ dropAfter: true }, { status: 504, acts: true }].map((fault): Scenario => ({
    title: `${kind}: an answer lost (${Object.keys(fault).join()}) after the service acted is looked up, not repeated`,
    needsTime: true,
    buildSeconds: 30,
    async run(stage) {
      const { engine, environmentId, sandbox, world } = stage;
      sandbox.faults.add({ label, ...fault });
      await engine.up(branches(environmentId, inputs));
      expect(writes(stage)).to.deep.equal([label]);
      expect(world.builds(environmentId)).to.have.length(2);
    },
  })),
  ...[{ dropBefore: true }, { status: 503 }].map((fault): Scenario => ({
    title: `${kind}: lost (${Object.keys(fault).join()}) before the service acted is not repeated by this up, and is by the next`,
    needsTime: true,
    buildSeconds: 30,
    async run(stage) {
      const { engine, environmentId, sandbox, world } = stage;
      sandbox.faults.add({ label, ...fault });
      expect(await errorsOf(engine.up(branches(environmentId, inputs)))).to.contain("pulumi up");
      expect(writes(stage)).to.deep.equal([label]);
      expect(world.builds(environmentId)).to.have.length(1);
      await engine.up(branches(environmentId, inputs));
      expect(world.builds(environmentId)).to.have.length(2);
    },
  })),
  ...[60, 180].map((delaySeconds): Scenario => ({
    title: `${kind}: the answer is lost and the service shows nothing for ${delaySeconds} s: ${delaySeconds < 120 ? "this up finds the build" : "the build is owed, and the next up requests one more"}`,
    needsTime: true,
    buildSeconds: 240,
    choices: {
      processingStarts: "late",
      processingDelaySeconds: delaySeconds,
      branchesShown: "afterBuild",
      buildListed: "whenProcessing",
    },
    async run(stage) {
      const { engine, environmentId, sandbox, clock } = stage;
      sandbox.faults.add({ label, dropAfter: true });
      const running = engine.up(branches(environmentId, inputs));
      if (delaySeconds < 120) await running;
      else {
        expect(await errorsOf(running)).to.contain("requests the build again");
        expect(engine.kept("deployed").outputs).to.deep.include({
          pending: { v: 1, status: "owed", branches: "branches" in inputs ? inputs.branches : {} },
        });
        clock.advance(10 * MINUTE_MS);
        await engine.up(branches(environmentId, inputs));
      }
      hasNewestBuild(stage);
      expect(pendingOf(stage)).to.equal(undefined);
      expect(writes(stage)).to.have.length(delaySeconds < 120 ? 1 : 2);
      for (const refresh of [false, true]) await quiet(engine.up(branches(environmentId, inputs), { refresh }));
    },
  })),
]);

contract("EnvironmentBranches, unanswered requests", unanswered);

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
  { kind: "branch change", label: CHANGE, inputs: { branches: { web: "a" }, waitForBuild: false } },
  { kind: "rebuild", label: REBUILD, inputs: { rebuildOn: ["1"], waitForBuild: false } },
] as const;

const restored: readonly Scenario[] = LISTINGS.map((buildListed) => ({
  title: `onDestroy restore: somebody's build is no trace of a lost request, and the next destroy sends it (${buildListed})`,
  needsTime: true,
  buildSeconds: 20,
  choices: { buildListed },
  async run(stage) {
    const { engine, environmentId, world } = stage;
    await engine.up(program(stage, { branches: { web: "a" }, onDestroy: "restore" }));
    lose(stage, CHANGE);
    expect(await errorsOf(engine.destroy())).to.contain("no effect of it can be seen");
    expect(engine.state.size).to.equal(1);
    writes(stage);
    await engine.destroy();
    expect(writes(stage)).to.deep.equal([CHANGE]);
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
        expect(await errorsOf(engine.up(program(stage, inputs)))).to.contain("no effect of it can be seen");
        expect(pendingOf(stage)).to.include({ status: "owed" });
        clock.advance(pauseMs);
        writes(stage);
        await engine.up(program(stage, inputs));
        expect(writes(stage)).to.deep.equal([label]);
        expect(pendingOf(stage)).to.include({ status: "asked" });
        expect(world.environments.get(environmentId)?.projects[0]?.branch).to.equal("a");
      },
    })),
  ),
  {
    title: "branch change without a wait: an answer is lost, and branches show that were not there: no second build",
    needsTime: true,
    buildSeconds: 20,
    choices: { buildListed: "afterBuild" },
    async run(stage) {
      const { engine, environmentId, sandbox, world } = stage;
      const { inputs, label } = KINDS[0];
      sandbox.faults.add({ label, dropAfter: true });
      await engine.up(program(stage, inputs));
      expect(pendingOf(stage)).to.include({ status: "asked" });
      expect(world.builds(environmentId)).to.have.length(2);
    },
  },
  ...KINDS.map(({ kind, label, inputs }): Scenario => ({
    title: `${kind} without a wait: an answer lost after the service acted is looked up at once, and costs no second build`,
    needsTime: true,
    buildSeconds: 20,
    choices: { branchesShown: "afterBuild" },
    async run(stage) {
      const { engine, environmentId, sandbox, world } = stage;
      sandbox.faults.add({ label, dropAfter: true });
      await engine.up(program(stage, inputs));
      expect(pendingOf(stage)).to.include({ status: "asked" });
      await engine.up(program(stage, inputs));
      expect(writes(stage)).to.deep.equal([label]);
      expect(world.builds(environmentId)).to.have.length(2);
      await quiet(engine.up(program(stage, inputs)));
    },
  })),
];

contract("EnvironmentBranches, lost requests that no wait follows", [...restored, ...notAwaited]);

import { expect } from "chai";
import { errorsOf, failing, quiet } from "../support/stack";
import { branches, contract, type Scenario, set, type Stage, writes } from "../support/stage";
import { CHANGE, deploying, hasNewestBuild, MINUTE_MS, pendingOf, REBUILD } from "./support/builds";

/** The requests that queue a build. */
const KINDS = [
  { kind: "branch change", label: CHANGE, inputs: { branches: { web: "feature/x" } } },
  { kind: "rebuild", label: REBUILD, inputs: { rebuildOn: ["1"] } },
] as const;

/** Without an answer it is looked up, and not repeated in the same `up`. */
const unanswered: readonly Scenario[] = KINDS.flatMap(({ kind, label, inputs }) =>
  [60, 180].map((delaySeconds): Scenario => ({
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
);

/** 501 says that the service does not know such a request. */
const notImplemented: readonly Scenario[] = [
  {
    title: "501 to every write: it is refused, and nothing is looked for as if it had no answer",
    needsTime: true,
    async run({ engine, environmentId, sandbox }) {
      sandbox.faults.add({ match: ({ method }) => method !== "GET", status: 501, times: Infinity });
      for (const inputs of [{ branches: { web: "feature/x" } }, { branches: { web: "main" }, rebuildOn: ["1"] }])
        expect(await errorsOf(engine.up(branches(environmentId, inputs))))
          .to.contain("answered 501")
          .and.not.contain("It is not known");
      await failing(engine.up(set(environmentId, { secrets: { KEY: "secret-key-1234" } })));
      expect(engine.state.has("vars")).to.equal(false);
    },
  },
];

contract("EnvironmentBranches, unanswered requests", [...unanswered, ...notImplemented]);

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

/** A branch change that nobody waits for. */
const changing = (stage: Stage) => deploying(stage, { waitForBuild: false });

const restored: readonly Scenario[] = LISTINGS.map((buildListed) => ({
  title: `onDestroy restore: somebody's build is no trace of a lost request, and the next destroy sends it (${buildListed})`,
  needsTime: true,
  buildSeconds: 20,
  choices: { buildListed },
  async run(stage) {
    const { engine, environmentId, world } = stage;
    await engine.up(deploying(stage, { onDestroy: "restore" }));
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
        lose(stage, CHANGE);
        expect(await errorsOf(engine.up(changing(stage)))).to.contain("no effect of it can be seen");
        expect(pendingOf(stage)).to.include({ status: "owed" });
        clock.advance(pauseMs);
        writes(stage);
        await engine.up(changing(stage));
        expect(writes(stage)).to.deep.equal([CHANGE]);
        expect(pendingOf(stage)).to.include({ status: "asked" });
        expect(world.environments.get(environmentId)?.projects[0]?.branch).to.equal("feature/x");
      },
    })),
  ),
  ...KINDS.flatMap(({ kind, label, inputs }) =>
    [{ branchesShown: "afterBuild" } as const, { buildListed: "afterBuild" } as const]
      // A rebuild leaves no trace but its build.
      .filter((choices) => kind === "branch change" || !("buildListed" in choices))
      .map((choices): Scenario => ({
        title: `${kind} without a wait: an answer lost after the service acted is looked up at once, and costs no second build (${Object.keys(choices).join()})`,
        needsTime: true,
        buildSeconds: 20,
        choices,
        async run(stage) {
          const { engine, environmentId, sandbox, world } = stage;
          const program = branches(environmentId, { ...inputs, waitForBuild: false });
          sandbox.faults.add({ label, dropAfter: true });
          await engine.up(program);
          expect(pendingOf(stage)).to.include({ status: "asked" });
          await quiet(engine.up(program));
          expect(writes(stage)).to.deep.equal([label]);
          expect(world.builds(environmentId)).to.have.length(2);
        },
      })),
  ),
];

contract("EnvironmentBranches, lost requests that no wait follows", [...restored, ...notAwaited]);

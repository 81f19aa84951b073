import { expect } from "chai";
import { failing } from "../support/stack";
import { branches, contract, type Scenario, type Stage, writes } from "../support/stage";

const HOUR_MS = 3_600_000;

/** One second: where time passes by itself, a failed build is a late one. */
const deployed = ({ environmentId }: Stage, inputs: object = {}) =>
  branches(environmentId, { branches: { web: "feature/x" }, buildTimeoutSeconds: 1, ...inputs });
/** The program of a PreviewEnvironment that is to be stopped, as far as the engine sees it. */
const stopped = (stage: Stage) => ({
  power: { type: "EnvironmentState", inputs: { environmentId: stage.environmentId, state: "stopped" } },
  ...deployed(stage),
});

/** How an `up` can leave a build that it did not see succeed. */
const causes: readonly { readonly what: string; readonly makes: (stage: Stage) => void; readonly seconds?: number }[] =
  [
    { what: "failed", makes: ({ world, environmentId }) => world.failNextBuild(environmentId) },
    {
      what: "late",
      makes: ({ world, environmentId }) => {
        world.failNextBuild(environmentId);
        world.slowNextBuild(environmentId, 900);
      },
    },
    {
      what: "lost",
      makes: ({ sandbox }) => void sandbox.faults.add({ label: "PATCH /environment", status: 503, times: 9 }),
    },
  ];

const PATIENT = { buildTimeoutSeconds: 600 };

const kept: readonly Scenario[] = causes.flatMap(({ what, makes }) =>
  (["stopped", "retired", "deleted"] as const).flatMap((flag) =>
    (["immediately", "afterBuild"] as const).map((branchesShown): Scenario => ({
      title: `a build that was ${what}, then ${flag}: ups are quiet until a refresh sees it running (${branchesShown})`,
      choices: { branchesShown },
      buildSeconds: 30,
      needsTime: true,
      async run(stage) {
        const { engine, environmentId, sandbox, world, clock, log } = stage;
        makes(stage);
        expect((await failing(engine.up(deployed(stage, PATIENT)))).errors).to.have.length(1);
        clock.advance(HOUR_MS);
        sandbox.faults.clear();
        world.setFlags(environmentId, { [flag]: true });
        writes(stage);
        await engine.up(deployed(stage, PATIENT));
        expect((await log.until(/looks at that build|It is owed/u)).severity).to.equal("warning");
        for (const refresh of [false, true, false])
          expect((await engine.up(deployed(stage, PATIENT), { refresh })).operations).to.deep.equal({
            deployed: "same",
          });
        expect(writes(stage)).to.deep.equal([]);

        world.setFlags(environmentId, { [flag]: false });
        await engine.up(deployed(stage, PATIENT), { refresh: true });
        expect(writes(stage)).to.have.length(1);
        expect(world.builds(environmentId)[0]).to.deep.include({ outcome: "succeeded" });
        expect((await engine.up(deployed(stage, PATIENT), { refresh: true })).operations).to.deep.equal({
          deployed: "same",
        });
      },
    })),
  ),
);

const wanted: readonly Scenario[] = [
  {
    title:
      "a failed build, then a program that wants it stopped: it stops, and the next up, preview and refresh are quiet",
    async run(stage) {
      const { engine, environmentId, world } = stage;
      world.failNextBuild(environmentId);
      expect((await failing(engine.up(deployed(stage)))).errors).to.have.length(1);
      writes(stage);
      await engine.up(stopped(stage));
      expect(writes(stage)).to.deep.equal(["POST /stop"]);
      for (const run of [engine.up(stopped(stage)), engine.preview(stopped(stage))])
        expect((await run).operations).to.deep.equal({ power: "same", deployed: "same" });
      expect((await engine.up(stopped(stage), { refresh: true })).operations).to.deep.equal({
        power: "same",
        deployed: "same",
      });
      expect(writes(stage)).to.deep.equal([]);

      const running = {
        ...stopped(stage),
        power: { type: "EnvironmentState", inputs: { environmentId, state: "running" } },
      };
      expect((await engine.preview(running)).operations).to.deep.equal({ power: "update", deployed: "update" });
      await engine.up(running);
      expect(world.builds(environmentId)[0]).to.deep.include({ outcome: "succeeded" });
      expect((await engine.up(running, { refresh: true })).operations).to.deep.equal({
        power: "same",
        deployed: "same",
      });
    },
  },
  {
    title: "branches or a rebuild that the program wants anew of a stopped environment stay errors",
    async run(stage) {
      const { engine, environmentId, world } = stage;
      world.failNextBuild(environmentId);
      await failing(engine.up(deployed(stage)));
      world.setFlags(environmentId, { stopped: true });
      writes(stage);
      for (const inputs of [{ branches: { web: "feature/y" } }, { rebuildOn: ["2"] }])
        expect((await failing(engine.up(deployed(stage, inputs)))).errors.join("\n")).to.match(/it is stopped/u);
      expect(writes(stage)).to.deep.equal([]);
    },
  },
  {
    title: "a build that succeeded after all is done, stopped or not",
    buildSeconds: 30,
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, world, clock } = stage;
      world.slowNextBuild(environmentId, 900);
      expect((await failing(engine.up(deployed(stage)))).errors).to.have.length(1);
      clock.advance(HOUR_MS);
      world.setFlags(environmentId, { stopped: true });
      await engine.up(deployed(stage));
      expect((await engine.up(deployed(stage))).operations).to.deep.equal({ deployed: "same" });
    },
  },
  {
    title: "a failed build of a stopped environment is no obstacle to a destroy that restores, with skip",
    async run(stage) {
      const { engine, environmentId, world } = stage;
      world.failNextBuild(environmentId);
      const program = deployed(stage, { onDestroy: "restore", whenStopped: "skip" });
      await failing(engine.up(program));
      world.setFlags(environmentId, { stopped: true });
      await engine.up(program);
      await engine.destroy();
    },
  },
];

/** Takes inputs out of state, as if a version had written it that did not have them. */
function forget({ engine }: Stage, names: readonly string[]): void {
  const found = engine.kept("deployed");
  const without = (bag: object) => Object.fromEntries(Object.entries(bag).filter(([name]) => !names.includes(name)));
  engine.state.set("deployed", { ...found, inputs: without(found.inputs), outputs: without(found.outputs) });
}

const older: readonly Scenario[] = [
  {
    title: "state without inputs that came later is no change, and `fail` is what it means",
    async run(stage) {
      const { engine, environmentId, world, requests } = stage;
      await engine.up(deployed(stage, { onDestroy: "restore" }));
      forget(stage, ["whenStopped", "requires"]);
      requests();
      const program = deployed(stage, { onDestroy: "restore" });
      expect((await engine.preview(program)).operations).to.deep.equal({ deployed: "same" });
      expect((await engine.up(program)).operations).to.deep.equal({ deployed: "same" });
      expect(requests()).to.deep.equal([]);
      expect((await engine.up(program, { refresh: true })).operations).to.deep.equal({ deployed: "same" });
      world.setFlags(environmentId, { retired: true });
      expect((await failing(engine.destroy())).errors.join()).to.match(/it is retired/u);
    },
  },
  {
    title: "a postponed build in state without inputs that came later stays postponed, and is done later",
    async run(stage) {
      const { engine, environmentId, world } = stage;
      world.failNextBuild(environmentId);
      await failing(engine.up(deployed(stage)));
      world.setFlags(environmentId, { stopped: true });
      await engine.up(deployed(stage));
      forget(stage, ["whenStopped", "requires"]);
      for (const refresh of [false, true])
        expect((await engine.up(deployed(stage), { refresh })).operations).to.deep.equal({ deployed: "same" });
      writes(stage);
      world.setFlags(environmentId, { stopped: false });
      await engine.up(deployed(stage), { refresh: true });
      expect(writes(stage)).to.deep.equal(["POST /rebuild"]);
    },
  },
];

contract("EnvironmentBranches, postponed builds", [...kept, ...wanted, ...older]);

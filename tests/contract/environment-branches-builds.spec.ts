import { expect } from "chai";
import type { Choices } from "../../provider/src/sandbox";
import { failing } from "../support/stack";
import { branches, contract, type Scenario, type Stage, writes } from "../support/stage";

const BUILD_SECONDS = 120;
/** Longer than the provider waits, and over soon after. */
const SLOW_SECONDS = 90;
const SECOND_MS = 1_000;

const program = ({ environmentId }: Stage, inputs: object = {}) =>
  branches(environmentId, { branches: { web: "feature/x" }, buildTimeoutSeconds: 600, ...inputs });

/** What the specification leaves open about builds, in every combination. */
const answers: readonly Partial<Choices>[] = (["immediately", "late"] as const).flatMap((processingStarts) =>
  (["immediately", "afterBuild"] as const).flatMap((branchesShown) =>
    (["immediately", "whenProcessing", "afterBuild"] as const).map((buildListed) => ({
      processingStarts,
      processingDelaySeconds: 5,
      branchesShown,
      buildListed,
    })),
  ),
);

const matrix: readonly Scenario[] = answers.flatMap((choices) => {
  const { processingStarts, branchesShown, buildListed } = choices;
  const when = `processing ${processingStarts}, branches ${branchesShown}, listed ${buildListed}`;
  const common = { choices, buildSeconds: BUILD_SECONDS, needsTime: true };
  return [
    {
      ...common,
      title: `waits for the right build (${when})`,
      async run(stage) {
        const { engine, environmentId, clock, world } = stage;
        const start = clock.now();
        await engine.up(program(stage));
        expect(clock.now() - start).to.be.within(BUILD_SECONDS * SECOND_MS, (BUILD_SECONDS + 11) * SECOND_MS);
        expect(engine.kept("deployed").outputs).to.have.nested.property("build.id", world.builds(environmentId)[0]?.id);
        expect(engine.kept("deployed").outputs).to.deep.include({ ready: true });
        expect(writes(stage)).to.deep.equal(["PATCH /environment"]);
        expect((await engine.up(program(stage), { refresh: true })).operations).to.deep.equal({ deployed: "same" });
      },
    },
    {
      ...common,
      title: `a failed build is an error, the next up builds once (${when})`,
      async run(stage) {
        const { engine, environmentId, world } = stage;
        world.failNextBuild(environmentId);
        const run = await failing(engine.up(program(stage)));
        expect(run.errors.join("\n")).to.contain(world.builds(environmentId)[0]?.id).and.to.contain("failed");
        await engine.up(program(stage));
        expect(world.builds(environmentId)).to.have.length(3);
        expect((await engine.up(program(stage), { refresh: true })).operations).to.deep.equal({ deployed: "same" });
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
          const late = await failing(engine.up(program(stage, { buildTimeoutSeconds: 60 })));
          expect(late.errors.join("\n")).to.contain("60 s").and.to.contain("buildTimeoutSeconds");
          expect(engine.state.size).to.equal(1);
          if (fate !== "running") clock.advance(SLOW_SECONDS * SECOND_MS);
          if (refresh) await engine.refresh();
          writes(stage);
          await engine.up(program(stage, { buildTimeoutSeconds: 60 }));
          const made = writes(stage);
          if (fate === "failed") expect(made).to.have.length(1);
          else expect(made).to.deep.equal([]);
          expect(world.builds(environmentId)).to.have.length(fate === "failed" ? 3 : 2);
          expect(
            (await engine.up(program(stage, { buildTimeoutSeconds: 60 }), { refresh: true })).operations,
          ).to.deep.equal({
            deployed: "same",
          });
        },
        buildSeconds: 30,
      })),
    ),
  ];
});

const foreign: Scenario = {
  title: "somebody's build that ends right before the request, and is listed only then, is not the requested one",
  choices: { processingStarts: "late", processingDelaySeconds: 30, buildListed: "afterBuild" },
  buildSeconds: BUILD_SECONDS,
  needsTime: true,
  async run(stage) {
    const { engine, environmentId, clock, sandbox, world } = stage;
    world.pushCommit(environmentId, "api");
    clock.advance(60 * SECOND_MS);
    world.setVariable(environmentId, { name: "A", value: "2" });
    // The request goes out a second time, when that build is over.
    sandbox.faults.add({ label: "POST /rebuild", status: 429 });
    clock.onSleep = () => {
      if (world.builds(environmentId).length === 2) world.finishBuilds(environmentId);
    };
    await engine.up(branches(environmentId, { rebuildOn: ["1"] }));
    expect(world.builds(environmentId).map(({ outcome }) => outcome)).to.deep.equal(Array(3).fill("succeeded"));
    expect(engine.kept("deployed").outputs).to.have.nested.property("build.id", world.builds(environmentId)[0]?.id);
  },
};

contract("EnvironmentBranches, builds of every kind of service", [...matrix, foreign]);

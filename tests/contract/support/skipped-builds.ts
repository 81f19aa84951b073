import { expect } from "chai";
import { branches, type Stage, writes } from "../../support/stage";

/** A program whose branches wait for the environment to run. */
export const skipping = ({ environmentId }: Stage, inputs: object = {}) =>
  branches(environmentId, { branches: { web: "feature/x" }, whenStopped: "skip", ...inputs });
export const same = { deployed: "same" };
export const OWED = /is (?:stopped|retired), so the build is postponed/u;

/** Each `up` is without an error and sends nothing but reads. */
export async function quietUps(stage: Stage, program: ReturnType<typeof skipping>): Promise<void> {
  for (const refresh of [false, true, false])
    expect((await stage.engine.up(program, { refresh })).operations).to.deep.equal(same);
  await stage.engine.refresh();
  expect((await stage.engine.preview(program)).operations).to.deep.equal(same);
  expect(writes(stage)).to.deep.equal([]);
}

/** Inputs that ask for a rebuild once more. */
export const AGAIN = { rebuildOn: ["2"] };
export const wake = ({ world, environmentId }: Stage) =>
  world.setFlags(environmentId, { stopped: false, retired: false });

/** Deployed, asleep, and another rebuild is owed. */
export async function owe(stage: Stage, inputs: object = AGAIN): Promise<void> {
  const { engine, environmentId, world } = stage;
  await engine.up(skipping(stage, { rebuildOn: ["1"] }));
  world.setFlags(environmentId, { stopped: true });
  await engine.up(skipping(stage, inputs));
  expect(engine.kept("deployed").initErrors).to.deep.equal([]);
  writes(stage);
}

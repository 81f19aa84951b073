import { expect } from "chai";
import type { Properties } from "../../../provider/src/framework/properties";
import type { Program } from "../../support/engine-steps";
import { quiet, type UpOptions } from "../../support/stack";
import { branches, type Stage, writes } from "../../support/stage";

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const CHANGE = "PATCH /environment";
export const REBUILD = "POST /rebuild";

/** A program of one EnvironmentBranches called `deployed`, which deploys the branch feature/x of web, unless told otherwise. */
export function deploying({ environmentId }: Stage, inputs: Properties = {}) {
  return branches(environmentId, { branches: { web: "feature/x" }, ...inputs });
}

/** A program of one EnvironmentState called `power`. */
export function powered({ environmentId }: Stage, state: "running" | "stopped") {
  return { power: { type: "EnvironmentState", inputs: { environmentId, state } } } as const;
}

/** What state has of a build that was not seen to succeed. */
export function pendingOf({ engine }: Stage): unknown {
  return engine.kept("deployed").outputs["pending"];
}

/** Does something once, in the first sleep after so much time since the start of the scenario. */
export function at({ clock }: Stage, elapsedMs: number, action: () => void): void {
  let isDone = false;
  clock.onSleep = (now) => {
    if (isDone || now < elapsedMs) return;
    isDone = true;
    action();
  };
}

/** State has the environment's newest build as the one that was waited for. */
export function hasNewestBuild({ engine, environmentId, world }: Stage): void {
  const [newest] = world.builds(environmentId);
  expect(engine.kept("deployed").outputs).to.have.nested.property("build.id", newest?.id);
}

/** No run has anything to do, and none sends anything but reads. */
export async function quietUps(stage: Stage, program: Program): Promise<void> {
  for (const refresh of [false, true]) await quiet(stage.engine.up(program, { refresh }));
  expect(writes(stage)).to.deep.equal([]);
}

/** Nothing is pending, and no run has anything to do. */
export async function isSettled(stage: Stage, program: Program): Promise<void> {
  expect(pendingOf(stage)).to.equal(undefined);
  await quietUps(stage, program);
}

/** An `up` of the program sends these writes, and is all that was left to do. */
export async function settlesWith(
  stage: Stage,
  program: Program,
  expected: readonly string[],
  options: UpOptions = {},
): Promise<void> {
  writes(stage);
  await stage.engine.up(program, options);
  expect(writes(stage)).to.deep.equal(expected);
  await isSettled(stage, program);
}

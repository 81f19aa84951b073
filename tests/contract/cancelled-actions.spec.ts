import { expect } from "chai";
import type { Properties } from "../../provider/src/framework/properties";
import type { Program } from "../support/engine-steps";
import { failing } from "../support/stack";
import { contract, type Scenario, type Stage } from "../support/stage";
import { cancelledAt } from "./support/cancelled";

/** Something that is asked of an environment, and is cancelled while the service has the request. */
interface Case {
  readonly type: string;
  readonly inputs: Properties;
  readonly label: string;
  readonly prepare?: (stage: Stage) => void;
  readonly isReached: (stage: Stage) => boolean;
}

const flag = ({ world, environmentId }: Stage, name: "stopped" | "retired" | "deleted"): boolean =>
  world.environments.get(environmentId)?.[name] === true;
const set =
  (name: "stopped" | "retired" | "deleted") =>
  ({ world, environmentId }: Stage): void =>
    world.setFlags(environmentId, { [name]: true });
const branchOf = ({ world, environmentId }: Stage): string | undefined =>
  world.environments.get(environmentId)?.projects.find(({ repoName }) => repoName === "web")?.branch;
const hasBuilt = ({ world, environmentId }: Stage): boolean => world.builds(environmentId).length > 1;

const cases: readonly Case[] = [
  {
    type: "EnvironmentAction",
    inputs: { action: "stop" },
    label: "POST /stop",
    isReached: (stage) => flag(stage, "stopped"),
  },
  {
    type: "EnvironmentAction",
    inputs: { action: "restart" },
    label: "POST /restart",
    prepare: set("retired"),
    isReached: (stage) => !flag(stage, "retired"),
  },
  { type: "EnvironmentAction", inputs: { action: "rebuild" }, label: "POST /rebuild", isReached: hasBuilt },
  {
    type: "EnvironmentAction",
    inputs: { action: "revive" },
    label: "POST /revive",
    prepare: set("deleted"),
    isReached: (stage) => !flag(stage, "deleted"),
  },
  {
    type: "EnvironmentAction",
    inputs: { action: "cancel" },
    label: "POST /cancel",
    prepare({ world, environmentId }) {
      world.slowNextBuild(environmentId, 3_600);
      world.pushCommit(environmentId, "web");
    },
    isReached: ({ world, environmentId }) => world.builds(environmentId)[0]?.outcome === "failed",
  },
  {
    type: "SnapshotLoad",
    inputs: { sequenceNumber: 7 },
    label: "POST /snapshot-load",
    isReached: ({ world, environmentId }) => world.snapshotLoads(environmentId).length > 0,
  },
  {
    type: "EnvironmentState",
    inputs: { state: "stopped" },
    label: "POST /stop",
    isReached: (stage) => flag(stage, "stopped"),
  },
  {
    type: "EnvironmentState",
    inputs: { state: "running" },
    label: "POST /revive",
    prepare: set("deleted"),
    isReached: (stage) => !flag(stage, "deleted"),
  },
  {
    type: "EnvironmentBranches",
    inputs: { branches: { web: "feature/x" } },
    label: "PATCH /environment",
    isReached: (stage) => branchOf(stage) === "feature/x" && hasBuilt(stage),
  },
  {
    type: "EnvironmentBranches",
    inputs: { branches: { web: "main" }, rebuildOn: ["one"] },
    label: "POST /rebuild",
    isReached: hasBuilt,
  },
];

const scenarios: readonly Scenario[] = cases.flatMap(({ type, inputs, label, prepare, isReached }) => {
  const program = ({ environmentId }: Stage): Program => ({ one: { type, inputs: { environmentId, ...inputs } } });
  const what = `${type} ${JSON.stringify(inputs)}`;
  const after = (acts: boolean, refresh: boolean): Scenario => ({
    title: `${what}, ${acts ? "and done" : "and lost"}: ${refresh ? "up --refresh" : "up"} finishes`,
    cancels: true,
    async run(stage) {
      const { engine } = stage;
      prepare?.(stage);
      const run = await cancelledAt(stage, { label, acts }, () => failing(engine.up(program(stage))));
      expect(run.errors.join("\n")).to.match(/cancelled/u);
      expect(engine.kept("one").initErrors).to.deep.equal(run.errors);
      await engine.up(program(stage), { refresh });
      expect(isReached(stage)).to.equal(true);
      expect((await engine.up(program(stage), { refresh: true })).operations).to.deep.equal({ one: "same" });
    },
  });
  const destroyed: Scenario = {
    title: `${what}, and done: destroy takes it out of state`,
    cancels: true,
    async run(stage) {
      const { engine } = stage;
      prepare?.(stage);
      await cancelledAt(stage, { label, acts: true }, () => failing(engine.up(program(stage))));
      await engine.refresh();
      await engine.destroy();
      expect(engine.state.size).to.equal(0);
    },
  };
  const unsent: Scenario = {
    title: `${what}, before anything is sent: nothing is in state`,
    cancels: true,
    async run(stage) {
      const { engine } = stage;
      prepare?.(stage);
      const run = await cancelledAt(stage, { label: "GET /environment", acts: true }, () =>
        failing(engine.up(program(stage))),
      );
      expect(run.errors.join("\n")).to.match(/cancelled/u);
      expect(engine.state.size).to.equal(0);
    },
  };
  return [after(true, false), after(true, true), after(false, false), after(false, true), destroyed, unsent];
});

const reverted: Scenario = {
  title: "EnvironmentState: a stop that was done, and the program as it was before: it runs again",
  cancels: true,
  async run(stage) {
    const { engine, environmentId } = stage;
    const program = (state: string): Program => ({
      one: { type: "EnvironmentState", inputs: { environmentId, state } },
    });
    await engine.up(program("running"));
    await cancelledAt(stage, { label: "POST /stop", acts: true }, () => failing(engine.up(program("stopped"))));
    expect(flag(stage, "stopped")).to.equal(true);
    await engine.up(program("running"));
    expect(flag(stage, "stopped")).to.equal(false);
  },
};

contract("cancelled while the service has a request that is to be done once", [...scenarios, reverted]);

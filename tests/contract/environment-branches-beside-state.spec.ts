import { expect } from "chai";
import type { Properties } from "../../provider/src/framework/properties";
import type { Program } from "../support/engine-steps";
import { errorsOf } from "../support/stack";
import { contract, type Scenario, type Stage, warningsOf, writes } from "../support/stage";
import { CHANGE, deploying, hasNewestBuild, isSettled, MINUTE_MS, powered, REBUILD } from "./support/builds";

/** Branches that depend on the state, as in the component. */
function both(stage: Stage, state: "running" | "stopped", inputs: Properties = {}): Program {
  const { deployed } = deploying(stage, inputs);
  return { ...powered(stage, state), deployed: { ...deployed, dependsOn: ["power"] } };
}

/** How a service is asked to start an environment: it refuses the restart of one that is only stopped. */
const STARTS = {
  stopped: ["POST /restart", REBUILD],
  retired: ["POST /restart"],
  deleted: ["POST /revive"],
} as const;

const started: readonly Scenario[] = (["stopped", "retired", "deleted"] as const).flatMap((flag) =>
  (["fail", "skip", "wake"] as const).map((whenStopped): Scenario => ({
    title: `an environment that is ${flag} is brought up first, and its branches are changed once (${whenStopped})`,
    environment: { [flag]: true },
    onHosts: flag === "stopped" && whenStopped === "fail",
    async run(stage) {
      const { engine } = stage;
      const program = both(stage, "running", { whenStopped });
      await engine.up(program, { parallel: true });
      expect(writes(stage)).to.deep.equal([...STARTS[flag], CHANGE]);
      hasNewestBuild(stage);
      await isSettled(stage, program);
    },
  })),
);

const ADVICE = /it is stopped\. .*this resource depends on \(`dependsOn`, and `pulumi up --refresh`\)/u;

const others: readonly Scenario[] = [
  {
    title: "an EnvironmentState that the branches do not depend on: an error at once that says `dependsOn`",
    environment: { stopped: true },
    needsTime: true,
    async run(stage) {
      const { engine, clock } = stage;
      const program = { ...deploying(stage), ...powered(stage, "running") };
      const start = clock.now();
      expect(await errorsOf(engine.up(program))).to.match(ADVICE);
      expect(clock.now() - start).to.be.below(MINUTE_MS);
    },
  },
  {
    title: "an EnvironmentState that has not seen that somebody stopped it: an error that says --refresh, which works",
    async run(stage) {
      const { engine, environmentId, world } = stage;
      const program = (web: string) => both(stage, "running", { branches: { web } });
      await engine.up(program("main"));
      world.setFlags(environmentId, { stopped: true });
      expect((await warningsOf(stage, program("feature/x"))).join()).to.contain(
        "unless an EnvironmentState of this program starts it before",
      );
      expect(await errorsOf(engine.up(program("feature/x"), { parallel: true }))).to.match(ADVICE);
      await engine.up(program("feature/x"), { refresh: true, parallel: true });
      expect(world.environments.get(environmentId)).to.deep.include({ stopped: false });
    },
  },
];

contract("EnvironmentBranches beside an EnvironmentState", [...started, ...others]);

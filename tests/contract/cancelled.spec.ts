import { setImmediate } from "node:timers/promises";
import { expect } from "chai";
import type { Properties } from "../../provider/src/framework/properties";
import { existing } from "../../sdk/nodejs/runtime/existing";
import type { Program, Run } from "../support/engine-steps";
import { failing, quiet } from "../support/stack";
import { contract, type Scenario, type Stage } from "../support/stage";

/** At which request somebody presses Ctrl-C, and what becomes of that request. */
interface Cancellation {
  /** "PUT /env-vars". */
  readonly label: string;
  /** Whether the service acts on it all the same. */
  readonly acts: boolean;
}

/**
 * Cancels a run while the service has a request and has not answered it. Nothing is asked after the cancellation. The
 * service acts on the request, or never does, once the run is over.
 */
async function cancelledAt(stage: Stage, { label, acts }: Cancellation, act: () => Promise<Run>): Promise<Run> {
  const { engine, sandbox } = stage;
  const mark = sandbox.journal.mark();
  const { promise: hold, resolve: release } = Promise.withResolvers<void>();
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const match = (): boolean => {
    arrive();
    return true;
  };
  const fault = sandbox.faults.add({ label, match, hold, ...(!acts && { dropBefore: true }) });
  const running = act();
  await arrived;
  const from = sandbox.journal.mark();
  await engine.cancel();
  const run = await running;
  expect(sandbox.journal.since(from).map((entry) => entry.label)).to.deep.equal([]);
  release();
  const isWaiting = (): boolean => acts && sandbox.journal.since(mark).some(({ status }) => status === 0);
  while (isWaiting()) await setImmediate();
  fault.remove();
  return run;
}

/** Something that is asked of an environment, and is cancelled while the service has the request. */
interface ActionCase {
  readonly type: string;
  readonly inputs: Properties;
  readonly label: string;
  readonly environment?: Scenario["environment"];
  readonly isReached: (stage: Stage) => boolean;
}

const isStopped = ({ world, environmentId }: Stage): boolean => world.environments.get(environmentId)?.stopped === true;
const hasBuilt = ({ world, environmentId }: Stage): boolean => world.builds(environmentId).length > 1;

const cases: readonly ActionCase[] = [
  { type: "EnvironmentAction", inputs: { action: "stop" }, label: "POST /stop", isReached: isStopped },
  { type: "EnvironmentAction", inputs: { action: "rebuild" }, label: "POST /rebuild", isReached: hasBuilt },
  {
    type: "SnapshotLoad",
    inputs: { sequenceNumber: 7 },
    label: "POST /snapshot-load",
    isReached: ({ world, environmentId }) => world.snapshotLoads(environmentId).length > 0,
  },
  { type: "EnvironmentState", inputs: { state: "stopped" }, label: "POST /stop", isReached: isStopped },
  {
    type: "EnvironmentState",
    inputs: { state: "running" },
    label: "POST /revive",
    environment: { deleted: true },
    isReached: ({ world, environmentId }) => world.environments.get(environmentId)?.deleted === false,
  },
  {
    type: "EnvironmentBranches",
    inputs: { branches: { web: "feature/x" } },
    label: "PATCH /environment",
    isReached: (stage) =>
      stage.world.environments.get(stage.environmentId)?.projects[0]?.branch === "feature/x" && hasBuilt(stage),
  },
  {
    type: "EnvironmentBranches",
    inputs: { branches: { web: "main" }, rebuildOn: ["one"] },
    label: "POST /rebuild",
    isReached: hasBuilt,
  },
];

const scenarios: readonly Scenario[] = cases.flatMap(({ type, inputs, label, environment = {}, isReached }) => {
  const program = ({ environmentId }: Stage): Program => ({ one: { type, inputs: { environmentId, ...inputs } } });
  const what = `${type} ${JSON.stringify(inputs)}`;
  const cancelled = (stage: Stage, at: Cancellation): Promise<Run> =>
    cancelledAt(stage, at, () => failing(stage.engine.up(program(stage))));
  const after = (acts: boolean, refresh: boolean): Scenario => ({
    title: `${what}, ${acts ? "and done" : "and lost"}: ${refresh ? "up --refresh" : "up"} finishes`,
    onHosts: label === "POST /snapshot-load" && acts && !refresh,
    async run(stage) {
      const { engine } = stage;
      const run = await cancelled(stage, { label, acts });
      expect(run.errors.join("\n")).to.match(/cancelled/u);
      expect(engine.kept("one").initErrors).to.deep.equal(run.errors);
      await engine.up(program(stage), { refresh });
      expect(isReached(stage)).to.equal(true);
      await quiet(engine.up(program(stage), { refresh: true }));
    },
  });
  const destroyed: Scenario = {
    title: `${what}, and done: destroy takes it out of state`,
    async run(stage) {
      const { engine } = stage;
      await cancelled(stage, { label, acts: true });
      await engine.refresh();
      await engine.destroy();
      expect(engine.state.size).to.equal(0);
    },
  };
  const unsent: Scenario = {
    title: `${what}, before anything is sent: nothing is in state`,
    async run(stage) {
      const run = await cancelled(stage, { label: "GET /environment", acts: true });
      expect(run.errors.join("\n")).to.match(/cancelled/u);
      expect(stage.engine.state.size).to.equal(0);
    },
  };
  return [after(true, false), after(true, true), after(false, false), after(false, true), destroyed, unsent].map(
    (scenario): Scenario => ({ ...scenario, environment, cancels: true }),
  );
});

contract("cancelled while the service has a request that is to be done once", scenarios);

const PUT = "PUT /env-vars";
const DELETE = "DELETE /env-vars";

/** A program of one resource called `one`. */
type InEnvironment = (environmentId: string) => Program;

/** A write that is cancelled, and what it begins with and leads to. */
interface VariableCase {
  readonly title: string;
  readonly before?: InEnvironment;
  readonly program: InEnvironment;
  /** What the service holds once the program is reached. */
  readonly values: Properties;
  readonly label: string;
}

const resource =
  (type: string, inputs: Properties): InEnvironment =>
  (environmentId) => ({ one: { type, inputs: { environmentId, ...inputs } } });
const set = (inputs: Properties) => resource("EnvVarSet", inputs);
const single = (inputs: Properties) => resource("EnvVar", { name: "A", ...inputs });

const variableCases: readonly VariableCase[] = [
  {
    title: "a create of a set",
    program: set({ variables: { A: "one" }, secrets: { S: "secret-value-1" } }),
    values: { A: "one", S: "secret-value-1" },
    label: PUT,
  },
  {
    title: "an update of a set",
    before: set({ variables: { A: "one", K: "kept" }, secrets: { S: "secret-value-1" } }),
    program: set({ variables: { A: "two", K: "kept", N: "new" }, secrets: { S: "secret-value-2" } }),
    values: { A: "two", K: "kept", N: "new", S: "secret-value-2" },
    label: PUT,
  },
  {
    title: "an update that takes names out of a set",
    before: set({ variables: { A: "one" }, secrets: { S: "secret-value-1" } }),
    program: set({ variables: { A: "one" } }),
    values: { A: "one" },
    label: DELETE,
  },
  {
    title: "a create of a single hidden variable",
    program: single({ value: "secret-value-1" }),
    values: { A: "secret-value-1" },
    label: PUT,
  },
  {
    title: "an update of a single visible variable",
    before: single({ value: "one", hidden: false }),
    program: single({ value: "two", hidden: false }),
    values: { A: "two" },
    label: PUT,
  },
];

/** The programs before and after the write, and the values that the service then holds. */
interface Course {
  readonly before: Program;
  readonly held: Properties;
  readonly program: Program;
  readonly wanted: Properties;
}

/** What a user does after the cancellation, and what has to come of it. */
const afterwards: Readonly<Record<string, (stage: Stage, course: Course) => Promise<void>>> = {
  async up({ engine, values, puts }, { program, wanted }) {
    await engine.up(program);
    expect(values()).to.deep.equal(wanted);
    puts();
    await quiet(engine.up(program, { refresh: true }));
    expect(puts()).to.deep.equal([]);
    await engine.destroy();
    expect(values()).to.deep.equal({});
  },
  async "up of the program as it was before"({ engine, values }, { before, held }) {
    await engine.up(before);
    expect(values()).to.deep.equal(held);
  },
  async destroy({ engine, values }) {
    await engine.destroy();
    expect(values()).to.deep.equal({});
    expect(engine.state.size).to.equal(0);
  },
  async "up --refresh"({ engine, values }, { program, wanted }) {
    await engine.up(program, { refresh: true });
    expect(values()).to.deep.equal(wanted);
    await quiet(engine.up(program));
  },
};

const out: readonly Scenario[] = variableCases.flatMap(({ title, before, program, values: wanted, label }) =>
  [true, false].flatMap((acts) =>
    Object.entries(afterwards).map(([next, check]): Scenario => ({
      title: `${title}, ${acts ? "and done" : "and lost"}: ${next}`,
      onHosts: title === "an update of a set" && acts && next === "up",
      cancels: true,
      async run(stage) {
        const { engine, environmentId, values } = stage;
        const course = { before: before?.(environmentId) ?? {}, program: program(environmentId), wanted };
        await engine.up(course.before);
        const held = values();
        const run = await cancelledAt(stage, { label, acts }, () => failing(engine.up(course.program)));
        expect(run.errors.join("\n")).to.match(/cancelled/u);
        expect(JSON.stringify(engine.kept("one").outputs)).not.to.contain("secret-value-2");
        await check(stage, { ...course, held });
      },
    })),
  ),
);

const destroys: readonly Scenario[] = [set({ variables: { A: "one" } }), single({ value: "one" })].flatMap((program) =>
  [true, false].map((acts): Scenario => ({
    title: `a destroy of ${JSON.stringify(Object.values(program(""))[0]?.type)}, ${acts ? "and done" : "and lost"}`,
    cancels: true,
    async run(stage) {
      const { engine, environmentId, values } = stage;
      await engine.up(program(environmentId));
      const { outputs } = engine.kept("one");
      const run = await cancelledAt(stage, { label: DELETE, acts }, () => failing(engine.destroy()));
      expect(run.errors.join("\n")).to.match(/cancelled/u);
      expect(engine.kept("one").outputs).to.deep.equal(outputs);
      await engine.destroy();
      expect(values()).to.deep.equal({});
    },
  })),
);

/** A value that the program leaves to the service is never deleted, and no value or "not known" in state. */
const left: readonly Scenario[] = [true, false].map((acts) => ({
  title: `a real value that becomes existing() with another scope, ${acts ? "and done" : "and lost"}: destroy leaves it`,
  cancels: true,
  async run(stage) {
    const { engine, environmentId, values } = stage;
    await engine.up(set({ variables: { A: "one" } })(environmentId));
    const program = set({ variables: { A: existing() }, services: ["web"] })(environmentId);
    await cancelledAt(stage, { label: PUT, acts }, () => failing(engine.up(program)));
    expect(engine.kept("one").outputs["variables"]).to.deep.equal({ A: existing() });
    await engine.destroy();
    expect(values()).to.deep.equal({ A: "one" });
  },
}));

contract("cancelled while the service has a write of variables", [...out, ...left]);
contract("cancelled while the service has a DELETE", destroys);

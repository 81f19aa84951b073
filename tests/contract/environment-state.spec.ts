import { expect } from "chai";
import { errorsOf, quiet } from "../support/stack";
import type { Properties } from "../../provider/src/framework/properties";
import { actions, contract, type Scenario } from "../support/stage";

/** A program of one EnvironmentState called `state`. */
function program(environmentId: string, state: string, inputs: Properties = {}) {
  return { state: { type: "EnvironmentState", inputs: { environmentId, state, ...inputs } } } as const;
}

const RUNNING = { retired: false, deleted: false, stopped: false };

const ways: readonly (readonly [string, Partial<typeof RUNNING>, string, readonly string[]])[] = [
  ["running", {}, "running", []],
  ["running", {}, "stopped", ["stop"]],
  ["stopped", { stopped: true }, "stopped", []],
  ["retired", { retired: true }, "stopped", []],
  ["deleted", { deleted: true }, "stopped", []],
  ["retired", { retired: true }, "running", ["restart"]],
  ["stopped", { stopped: true }, "running", ["restart", "rebuild"]],
  ["deleted", { deleted: true }, "running", ["revive"]],
  ["all of them", { stopped: true, retired: true, deleted: true }, "running", ["revive"]],
];

const bringing: readonly Scenario[] = [
  ...ways.map(([title, flags, state, sent]): Scenario => ({
    title: `from ${title} to ${state}: ${sent.join(", then ") || "nothing"} is asked for, and the outputs are the flags`,
    async run(stage) {
      const { engine, environmentId, world } = stage;
      world.setFlags(environmentId, flags);
      const run = await engine.up(program(environmentId, state));
      expect(run).to.deep.include({ operations: { state: "create" } });
      expect(actions(stage)).to.deep.equal(sent);
      const now = world.environments.get(environmentId);
      const { id, outputs } = engine.kept("state");
      expect(id).to.equal(environmentId);
      expect(outputs).to.deep.include({ environmentId, state, timeoutSeconds: 1800 });
      for (const flag of ["processing", "ready", "retired", "deleted", "stopped"] as const)
        expect(outputs[flag], flag).to.equal(now?.[flag]);
      expect(now?.stopped === true || now?.retired === true || now?.deleted === true).to.equal(state === "stopped");
    },
  })),
  ...["Environment is not running", ""].map((title): Scenario => ({
    title: `somebody stops it in between: a 400 ${title === "" ? "without a text" : "with its title"} is success`,
    async run(stage) {
      const { engine, environmentId, world, sandbox } = stage;
      sandbox.faults.add({
        label: "POST /stop",
        status: 400,
        body: title,
        match: () => {
          world.setFlags(environmentId, { stopped: true });
          return true;
        },
      });
      await engine.up(program(environmentId, "stopped"));
      expect(actions(stage)).to.deep.equal(["stop"]);
      expect(engine.kept("state").outputs).to.include({ stopped: true });
    },
  })),
  {
    title: "a refusal without a text that the flags do not bear out is an error that names the environment",
    async run(stage) {
      const { engine, environmentId, sandbox } = stage;
      sandbox.faults.add({ label: "POST /stop", status: 400, body: "", times: Infinity });
      expect(await errorsOf(engine.up(program(environmentId, "stopped"))))
        .to.contain(`stop environment shop (${environmentId})`)
        .and.to.contain("400");
      expect(actions(stage)).to.deep.equal(["stop"]);
      expect(engine.state.size).to.equal(0);
    },
  },
  {
    title: "neither restart nor rebuild is possible: an error with the service's title",
    choices: { rebuildAllowed: "runningOnly" },
    async run(stage) {
      const { engine, environmentId, world } = stage;
      world.setFlags(environmentId, { stopped: true });
      expect(await errorsOf(engine.up(program(environmentId, "running"))))
        .to.contain("Environment is not active")
        .and.to.contain(environmentId);
      expect(actions(stage)).to.deep.equal(["restart", "rebuild"]);
    },
  },
];

contract("EnvironmentState", bringing);

const NOT_RUNNING = { errors: [{ status: 400, title: "Environment is not running" }] };

/** Titles of refusals that say that the state is there, while something else contradicts them. */
const contradicted: readonly Scenario[] = [
  ...(
    [
      ["stop", {}, "stopped"],
      ["restart", { retired: true }, "running"],
      ["restart", { stopped: true }, "running"],
      ["revive", { deleted: true }, "running"],
    ] as const
  ).map(([action, flags, state]): Scenario => ({
    title: `${action} from ${JSON.stringify(flags)}: its title counts for nothing while a build runs, and it is asked for again after that`,
    choices: { actionsWhileBuilding: "refused" },
    buildSeconds: 60,
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, world, clock, log } = stage;
      world.setFlags(environmentId, flags);
      world.queueBuild(environmentId);
      const begin = clock.now();
      const late = await errorsOf(engine.up(program(environmentId, state, { timeoutSeconds: 9 })));
      expect(late).to.match(
        /is not \w+ after 9 s \(timeoutSeconds\)\. A build runs. Could not \w+ .*: the service answered 400: ".*"\. The next/u,
      );
      await log.until(/: waiting for the end of a build of shop$/u);
      await engine.up(program(environmentId, state));
      expect(clock.now() - begin).to.be.at.least(60_000);
      const last = "stopped" in flags ? ["restart", "rebuild"] : [action];
      expect(actions(stage)).to.deep.equal([action, action, ...last]);
      const { stopped, retired, deleted } = world.environments.get(environmentId) ?? {};
      expect(stopped === true || retired === true || deleted === true).to.equal(state === "stopped");
      expect(engine.kept("state").outputs).to.deep.include({ state, stopped, retired, deleted });
    },
  })),
  {
    title: "stop: its title is an error for an environment that is idle and ready, also when it is asked twice",
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, sandbox } = stage;
      sandbox.faults.add({ label: "POST /stop", status: 400, body: NOT_RUNNING, times: Infinity });
      expect(await errorsOf(engine.up(program(environmentId, "stopped"))))
        .to.contain('"Environment is not running"')
        .and.to.contain(environmentId);
      expect(actions(stage)).to.deep.equal(["stop", "stop"]);
      expect(engine.state.size).to.equal(0);
    },
  },
  {
    title: "stop: its title counts for an environment that is idle and not ready, and a refresh calls that no drift",
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, sandbox, world } = stage;
      world.failNextBuild(environmentId);
      world.queueBuild(environmentId);
      world.finishBuilds(environmentId);
      sandbox.faults.add({ label: "POST /stop", status: 400, body: NOT_RUNNING, times: Infinity });
      await engine.up(program(environmentId, "stopped"));
      expect(actions(stage)).to.deep.equal(["stop"]);
      expect(engine.kept("state").outputs).to.deep.include({ state: "stopped", stopped: false, ready: false });
      await quiet(engine.refresh());
      world.finishBuilds(environmentId);
      world.queueBuild(environmentId);
      world.finishBuilds(environmentId);
      expect(await engine.refresh()).to.deep.include({ paths: { state: ["state"] } });
    },
  },
  {
    title: "stop: its title counts when the flags follow late",
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, sandbox, world, clock } = stage;
      sandbox.faults.add({ label: "POST /stop", status: 400, body: NOT_RUNNING });
      clock.onSleep = () => world.setFlags(environmentId, { stopped: true });
      await engine.up(program(environmentId, "stopped"));
      expect(actions(stage)).to.deep.equal(["stop"]);
      expect(engine.kept("state").outputs).to.deep.include({ state: "stopped", stopped: true });
    },
  },
];

contract("EnvironmentState, titles of refusals", contradicted);

const changing: readonly Scenario[] = [
  {
    title:
      "the same again is no request, what somebody stopped is drift, a changed state an update, and a destroy asks nothing",
    onHosts: true,
    async run(stage) {
      const { engine, environmentId, world, requests } = stage;
      const declared = program(environmentId, "running");
      await engine.up(declared);
      requests();
      await quiet(engine.up(declared));
      expect(requests()).to.deep.equal([]);
      await quiet(engine.refresh());
      world.setFlags(environmentId, { stopped: true });
      expect(await engine.refresh()).to.deep.include({ paths: { state: ["state"] } });
      expect(engine.kept("state").outputs).to.include({ state: "stopped", stopped: true });
      expect(actions(stage)).to.deep.equal([]);
      for (const state of ["running", "stopped"]) {
        expect(await engine.up(program(environmentId, state))).to.deep.include({ operations: { state: "update" } });
        expect(world.environments.get(environmentId)?.stopped).to.equal(state === "stopped");
      }
      await quiet(engine.up(program(environmentId, "stopped"), { refresh: true }));
      requests();
      await engine.destroy();
      expect(requests()).to.deep.equal([]);
      expect(world.environments.get(environmentId)?.stopped).to.equal(true);
    },
  },
  {
    title: "refresh: a deleted environment is `stopped`, a vanished one is gone",
    async run({ engine, environmentId, world }) {
      await engine.up(program(environmentId, "running"));
      world.setFlags(environmentId, { deleted: true });
      expect((await engine.refresh()).operations).to.deep.equal({ state: "refresh" });
      expect(engine.kept("state").outputs).to.include({ state: "stopped", deleted: true });
      world.remove(environmentId);
      expect((await engine.refresh()).operations).to.deep.equal({ state: "gone" });
    },
  },
];

contract("EnvironmentState, changes and drift", changing);

/** Lost answers, slow services and time: only where time is the test's. */
const waiting: readonly Scenario[] = [
  ...(["restart", "revive"] as const).map((action): Scenario => ({
    title: `a lost answer to ${action} is looked up: it is not sent again`,
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, world, sandbox } = stage;
      world.setFlags(environmentId, { retired: action === "restart", deleted: action === "revive" });
      sandbox.faults.add({ label: `POST /${action}`, dropAfter: true });
      await engine.up(program(environmentId, "running"));
      expect(actions(stage)).to.deep.equal([action]);
    },
  })),
  {
    title: "a request that was lost on its way is an error that says so, and is not repeated within the run",
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, world, sandbox } = stage;
      world.setFlags(environmentId, { retired: true });
      sandbox.faults.add({ label: "POST /restart", dropBefore: true });
      expect(await errorsOf(engine.up(program(environmentId, "running"))))
        .to.contain("restart environment")
        .and.to.contain("No effect of it can be seen");
      expect(actions(stage)).to.deep.equal(["restart"]);
      await engine.up(program(environmentId, "running"));
    },
  },
  {
    title: "a stop without an answer is sent again: it starts no build",
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, sandbox, world } = stage;
      for (const fault of [{ status: 503, times: 2 }, { dropBefore: true }, { dropAfter: true }]) {
        world.setFlags(environmentId, { stopped: false });
        sandbox.faults.add({ label: "POST /stop", ...fault });
        await engine.up(program(environmentId, "stopped"), { refresh: true });
        expect(actions(stage)).to.have.length("times" in fault ? 3 : 2);
      }
    },
  },
  {
    title: "flags that follow late are waited for with progress, and nothing is asked for twice",
    choices: { flagsAfterStop: {} },
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, world, clock, log } = stage;
      clock.onSleep = (elapsedMs) => {
        if (elapsedMs > 90_000) world.setFlags(environmentId, { stopped: true });
      };
      await engine.up(program(environmentId, "stopped"));
      expect(actions(stage)).to.deep.equal(["stop"]);
      const lines = log.lines.filter(({ passing }) => passing).map(({ text }) => text);
      expect(lines[0]).to.equal("0 s: stopping shop");
      expect(lines.length).to.be.within(3, 5);
    },
  },
  {
    title: "flags that never follow are an error after timeoutSeconds, and the next up goes on",
    choices: { flagsAfterStop: {} },
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, world } = stage;
      const declared = program(environmentId, "stopped", { timeoutSeconds: 120 });
      const text = await errorsOf(engine.up(declared));
      expect(text).to.contain("is not stopped after 120 s (timeoutSeconds)");
      expect(text).to.contain(environmentId);
      expect(actions(stage)).to.deep.equal(["stop"]);
      world.setFlags(environmentId, { stopped: true });
      await engine.up(declared);
    },
  },
];

contract("EnvironmentState, waiting", waiting);

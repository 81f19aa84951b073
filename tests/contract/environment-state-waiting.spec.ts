import { expect } from "chai";
import { failing } from "../support/stack";
import { contract, type Scenario } from "../support/stage";
import { actions, program } from "./support/environment-state-program";

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
    title:
      "a lost answer to stop, and a repetition that is refused: state has the flags that came of it, and a start is drift",
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, world, sandbox } = stage;
      sandbox.faults.add({ label: "POST /stop", dropAfter: true });
      await engine.up(program(environmentId, "stopped"));
      expect(actions(stage)).to.deep.equal(["stop", "stop"]);
      expect(engine.kept("state").outputs).to.include({ state: "stopped", stopped: true });
      world.setFlags(environmentId, { stopped: false });
      expect((await engine.up(program(environmentId, "stopped"), { refresh: true })).operations).to.deep.equal({
        state: "update",
      });
      expect(actions(stage)).to.deep.equal(["stop"]);
    },
  },
  {
    title: "a lost answer whose work takes long, with flags that follow late, is waited for",
    choices: { flagsAfterRestart: {} },
    buildSeconds: 600,
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, world, sandbox, clock } = stage;
      world.setFlags(environmentId, { retired: true });
      sandbox.faults.add({ label: "POST /restart", dropAfter: true });
      clock.onSleep = (elapsedMs) => {
        if (elapsedMs > 500_000) world.setFlags(environmentId, { retired: false });
      };
      await engine.up(program(environmentId, "running"));
      expect(actions(stage)).to.deep.equal(["restart"]);
    },
  },
  {
    title: "a request that was lost on its way is an error that says so, and is not repeated within the run",
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, world, sandbox } = stage;
      world.setFlags(environmentId, { retired: true });
      sandbox.faults.add({ label: "POST /restart", dropBefore: true });
      const run = await failing(engine.up(program(environmentId, "running")));
      expect(run.errors.join("\n")).to.contain("restart environment").and.to.contain("No effect of it can be seen");
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
    title: "a stop that was lost while a build runs is sent again long before that build ends",
    buildSeconds: 3_600,
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, world, sandbox, clock } = stage;
      world.pushCommit(environmentId, "web");
      const start = clock.now();
      sandbox.faults.add({ label: "POST /stop", dropBefore: true });
      await engine.up(program(environmentId, "stopped"));
      expect(actions(stage)).to.deep.equal(["stop", "stop"]);
      expect(clock.now() - start).to.be.below(60_000);
    },
  },
  {
    title: "a service that cannot be read before anything was asked for is an error soon, and no wait",
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, sandbox, clock } = stage;
      for (const status of [500, 503]) {
        const start = clock.now();
        const fault = sandbox.faults.add({ label: "GET /environment", status, times: Infinity });
        const run = await failing(engine.up(program(environmentId, "stopped")));
        fault.remove();
        expect(run.errors.join("\n")).to.contain(String(status));
        expect(clock.now() - start).to.be.below(120_000);
      }
      expect(actions(stage)).to.deep.equal([]);
    },
  },
  {
    title: "a stop that is lost again and again is an error",
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, sandbox } = stage;
      sandbox.faults.add({ label: "POST /stop", status: 503, times: Infinity });
      const run = await failing(engine.up(program(environmentId, "stopped")));
      expect(run.errors.join("\n")).to.contain("503").and.to.contain("No effect of it can be seen");
      expect(new Set(actions(stage))).to.deep.equal(new Set(["stop"]));
    },
  },
  {
    title: "what is refused while a build runs is asked for again when it is over, once",
    buildSeconds: 60,
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, world, sandbox } = stage;
      world.pushCommit(environmentId, "web");
      sandbox.faults.add({ label: "POST /stop", status: 400, body: "" });
      await engine.up(program(environmentId, "stopped"));
      expect(actions(stage)).to.deep.equal(["stop", "stop"]);
      expect(world.builds(environmentId)[0]?.outcome).to.equal("succeeded");
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
    title: "flags that follow one after the other call for no second action",
    choices: { flagsAfterRevive: { deleted: false }, processingStarts: "late" },
    buildSeconds: 60,
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, world, clock } = stage;
      world.setFlags(environmentId, { deleted: true, stopped: true });
      clock.onSleep = (elapsedMs) => {
        if (elapsedMs > 30_000) world.setFlags(environmentId, { stopped: false });
      };
      await engine.up(program(environmentId, "running"));
      expect(actions(stage)).to.deep.equal(["revive"]);
    },
  },
  {
    title: "flags that never follow are an error after timeoutSeconds, and the next up goes on",
    choices: { flagsAfterStop: {} },
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, world } = stage;
      const declared = program(environmentId, "stopped", { timeoutSeconds: 120 });
      const run = await failing(engine.up(declared));
      expect(run.errors.join("\n")).to.contain("is not stopped after 120 s (timeoutSeconds)");
      expect(run.errors.join("\n")).to.contain(environmentId);
      expect(actions(stage)).to.deep.equal(["stop"]);
      world.setFlags(environmentId, { stopped: true });
      await engine.up(declared);
    },
  },
  {
    title: "a service that is away for a while does not end the wait",
    choices: { flagsAfterStop: {} },
    needsTime: true,
    async run({ engine, environmentId, world, clock, sandbox }) {
      sandbox.faults.add({ label: "GET /environment", status: 503, after: 1, times: 12 });
      clock.onSleep = (elapsedMs) => {
        if (elapsedMs > 90_000) world.setFlags(environmentId, { stopped: true });
      };
      await engine.up(program(environmentId, "stopped"));
    },
  },
];

contract("EnvironmentState, waiting", waiting);

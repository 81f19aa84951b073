import { expect } from "chai";
import { failing } from "../support/stack";
import { contract, type Scenario } from "../support/stage";
import { actions, program } from "./support/environment-state-program";

const RUNNING = { retired: false, deleted: false, stopped: false };

const ways: readonly (readonly [string, Partial<typeof RUNNING>, string, readonly string[]])[] = [
  ["running", {}, "running", []],
  ["running", {}, "stopped", ["stop"]],
  ["stopped", { stopped: true }, "stopped", []],
  ["retired", { retired: true }, "stopped", []],
  ["deleted", { deleted: true }, "stopped", []],
  ["retired", { retired: true }, "running", ["restart"]],
  ["stopped and retired", { stopped: true, retired: true }, "running", ["restart"]],
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
  ...(["errors", "text", "empty"] as const).map((badRequestBody): Scenario => ({
    title: `a stopped environment is rebuilt when the restart's 400 has a body of kind ${badRequestBody}`,
    choices: { badRequestBody },
    async run(stage) {
      const { engine, environmentId, world } = stage;
      world.setFlags(environmentId, { stopped: true });
      await engine.up(program(environmentId, "running"));
      expect(actions(stage)).to.deep.equal(["restart", "rebuild"]);
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
    title: "the service's word that it is not running counts where no flag says so, and shows no drift",
    async run(stage) {
      const { engine, environmentId, sandbox, world } = stage;
      const body = { errors: [{ status: 400, title: "Environment is not running" }] };
      sandbox.faults.add({ label: "POST /stop", status: 400, body });
      const declared = program(environmentId, "stopped");
      await engine.up(declared);
      expect(engine.kept("state").outputs).to.include({ state: "stopped", stopped: false });
      expect(await engine.refresh()).to.deep.include({ paths: { state: [] } });
      expect((await engine.up(declared)).operations).to.deep.equal({ state: "same" });
      world.pushCommit(environmentId, "web");
      world.finishBuilds(environmentId);
      world.setFlags(environmentId, { stopped: true });
      expect(await engine.refresh()).to.deep.include({ paths: { state: [] } });
      world.setFlags(environmentId, { stopped: false });
      expect(await engine.refresh()).to.deep.include({ paths: { state: ["state"] } });
    },
  },
  {
    title: "the service's word that it is active counts where that flag lags behind, and where the others say the same",
    async run(stage) {
      const { engine, environmentId, sandbox, world } = stage;
      const body = { errors: [{ status: 400, title: "Environment is already active" }] };
      for (const stopped of [true, false]) {
        world.setFlags(environmentId, { deleted: true, stopped });
        sandbox.faults.add({ label: "POST /revive", status: 400, body });
        const running = engine.up(program(environmentId, "running"));
        if (stopped) expect((await failing(running)).errors.join()).to.contain("already active");
        else await running;
        expect(actions(stage)).to.deep.equal(["revive"]);
      }
      expect(engine.kept("state").outputs).to.include({ state: "running", deleted: true });
    },
  },
  {
    title: "a refusal without a text that the flags do not bear out is an error that names the environment",
    async run(stage) {
      const { engine, environmentId, sandbox } = stage;
      sandbox.faults.add({ label: "POST /stop", status: 400, body: "", times: Infinity });
      const run = await failing(engine.up(program(environmentId, "stopped")));
      expect(run.errors.join("\n")).to.contain(`stop environment shop (${environmentId})`).and.to.contain("400");
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
      const run = await failing(engine.up(program(environmentId, "running")));
      expect(run.errors.join("\n")).to.contain("Environment is not active").and.to.contain(environmentId);
      expect(actions(stage)).to.deep.equal(["restart", "rebuild"]);
    },
  },
  {
    title: "an environment that a restart leaves stopped is rebuilt",
    choices: { flagsAfterRestart: { retired: false } },
    async run(stage) {
      const { engine, environmentId, world } = stage;
      world.setFlags(environmentId, { stopped: true, retired: true });
      await engine.up(program(environmentId, "running"));
      expect(actions(stage)).to.deep.equal(["restart", "restart", "rebuild"]);
    },
  },
  {
    title: "an environment that a revival leaves stopped is restarted",
    choices: { flagsAfterRevive: { deleted: false } },
    async run(stage) {
      const { engine, environmentId, world } = stage;
      world.setFlags(environmentId, { retired: true, deleted: true });
      await engine.up(program(environmentId, "running"));
      expect(actions(stage)).to.deep.equal(["revive", "restart"]);
    },
  },
];

contract("EnvironmentState", bringing);

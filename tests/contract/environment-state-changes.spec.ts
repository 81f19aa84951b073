import { expect } from "chai";
import { failing } from "../support/stack";
import { contract, type Scenario } from "../support/stage";
import { actions, program } from "./support/environment-state-program";

const changing: readonly Scenario[] = [
  {
    title: "a changed state is an update; the same again is no request",
    async run(stage) {
      const { engine, environmentId, world, requests } = stage;
      await engine.up(program(environmentId, "running"));
      requests();
      expect(await engine.up(program(environmentId, "running"))).to.deep.include({ operations: { state: "same" } });
      expect(requests()).to.deep.equal([]);
      const run = await engine.up(program(environmentId, "stopped"));
      expect(run).to.deep.include({ operations: { state: "update" } });
      expect(world.environments.get(environmentId)?.stopped).to.equal(true);
    },
  },
  {
    title: "drift: what somebody stopped shows as a change of `state`, and the next up brings it back",
    async run(stage) {
      const { engine, environmentId, world } = stage;
      const declared = program(environmentId, "running");
      await engine.up(declared);
      expect(await engine.refresh()).to.deep.include({ paths: { state: [] } });
      world.setFlags(environmentId, { stopped: true });
      actions(stage);
      expect(await engine.refresh()).to.deep.include({ paths: { state: ["state"] } });
      expect(engine.kept("state").outputs).to.include({ state: "stopped", stopped: true });
      expect(actions(stage)).to.deep.equal([]);
      expect(await engine.up(declared)).to.deep.include({ operations: { state: "update" } });
      expect(world.environments.get(environmentId)?.stopped).to.equal(false);
      expect((await engine.up(declared, { refresh: true })).operations).to.deep.equal({ state: "same" });
    },
  },
  {
    title: "drift: a build that comes and goes is none, it changes neither what is declared nor what is done",
    async run({ engine, environmentId, world, requests }) {
      const declared = program(environmentId, "running");
      await engine.up(declared);
      world.slowNextBuild(environmentId, 3_600);
      world.pushCommit(environmentId, "web");
      expect(await engine.refresh()).to.deep.include({ paths: { state: [] } });
      expect(engine.kept("state").outputs).to.include({ processing: true, state: "running" });
      requests();
      expect((await engine.up(declared)).operations).to.deep.equal({ state: "same" });
      expect(requests()).to.deep.equal([]);
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
  {
    title: "an environment that does not exist is an error, whatever is declared, and nothing is asked for",
    async run(stage) {
      const { engine, environmentId, world } = stage;
      world.remove(environmentId);
      for (const state of ["running", "stopped"]) {
        const run = await failing(engine.up(program(environmentId, state)));
        expect(run.errors.join("\n")).to.contain("404").and.to.contain(environmentId);
      }
      expect(actions(stage)).to.deep.equal([]);
      expect(engine.state.size).to.equal(0);
    },
  },
  ...[401, 403, 500].map((status): Scenario => ({
    title: `refresh: ${status} is an error and never removes anything from state`,
    async run({ engine, environmentId, sandbox }) {
      await engine.up(program(environmentId, "running"));
      const before = engine.kept("state");
      sandbox.faults.add({ label: "GET /environment", status });
      expect((await failing(engine.refresh())).errors.join("\n")).to.contain(String(status));
      expect(engine.kept("state")).to.deep.equal(before);
    },
  })),
  {
    title: "destroy changes nothing and asks nothing",
    async run({ engine, environmentId, requests, world }) {
      await engine.up(program(environmentId, "stopped"));
      requests();
      await engine.destroy();
      expect(requests()).to.deep.equal([]);
      expect(world.environments.get(environmentId)?.stopped).to.equal(true);
    },
  },
  {
    title: "a new environmentId replaces, and leaves the old environment as it is",
    async run({ engine, environmentId, addEnvironment, world }) {
      const second = addEnvironment();
      await engine.up(program(environmentId, "stopped"));
      expect((await engine.up(program(second, "stopped"))).operations).to.deep.equal({ state: "replace" });
      expect(world.environments.get(environmentId)?.stopped).to.equal(true);
      expect(world.environments.get(second)?.stopped).to.equal(true);
    },
  },
  {
    title: "what is wrong is refused before any request",
    async run({ engine, environmentId, requests }) {
      const wrong: readonly [object, RegExp][] = [
        [{ state: "retired" }, /state must be one of "running", "stopped"/u],
        [{ timeoutSeconds: 0 }, /timeoutSeconds must be greater than 0/u],
        [{ timeoutSeconds: 1.5 }, /timeoutSeconds must be a whole number/u],
        [{ environmentId: "1" }, /environmentId must be a UUID/u],
        [{ triggers: {} }, /triggers is not a property/u],
      ];
      for (const [inputs, pattern] of wrong)
        expect((await failing(engine.up(program(environmentId, "running", { ...inputs })))).errors.join("\n")).to.match(
          pattern,
        );
      expect(requests()).to.deep.equal([]);
    },
  },
];

contract("EnvironmentState, changes and drift", changing);

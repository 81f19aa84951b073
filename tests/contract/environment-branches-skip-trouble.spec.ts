import { expect } from "chai";
import { failing } from "../support/stack";
import { contract, type Scenario, writes } from "../support/stage";
import { AGAIN, owe, quietUps, skipping, wake } from "./support/skipped-builds";

const troubles = [
  { what: "503 before the service acted", fault: { status: 503, times: 99 }, fails: true },
  { what: "an answer lost after it acted", fault: { dropAfter: true }, fails: false },
  { what: "a connection lost before it acted", fault: { dropBefore: true }, fails: true },
];

const troubled: readonly Scenario[] = [
  ...troubles.map(({ what, fault, fails }): Scenario => ({
    title: `the build that is owed, ${what}: one build in the end`,
    needsTime: true,
    async run(stage) {
      await owe(stage);
      wake(stage);
      const { engine, sandbox, world, environmentId } = stage;
      const before = world.builds(environmentId).length;
      sandbox.faults.add({ label: "POST /rebuild", ...fault });
      const running = engine.up(skipping(stage, AGAIN), { refresh: true });
      await (fails ? failing(running) : running);
      sandbox.faults.clear();
      await engine.up(skipping(stage, AGAIN), { refresh: true });
      expect(world.builds(environmentId)).to.have.length(before + 1);
    },
  })),
  {
    title: "GET /environment fails while it sleeps: an error, and the next up owes the build",
    async run(stage) {
      const { engine, environmentId, sandbox, world } = stage;
      await engine.up(skipping(stage, { rebuildOn: ["1"] }));
      world.setFlags(environmentId, { stopped: true });
      sandbox.faults.add({ label: "GET /environment", status: 500 });
      expect((await failing(engine.up(skipping(stage, AGAIN)))).errors).to.have.length(1);
      await engine.up(skipping(stage, AGAIN));
      writes(stage);
      wake(stage);
      await engine.up(skipping(stage, AGAIN), { refresh: true });
      expect(writes(stage)).to.deep.equal(["POST /rebuild"]);
    },
  },
  {
    title: "an up that is killed after it did what was owed: the next one builds once more, and then all is quiet",
    async run(stage) {
      await owe(stage);
      wake(stage);
      const { engine } = stage;
      await engine.refresh();
      const before = new Map(engine.state);
      await engine.up(skipping(stage, AGAIN));
      expect(writes(stage)).to.deep.equal(["POST /rebuild"]);
      engine.state.clear();
      for (const [name, kept] of before) engine.state.set(name, kept);
      await engine.up(skipping(stage, AGAIN), { refresh: true });
      expect(writes(stage)).to.deep.equal(["POST /rebuild"]);
      await quietUps(stage, skipping(stage, AGAIN));
    },
  },
  {
    title: "stopped while the build is waited for: a warning, and the build is looked after later",
    buildSeconds: 600,
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, world, log, clock } = stage;
      const running = engine.up(skipping(stage));
      await log.until(/build .+ is running/u);
      world.setFlags(environmentId, { stopped: true });
      await running;
      expect(engine.kept("deployed").initErrors).to.deep.equal([]);
      writes(stage);
      await quietUps(stage, skipping(stage));
      clock.advance(3_600_000);
      wake(stage);
      await engine.up(skipping(stage), { refresh: true });
      // The stop ended that build.
      expect(writes(stage)).to.deep.equal(["POST /rebuild"]);
      await quietUps(stage, skipping(stage));
    },
  },
  {
    title: "one that sleeps spoils nothing of the others in the same up",
    async run(stage) {
      const others = Array.from({ length: 5 }, (_, index) => stage.addEnvironment({ name: `pr-${index}` }));
      const { engine, environmentId, world } = stage;
      world.setFlags(environmentId, { stopped: true });
      const program = Object.fromEntries(
        [environmentId, ...others].map((id) => [id, skipping({ ...stage, environmentId: id }).deployed]),
      );
      await engine.up(program, { parallel: true });
      for (const id of others) expect(world.builds(id)).to.have.length(2);
      expect(world.builds(environmentId)).to.have.length(1);
      expect(Object.values((await engine.up(program, { refresh: true })).operations)).to.deep.equal(
        Array.from({ length: 6 }, () => "same"),
      );
    },
  },
];

contract("EnvironmentBranches, whenStopped skip in trouble", troubled);

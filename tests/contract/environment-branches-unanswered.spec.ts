import { expect } from "chai";
import { branches, contract, type Scenario, type Stage } from "../support/stage";

const MINUTE_S = 60;
const MINUTE_MS = 60_000;

const writes = ({ requests }: Stage): readonly string[] => requests().filter((label) => !label.startsWith("GET"));

/** Does something once, while the provider looks for the first time for what a request has come to. */
function beforeFirstLook({ clock }: Stage, action: () => void): void {
  let done = false;
  clock.onSleep = () => {
    if (!done) action();
    done = true;
  };
}

/** Answers that say nothing of an environment, and that are not repeated by the client. */
const UNUSABLE = [
  ["500", { status: 500 }],
  ["401", { status: 401 }],
  ["a page of a gateway", { status: 200, body: "<html>sign in</html>" }],
] as const;
/** How often an unanswered request is looked for. */
const LOOKS = 3;

/** A request that queues a build and gets no answer: looked up, never repeated. */
const unanswered: readonly Scenario[] = [
  { kind: "branch change", label: "PATCH /environment", inputs: { branches: { web: "feature/x" } } },
  { kind: "rebuild", label: "POST /rebuild", inputs: { rebuildOn: ["1"] } },
].flatMap(({ kind, label, inputs }): readonly Scenario[] => [
  ...[{ dropAfter: true }, { status: 504, acts: true }].map((fault): Scenario => ({
    title: `${kind}: an answer lost (${Object.keys(fault).join()}) after the service acted is looked up, not repeated`,
    needsTime: true,
    buildSeconds: 30,
    async run(stage) {
      const { engine, environmentId, sandbox, world } = stage;
      sandbox.faults.add({ label, ...fault });
      expect((await engine.up(branches(environmentId, inputs))).errors).to.deep.equal([]);
      expect(writes(stage)).to.deep.equal([label]);
      expect(world.builds(environmentId)).to.have.length(2);
    },
  })),
  ...[{ dropBefore: true }, { status: 503 }].map((fault): Scenario => ({
    title: `${kind}: lost (${Object.keys(fault).join()}) before the service acted is not repeated by this up, and is by the next`,
    needsTime: true,
    buildSeconds: 30,
    async run(stage) {
      const { engine, environmentId, sandbox, world } = stage;
      sandbox.faults.add({ label, ...fault });
      const run = await engine.up(branches(environmentId, inputs));
      expect(run.errors.join("\n")).to.contain("pulumi up");
      expect(writes(stage)).to.deep.equal([label]);
      expect(world.builds(environmentId)).to.have.length(1);
      expect((await engine.up(branches(environmentId, inputs))).errors).to.deep.equal([]);
      expect(world.builds(environmentId)).to.have.length(2);
    },
  })),
  {
    title: `${kind}: the answer is lost and the service shows nothing for a while: the next up finds the build`,
    needsTime: true,
    buildSeconds: 120,
    choices: {
      processingStarts: "late",
      processingDelaySeconds: 60,
      branchesShown: "afterBuild",
      buildListed: "whenProcessing",
    },
    async run(stage) {
      const { engine, environmentId, sandbox, world, clock } = stage;
      sandbox.faults.add({ label, dropAfter: true });
      expect((await engine.up(branches(environmentId, inputs))).errors).to.have.length(1);
      clock.advance(2 * MINUTE_MS);
      expect((await engine.up(branches(environmentId, inputs))).errors).to.deep.equal([]);
      expect(writes(stage)).to.deep.equal([label]);
      expect(world.builds(environmentId)).to.have.length(2);
    },
  },
  ...UNUSABLE.flatMap(([answer, fault]) => [
    {
      title: `${kind}: ${answer} to a look for its trace does not end the search`,
      needsTime: true,
      buildSeconds: 30,
      settings: { maxRetries: "0" },
      async run(stage: Stage) {
        const { engine, environmentId, sandbox, world } = stage;
        sandbox.faults.add({ label, status: 502, acts: true });
        beforeFirstLook(stage, () => void sandbox.faults.add({ label: "GET /environment", ...fault }));
        expect((await engine.up(branches(environmentId, inputs))).errors).to.deep.equal([]);
        expect(writes(stage)).to.deep.equal([label]);
        expect(world.builds(environmentId)).to.have.length(2);
      },
    },
    {
      title: `${kind}: ${answer} to every look for its trace: the next up knows of the build, and that it failed`,
      needsTime: true,
      buildSeconds: 30,
      settings: { maxRetries: "0" },
      async run(stage: Stage) {
        const { engine, environmentId, sandbox, world, clock } = stage;
        await engine.up(branches(environmentId, { branches: { web: "main" } }));
        world.failNextBuild(environmentId);
        sandbox.faults.add({ label, status: 502, acts: true });
        beforeFirstLook(stage, () => void sandbox.faults.add({ label: "GET /environment", ...fault, times: LOOKS }));
        const run = await engine.up(branches(environmentId, inputs));
        expect(run.errors.join("\n")).to.contain("not known whether the service acted on it");
        expect(engine.kept("deployed").outputs).to.have.property("pending");
        clock.advance(10 * MINUTE_MS);
        await engine.up(branches(environmentId, inputs));
        await engine.up(branches(environmentId, inputs));
        expect(world.builds(environmentId).map(({ outcome }) => outcome)).to.deep.equal([
          "succeeded",
          "failed",
          "succeeded",
        ]);
        expect(engine.kept("deployed").outputs).to.have.nested.property("build.id", world.builds(environmentId)[0]?.id);
      },
    },
  ]),
  ...["lost", "in a queue of the service"].map((fate): Scenario => ({
    title: `${kind}: no answer while somebody's older build runs, and it is ${fate}`,
    needsTime: true,
    buildSeconds: 30,
    async run(stage) {
      const { engine, environmentId, sandbox, world, clock } = stage;
      await engine.up(branches(environmentId, { branches: { web: "main" } }));
      world.slowNextBuild(environmentId, 5 * MINUTE_S);
      world.pushCommit(environmentId, "web");
      sandbox.faults.add({ label, dropBefore: true });
      expect((await engine.up(branches(environmentId, inputs))).errors).to.have.length(1);
      writes(stage);
      const start = clock.now();
      if (fate !== "lost")
        clock.onSleep = () => {
          if (clock.now() - start < 6 * MINUTE_MS) return;
          clock.onSleep = () => undefined;
          if (kind === "rebuild") world.pushCommit(environmentId, "web");
          else world.switchBranch(environmentId, "web", "feature/x");
        };
      expect((await engine.up(branches(environmentId, inputs))).errors).to.deep.equal([]);
      expect(clock.now() - start).to.be.below(9 * MINUTE_MS);
      expect(writes(stage)).to.deep.equal(fate === "lost" ? [label] : []);
      expect(world.builds(environmentId)).to.have.length(3);
      expect(engine.kept("deployed").outputs).to.have.nested.property("build.id", world.builds(environmentId)[0]?.id);
      expect(engine.kept("deployed").outputs).not.to.have.property("pending");
    },
  })),
  {
    title: `${kind}: no answer, and an older build that does not end in time: an error, nothing is sent`,
    needsTime: true,
    buildSeconds: 30,
    async run(stage) {
      const { engine, environmentId, sandbox, world } = stage;
      await engine.up(branches(environmentId, { branches: { web: "main" } }));
      world.slowNextBuild(environmentId, 10 * MINUTE_S);
      world.pushCommit(environmentId, "web");
      sandbox.faults.add({ label, dropBefore: true });
      await engine.up(branches(environmentId, inputs));
      const { pending } = engine.kept("deployed").outputs;
      writes(stage);
      const late = await engine.up(branches(environmentId, { ...inputs, buildTimeoutSeconds: 60 }));
      expect(late.errors.join("\n")).to.contain("or an older one").and.to.contain("buildTimeoutSeconds");
      expect(engine.kept("deployed").outputs["pending"]).to.deep.equal(pending);
      expect(writes(stage)).to.deep.equal([]);
      expect((await engine.up(branches(environmentId, inputs))).errors).to.deep.equal([]);
      expect(writes(stage)).to.deep.equal([label]);
    },
  },
  {
    title: `${kind}: 429 was certainly not acted on, and is repeated`,
    needsTime: true,
    buildSeconds: 30,
    async run(stage) {
      const { engine, environmentId, sandbox, world } = stage;
      sandbox.faults.add({ label, status: 429, retryAfter: 5 });
      expect((await engine.up(branches(environmentId, inputs))).errors).to.deep.equal([]);
      expect(writes(stage)).to.deep.equal([label, label]);
      expect(world.builds(environmentId)).to.have.length(2);
    },
  },
]);

contract("EnvironmentBranches, unanswered requests", unanswered);

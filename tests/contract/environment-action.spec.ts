import { expect } from "chai";
import type { Properties } from "../../provider/src/framework/properties";
import type { Program } from "../support/engine-steps";
import { errorsOf, failing, quiet } from "../support/stack";
import { actions, contract, type Scenario, type Stage, writes, warningsOf } from "../support/stage";
import { at } from "./support/builds";

/** A program of one EnvironmentAction called `done`. */
function program(environmentId: string, action: string, inputs: Properties = {}) {
  return { done: { type: "EnvironmentAction", inputs: { environmentId, action, ...inputs } } } as const;
}

/** A program of one SnapshotLoad called `done`. */
function loading(environmentId: string, inputs: Properties = {}) {
  return { done: { type: "SnapshotLoad", inputs: { environmentId, sequenceNumber: 7, ...inputs } } } as const;
}

/** What the service was asked to load, oldest first. */
function loads({ world, environmentId }: Stage): readonly (readonly [number, string | undefined])[] {
  return world
    .snapshotLoads(environmentId)
    .map(({ sequenceNumber, sourceEnvironmentId }) => [sequenceNumber, sourceEnvironmentId]);
}

/** What makes each action possible, and what then shows that it was done. */
const ACTIONS: Readonly<Record<string, readonly [(stage: Stage) => void, (stage: Stage) => boolean]>> = {
  stop: [() => undefined, ({ world, environmentId }) => world.environments.get(environmentId)?.stopped === true],
  restart: [
    ({ world, environmentId }) => world.setFlags(environmentId, { retired: true }),
    ({ world, environmentId }) => world.environments.get(environmentId)?.retired === false,
  ],
  rebuild: [() => undefined, ({ world, environmentId }) => world.builds(environmentId).length === 2],
  revive: [
    ({ world, environmentId }) => world.setFlags(environmentId, { deleted: true }),
    ({ world, environmentId }) => world.environments.get(environmentId)?.deleted === false,
  ],
  cancel: [
    ({ world, environmentId }) => {
      world.slowNextBuild(environmentId, 3_600);
      world.pushCommit(environmentId, "web");
    },
    ({ world, environmentId }) => world.builds(environmentId)[0]?.outcome === "failed",
  ],
};

const scenarios: readonly Scenario[] = [
  {
    title: "a refused change that is taken back requests nothing, also after a refresh",
    onHosts: true,
    async run(stage) {
      const { engine, environmentId, sandbox } = stage;
      const before = loading(environmentId);
      await engine.up(before);
      sandbox.faults.add({ label: "POST /snapshot-load", status: 409 });
      await failing(engine.up(loading(environmentId, { triggers: { night: "1" } }), { refresh: true }));
      await quiet(engine.up(before));
      await quiet(engine.up(before, { refresh: true }));
      expect(loads(stage)).to.have.lengthOf(1);
    },
  },
  ...[...Object.keys(ACTIONS), "snapshot-load"].map((action): Scenario => ({
    title: `${action} is done once: not by the same program again, not by a refresh, not by a destroy`,
    onHosts: ["stop", "snapshot-load"].includes(action),
    async run(stage) {
      const { engine, environmentId, requests } = stage;
      const [prepare, isDone] = ACTIONS[action] ?? [() => undefined, () => loads(stage).length === 1];
      const declared = action in ACTIONS ? program(environmentId, action) : loading(environmentId);
      prepare(stage);
      expect(await engine.up(declared)).to.deep.include({ operations: { done: "create" } });
      expect(actions(stage)).to.deep.equal([action]);
      expect(isDone(stage)).to.equal(true);
      expect(engine.kept("done").id).to.match(new RegExp(`^${environmentId}/[^/]+$`, "u"));
      expect(engine.kept("done").outputs).to.deep.include(declared.done.inputs);
      await quiet(engine.up(declared));
      await quiet(engine.refresh());
      await quiet(engine.up(declared));
      await engine.destroy();
      expect(requests()).to.deep.equal([]);
    },
  })),
  {
    title: "again when `triggers` change, when they come and when they go, and when the action does",
    async run(stage) {
      const { engine, environmentId } = stage;
      const steps: readonly (readonly [string, Properties])[] = [
        ["rebuild", {}],
        ["rebuild", { triggers: { commit: "1" } }],
        ["rebuild", { triggers: { commit: "2" } }],
        ["rebuild", {}],
        ["stop", {}],
      ];
      for (const [action, inputs] of steps) {
        await engine.up(program(environmentId, action, inputs));
        expect(actions(stage), JSON.stringify(inputs)).to.deep.equal([action]);
      }
    },
  },
  {
    title: "a snapshot load is done again when an input changes: the number, the source, the triggers",
    async run(stage) {
      const { engine, environmentId, addEnvironment } = stage;
      const source = addEnvironment();
      const steps: readonly Properties[] = [
        {},
        { sequenceNumber: 8 },
        { sequenceNumber: 8, sourceEnvironmentId: source },
        { sequenceNumber: 8, sourceEnvironmentId: source, triggers: { night: "1" } },
        { sequenceNumber: 8, sourceEnvironmentId: source, triggers: { night: "2" } },
      ];
      for (const inputs of steps) await engine.up(loading(environmentId, inputs));
      expect(loads(stage)).to.deep.equal([
        [7, undefined],
        [8, undefined],
        [8, source],
        [8, source],
        [8, source],
      ]);
    },
  },
];

const lost: readonly Scenario[] = Object.entries(ACTIONS).flatMap(([action, [prepare, isDone]]) => [
  ...(action === "rebuild" ? [] : [{ dropAfter: true }, { status: 502, acts: true }]).map((trouble): Scenario => ({
    title: `${action} was done and the answer lost (${Object.keys(trouble)[0]}): it is looked up and not repeated`,
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, sandbox } = stage;
      prepare(stage);
      sandbox.faults.add({ label: `POST /${action}`, ...trouble });
      await engine.up(program(environmentId, action));
      expect(actions(stage)).to.deep.equal([action]);
      expect(isDone(stage)).to.equal(true);
    },
  })),
  {
    title: `${action} was lost on its way: an error that says so, state does not say that it was done, the next up does it`,
    needsTime: true,
    async run(stage) {
      const { engine, environmentId, sandbox } = stage;
      prepare(stage);
      sandbox.faults.add({ label: `POST /${action}`, dropBefore: true });
      expect(await errorsOf(engine.up(program(environmentId, action))))
        .to.contain("not known whether the service acted on it")
        .and.to.contain(environmentId);
      expect(actions(stage)).to.deep.equal([action]);
      expect(isDone(stage)).to.equal(false);
      expect(engine.kept("done").outputs).not.to.have.property("action");
      await engine.refresh();
      await engine.up(program(environmentId, action));
      expect(isDone(stage)).to.equal(true);
    },
  } satisfies Scenario,
]);

/** The error of an action that nothing proves. */
const NO_PROOF = "nothing that the service shows can tell";

/** The requests of which the service shows no trace that only they can leave. */
const UNPROVEN = [
  { type: "EnvironmentAction", inputs: { action: "rebuild" }, label: "POST /rebuild", marker: "action" },
  { type: "SnapshotLoad", inputs: { sequenceNumber: 7 }, label: "POST /snapshot-load", marker: "sequenceNumber" },
] as const;

/** What tells that an action without an answer was done, and what does not. */
const traces: readonly Scenario[] = [
  ...[{ dropAfter: true }, { dropBefore: true }, { status: 502, acts: true }].flatMap((trouble) =>
    UNPROVEN.map(({ type, inputs, label, marker }): Scenario => ({
      title: `${label} without an answer (${Object.keys(trouble).join()}) is not known, whoever builds meanwhile: the next up asks again`,
      needsTime: true,
      async run(stage) {
        const { engine, environmentId, sandbox, world } = stage;
        const unproven: Program = { done: { type, inputs: { environmentId, ...inputs } } };
        sandbox.faults.add({ label, ...trouble });
        at(stage, 0, () => world.pushCommit(environmentId, "web"));
        const text = await errorsOf(engine.up(unproven, { parallel: true }));
        world.pushCommit(environmentId, "web");
        expect(text)
          .to.contain(NO_PROOF)
          .and.to.match(/the next `pulumi up` (?:does the action|loads the snapshot) again/iu);
        expect(writes(stage)).to.deep.equal([label]);
        expect(engine.kept("done").outputs).not.to.have.property(marker);
        await engine.refresh();
        await engine.up(unproven);
        expect(writes(stage)).to.deep.equal([label]);
        expect(engine.kept("done").outputs).to.include(inputs).and.not.to.have.property("unanswered");
        await quiet(engine.up(unproven, { refresh: true }));
      },
    })),
  ),
  ...UNPROVEN.map(({ type, inputs, label, marker }): Scenario => ({
    title: `${label} without an answer is finished by the next up after a refresh, also with \`ignoreChanges: ["${marker}"]\``,
    onHosts: true,
    async run({ engine, environmentId, sandbox }) {
      const ignoring: Program = { done: { type, inputs: { environmentId, ...inputs }, ignoreChanges: [marker] } };
      sandbox.faults.add({ label, dropAfter: true });
      await failing(engine.up(ignoring));
      await engine.up(ignoring, { refresh: true });
      expect(engine.kept("done").outputs).to.include(inputs);
      await quiet(engine.up(ignoring, { refresh: true }));
    },
  })),
  {
    title:
      "a stop whose answer is lost, and a 401 to the look for its trace: the next up has nothing to ask for, nor its preview",
    async run(stage) {
      const { engine, environmentId, sandbox } = stage;
      sandbox.faults.add({ label: "POST /stop", dropAfter: true });
      sandbox.faults.add({ label: "GET /environment", status: 401, after: 1 });
      expect(await errorsOf(engine.up(program(environmentId, "stop")))).to.contain(
        "not known whether the service acted on it",
      );
      expect(actions(stage)).to.deep.equal(["stop"]);
      expect(engine.kept("done").outputs).not.to.have.property("action");
      expect(await warningsOf(stage, program(environmentId, "stop"))).to.deep.equal([]);
      await engine.up(program(environmentId, "stop"));
      expect(actions(stage)).to.deep.equal([]);
    },
  },
];

contract("EnvironmentAction", scenarios);
contract("EnvironmentAction, lost answers", lost);
contract("EnvironmentAction, traces of what was not answered", traces);

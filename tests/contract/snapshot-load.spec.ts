import { expect } from "chai";
import type { Properties } from "../../provider/src/framework/properties";
import { errorsOf, quiet } from "../support/stack";
import { contract, type Scenario, type Stage } from "../support/stage";

/** A program of one SnapshotLoad called `data`. */
function program(environmentId: string, inputs: Properties = {}) {
  return { data: { type: "SnapshotLoad", inputs: { environmentId, sequenceNumber: 7, ...inputs } } } as const;
}

/** What the service was asked to load, oldest first. */
function loads({ world, environmentId }: Stage): readonly (readonly [number, string | undefined])[] {
  return world
    .snapshotLoads(environmentId)
    .map(({ sequenceNumber, sourceEnvironmentId }) => [sequenceNumber, sourceEnvironmentId]);
}

const scenarios: readonly Scenario[] = [
  {
    title: "is queued once: not by the same program again, not by a refresh, not by a destroy",
    onHosts: true,
    async run(stage) {
      const { engine, environmentId, sent, requests } = stage;
      expect(await engine.up(program(environmentId))).to.deep.include({ operations: { data: "create" } });
      expect(loads(stage)).to.deep.equal([[7, undefined]]);
      const bodies = sent().filter(({ method }) => method === "POST");
      expect(bodies.map(({ body }) => JSON.parse(body))).to.deep.equal([
        { data: { type: "snapshot-load", attributes: { sequence_number: 7 } } },
      ]);
      expect(engine.kept("data").id).to.match(new RegExp(`^${environmentId}/[^/]+$`, "u"));
      expect(engine.kept("data").outputs).to.deep.include({ environmentId, sequenceNumber: 7 });
      requests();
      await quiet(engine.up(program(environmentId)));
      await quiet(engine.refresh());
      await quiet(engine.up(program(environmentId)));
      await engine.destroy();
      expect(requests()).to.deep.equal([]);
      expect(loads(stage)).to.have.length(1);
    },
  },
  {
    title: "again when an input changes: the number, the source, the triggers",
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
      for (const inputs of steps) await engine.up(program(environmentId, inputs));
      expect(loads(stage)).to.deep.equal([
        [7, undefined],
        [8, undefined],
        [8, source],
        [8, source],
        [8, source],
      ]);
    },
  },
  {
    title: "a refused load is an error with the service's title, and nothing is in state",
    async run({ engine, environmentId, sandbox }) {
      const body = { errors: [{ status: 400, title: "no such snapshot" }] };
      sandbox.faults.add({ label: "POST /snapshot-load", status: 400, body });
      expect(await errorsOf(engine.up(program(environmentId))))
        .to.contain('"no such snapshot"')
        .and.to.contain(environmentId);
      expect(engine.state.size).to.equal(0);
    },
  },
];

contract("SnapshotLoad", scenarios);

import { expect } from "chai";
import { type Flags, SEED } from "../../../provider/src/sandbox";
import { branchChange, errorBody, start } from "../caller";

const ID = SEED.shopPullRequest;
const UNKNOWN = "99999999-9999-4999-8999-999999999999";
const RUNNING: Flags = { stopped: false, retired: false, deleted: false };

interface Row {
  readonly action: string;
  readonly before: Partial<Flags>;
  /** A title means 400. */
  readonly refusal?: string;
  readonly after?: Partial<Flags>;
  readonly processing?: boolean;
}

const rows: readonly Row[] = [
  { action: "stop", before: {}, after: { stopped: true }, processing: false },
  { action: "stop", before: { stopped: true }, refusal: "Environment is not running" },
  { action: "stop", before: { retired: true }, refusal: "Environment is not running" },
  { action: "stop", before: { deleted: true }, refusal: "Environment is not running" },
  { action: "restart", before: { retired: true, stopped: true }, after: {}, processing: true },
  { action: "restart", before: {}, refusal: "Environment is not retired" },
  { action: "restart", before: { stopped: true }, refusal: "Environment is not retired" },
  { action: "rebuild", before: {}, after: {}, processing: true },
  { action: "rebuild", before: { stopped: true }, after: {}, processing: true },
  { action: "rebuild", before: { deleted: true }, refusal: "Environment is not active" },
  { action: "revive", before: { deleted: true, stopped: true }, after: {}, processing: true },
  { action: "revive", before: {}, refusal: "Environment is already active" },
  { action: "revive", before: { stopped: true }, refusal: "Environment is already active" },
  { action: "cancel", before: {}, refusal: "Environment is not active or no builds in-flight" },
  { action: "cancel", before: { stopped: true }, refusal: "Environment is not active or no builds in-flight" },
];

describe("sandbox: states and transitions", () => {
  for (const { action, before, refusal, after, processing } of rows) {
    const state = Object.keys(before).join(" and ") || "running";
    it(`${action} of an environment that is ${state} ${refusal === undefined ? "succeeds" : "is refused"}`, async () => {
      await using fixture = await start();
      const { world } = fixture.sandbox;
      world.setFlags(ID, before);
      const view = world.environments.get(ID);

      const answer = await fixture.call("POST", `/${ID}/${action}`);

      if (refusal === undefined) {
        expect([answer.status, answer.text]).to.deep.equal([204, ""]);
        expect(world.environments.get(ID)).to.include({ ...RUNNING, ...after, processing });
      } else {
        expect(answer.status).to.equal(400);
        expect(answer.json).to.deep.equal(errorBody(400, refusal));
        expect(world.environments.get(ID)).to.deep.equal(view);
        expect(world.builds(ID)).to.have.length(2);
      }
    });
  }

  for (const action of ["stop", "restart", "rebuild", "revive", "cancel"]) {
    it(`${action} of an unknown environment answers 404`, async () => {
      await using fixture = await start();

      expect((await fixture.call("POST", `/${UNKNOWN}/${action}`)).status).to.equal(404);
    });
  }

  it("refuses to rebuild a stopped environment when that is chosen", async () => {
    await using fixture = await start({ choices: { rebuildAllowed: "runningOnly" } });

    const answer = await fixture.call("POST", `/${SEED.shopStopped}/rebuild`);

    expect(answer.json).to.deep.equal(errorBody(400, "Environment is not active"));
  });

  it("sets the flags that are chosen for an action", async () => {
    await using fixture = await start({ choices: { flagsAfterStop: { stopped: true, retired: true } } });

    await fixture.call("POST", `/${ID}/stop`);

    expect(fixture.sandbox.world.environments.get(ID)).to.include({ stopped: true, retired: true });
    expect((await fixture.call("POST", `/${ID}/restart`)).status).to.equal(204);
  });

  it("cancel ends the build in flight unsuccessfully, and the environment is not ready", async () => {
    await using fixture = await start();
    await fixture.call("POST", `/${ID}/rebuild`);

    expect((await fixture.call("POST", `/${ID}/cancel`)).status).to.equal(204);

    expect(fixture.sandbox.world.builds(ID)[0]).to.include({ outcome: "failed" });
    expect(fixture.sandbox.world.environments.get(ID)).to.include({ processing: false, ready: false });
    expect((await fixture.call("POST", `/${ID}/cancel`)).status).to.equal(400);
  });

  it("cancel is refused for a build of an environment that is stopped", async () => {
    await using fixture = await start();
    const body = branchChange(SEED.shopStopped, { web: "x", api: "main" });
    expect((await fixture.call("PATCH", `/${SEED.shopStopped}`, { body })).status).to.equal(200);

    expect((await fixture.call("POST", `/${SEED.shopStopped}/cancel`)).json).to.deep.equal(
      errorBody(400, "Environment is not active or no builds in-flight"),
    );
    expect(fixture.sandbox.world.builds(SEED.shopStopped)[0]).to.include({ outcome: "inFlight" });
  });

  it("stop ends the build in flight", async () => {
    await using fixture = await start();
    await fixture.call("POST", `/${ID}/rebuild`);

    await fixture.call("POST", `/${ID}/stop`);

    expect(fixture.sandbox.world.builds(ID)[0]).to.include({ outcome: "failed" });
    expect(fixture.sandbox.world.environments.get(ID)).to.include({ processing: false, ready: false });
  });
});

describe("sandbox: POST snapshot-load", () => {
  const body = (attributes: unknown) => ({ data: { type: "snapshot-load", attributes } });

  it("queues a load, from another environment when one is named", async () => {
    await using fixture = await start();

    const own = await fixture.call("POST", `/${ID}/snapshot-load`, { body: body({ sequence_number: 7 }) });
    const other = await fixture.call("POST", `/${ID}/snapshot-load`, {
      body: body({ sequence_number: 8, source_application_id: SEED.shopMain }),
    });

    expect([own.status, other.status, other.text]).to.deep.equal([204, 204, ""]);
    const queuedAtMs = fixture.clock.now();
    expect(fixture.sandbox.world.snapshotLoads(ID)).to.deep.equal([
      { sequenceNumber: 7, sourceEnvironmentId: undefined, queuedAtMs },
      { sequenceNumber: 8, sourceEnvironmentId: SEED.shopMain, queuedAtMs },
    ]);
  });

  const invalid: readonly (readonly [string, unknown])[] = [
    ["no sequence number", body({})],
    ["a sequence number that is a text", body({ sequence_number: "7" })],
    ["a sequence number that is a fraction", body({ sequence_number: 1.5 })],
    ["a source that is no UUID", body({ sequence_number: 7, source_application_id: "shop" })],
    ["a source that is unknown", body({ sequence_number: 7, source_application_id: UNKNOWN })],
    ["another type", { data: { type: "snapshot", attributes: { sequence_number: 7 } } }],
    ["no data", {}],
    ["an array", []],
  ];
  for (const [name, sent] of invalid) {
    it(`refuses ${name} with 400`, async () => {
      await using fixture = await start();

      expect((await fixture.call("POST", `/${ID}/snapshot-load`, { body: sent })).status).to.equal(400);
      expect(fixture.sandbox.world.snapshotLoads(ID)).to.deep.equal([]);
    });
  }

  it("answers 404 for an unknown environment", async () => {
    await using fixture = await start();

    const answer = await fixture.call("POST", `/${UNKNOWN}/snapshot-load`, { body: body({ sequence_number: 7 }) });

    expect(answer.status).to.equal(404);
  });
});

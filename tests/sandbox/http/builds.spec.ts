import { expect } from "chai";
import { SEED } from "../../../provider/src/sandbox";
import { branchChange, errorBody, start } from "../caller";

const ID = SEED.shopPullRequest;
const UNKNOWN = "99999999-9999-4999-8999-999999999999";
const CHANGE = branchChange(ID, { web: "feature/checkout", api: "main" });

// What the specification fixes is in tests/contract/service-endpoints.spec.ts. Choices that are not here: scenarios of tests/contract depend on them.
describe("sandbox: actions", () => {
  it("stop ends the build in flight unsuccessfully, and the environment is not ready", async () => {
    await using fixture = await start();
    await fixture.call("POST", `/${ID}/rebuild`);

    expect((await fixture.call("POST", `/${ID}/stop`)).status).to.equal(204);

    expect(fixture.sandbox.world.builds(ID)[0]).to.include({ outcome: "failed" });
    expect(fixture.sandbox.world.environments.get(ID)).to.include({ processing: false, ready: false });
    expect((await fixture.call("POST", `/${ID}/cancel`)).status).to.equal(400);
  });

  it("queues a snapshot load, from another environment when one is named that is there", async () => {
    await using fixture = await start();
    const load = (attributes: object) =>
      fixture.call("POST", `/${ID}/snapshot-load`, { body: { data: { type: "snapshot-load", attributes } } });

    const own = await load({ sequence_number: 7 });
    const other = await load({ sequence_number: 8, source_application_id: SEED.shopMain });
    const unknown = await load({ sequence_number: 9, source_application_id: UNKNOWN });

    expect([own.status, other.status, unknown.status]).to.deep.equal([204, 204, 400]);
    const queuedAtMs = fixture.clock.now();
    expect(fixture.sandbox.world.snapshotLoads(ID)).to.deep.equal([
      { sequenceNumber: 7, sourceEnvironmentId: undefined, queuedAtMs },
      { sequenceNumber: 8, sourceEnvironmentId: SEED.shopMain, queuedAtMs },
    ]);
  });
});

describe("sandbox: branch change", () => {
  it("answers 405 to a method when the service takes only the other one, or 404 when that is chosen", async () => {
    for (const [method, other] of [
      ["PATCH", "POST"],
      ["POST", "PATCH"],
    ] as const) {
      await using fixture = await start({ choices: { branchMethods: [other] } });

      const refused = await fixture.call(method, `/${ID}`, { body: CHANGE });

      expect(refused.json).to.deep.equal(errorBody(405, "Method not allowed"));
      expect(refused.headers.get("allow")).to.equal(`GET, ${other}`);
      expect((await fixture.call(other, `/${ID}`, { body: CHANGE })).status).to.equal(200);
    }
    await using fixture = await start({ choices: { branchMethods: ["POST"], wrongMethodStatus: 404 } });
    expect((await fixture.call("PATCH", `/${ID}`, { body: CHANGE })).status).to.equal(404);
  });

  it("answers the environment, or an empty body or other JSON when that is chosen", async () => {
    for (const [branchChangeBody, expected] of [
      ["environment", /"processing":true.*"branch":"feature\/checkout"/u],
      ["empty", /^$/u],
      ["json", /^\{"message":"build queued"\}$/u],
    ] as const) {
      await using fixture = await start({ choices: { branchChangeBody } });
      const { status, text } = await fixture.call("PATCH", `/${ID}`, { body: CHANGE });
      expect(status).to.equal(200);
      expect(text).to.match(expected);
    }
  });

  it("refuses a repository that is not there, an empty branch and another id, and changes nothing", async () => {
    await using fixture = await start();
    const before = fixture.sandbox.world.environments.get(ID);

    for (const body of [
      branchChange(ID, { web: "x", api: "main", worker: "main" }),
      branchChange(ID, { web: "", api: "main" }),
      branchChange(SEED.shopMain, { web: "x", api: "main" }),
    ])
      expect((await fixture.call("PATCH", `/${ID}`, { body })).status).to.equal(400);

    expect(fixture.sandbox.world.environments.get(ID)).to.deep.equal(before);
  });
});

describe("sandbox: builds", () => {
  it("raises processing late, and stays ready until then or while building, when that is chosen", async () => {
    await using fixture = await start({ choices: { processingStarts: "late", processingDelaySeconds: 2 } });
    const { world } = fixture.sandbox;
    await fixture.call("POST", `/${ID}/rebuild`);

    expect(world.environments.get(ID)).to.include({ processing: false, ready: true });
    fixture.clock.advance(2000);
    expect(world.environments.get(ID)).to.include({ processing: true, ready: false });
    fixture.clock.advance(1000);
    expect(world.environments.get(ID)).to.include({ processing: false, ready: true });

    await using ready = await start({ choices: { readyWhileBuilding: true } });
    await ready.call("POST", `/${ID}/rebuild`);
    expect(ready.sandbox.world.environments.get(ID)).to.include({ processing: true, ready: true });
  });

  it("has the same commit for the same branch until one is pushed", async () => {
    await using fixture = await start();
    const { world } = fixture.sandbox;
    const commit = (id: string) => world.environments.get(id)?.projects[0]?.commitHash;
    expect(commit(ID))
      .to.match(/^[0-9a-f]{40}$/)
      .and.equal(commit(SEED.shopMain));

    world.pushCommit(ID, "web");

    expect(commit(ID)).to.not.equal(commit(SEED.shopMain));
    expect(world.environments.get(ID)).to.include({ processing: true });
  });
});

describe("sandbox: GET build-history", () => {
  const path = `/${ID}/build-history`;

  it("gives builds of the same instant strictly increasing times", async () => {
    await using fixture = await start();
    await fixture.call("POST", `/${ID}/rebuild`);
    await fixture.call("POST", `/${ID}/rebuild`);

    const times = fixture.sandbox.world.builds(ID).map((build) => build.queuedAt);

    expect(times.slice(0, 2)).to.deep.equal(["2026-01-01T00:00:00.000001Z", "2026-01-01T00:00:00.000000Z"]);
  });

  it("answers an empty array for a page without builds, or an object when that is chosen", async () => {
    await using usual = await start();
    await using fixture = await start({ choices: { emptyHistoryPage: "object" } });

    expect((await usual.call("GET", `${path}?page=9`)).json).to.have.deep.property("data", []);
    expect((await fixture.call("GET", `${path}?page=9`)).json).to.have.deep.property("data", {
      builds: [],
      name: "shop-pr-42",
    });
  });
});

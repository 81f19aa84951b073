import { expect } from "chai";
import { SEED } from "../../../provider/src/sandbox";
import { branchChange, start } from "../caller";

const ID = SEED.shopPullRequest;
const UNKNOWN = "99999999-9999-4999-8999-999999999999";

// What the specification fixes: tests/contract/service-endpoints.spec.ts. What scenarios of tests/contract depend on is not tested again.
describe("sandbox: builds", () => {
  it("a branch change with a repository that is not there, an empty branch or another id is refused, and changes nothing", async () => {
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

  it("a snapshot load from an environment that is not there is refused", async () => {
    await using fixture = await start();
    const attributes = { sequence_number: 9, source_application_id: UNKNOWN };
    const body = { data: { type: "snapshot-load", attributes } };
    expect((await fixture.call("POST", `/${ID}/snapshot-load`, { body })).status).to.equal(400);
    expect(fixture.sandbox.world.snapshotLoads(ID)).to.deep.equal([]);
  });
});

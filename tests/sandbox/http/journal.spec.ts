import { expect } from "chai";
import { SEED } from "../../../provider/src/sandbox";
import { arrival, ROOT, start } from "../caller";

const ID = SEED.shopPullRequest;

describe("sandbox: journal", () => {
  it("notes each request with its label, status, names and size, in order of arrival", async () => {
    await using fixture = await start();
    const body = { env_vars: [{ name: "A", value: "secret-value" }, { name: "B", value: "2" }, { value: "3" }] };

    await fixture.call("PUT", `/${ID}/env-vars`, { body });
    fixture.clock.advance(1000);
    await fixture.call("DELETE", `/${ID}/env-vars/a%2Fb`);
    await fixture.call("GET", "?name=x&page=2");

    const at = fixture.clock.now();
    expect(fixture.sandbox.journal.entries).to.deep.equal([
      {
        sequence: 1,
        at: at - 1000,
        method: "PUT",
        path: `${ROOT}/${ID}/env-vars`,
        query: "",
        status: 207,
        label: "PUT /env-vars",
        environmentId: ID,
        names: ["A", "B"],
        bodySize: JSON.stringify(body).length,
      },
      {
        sequence: 2,
        at,
        method: "DELETE",
        path: `${ROOT}/${ID}/env-vars/a%2Fb`,
        query: "",
        status: 404,
        label: "DELETE /env-vars",
        environmentId: ID,
        names: ["a/b"],
        bodySize: 0,
      },
      {
        sequence: 3,
        at,
        method: "GET",
        path: ROOT,
        query: "name=x&page=2",
        status: 200,
        label: "GET /environments",
        bodySize: 0,
      },
    ]);
  });

  it("never holds a value or a token", async () => {
    await using fixture = await start({ token: "tok-12345" });
    await fixture.call("PUT", `/${ID}/env-vars`, { body: { env_vars: [{ name: "A", value: "secret-value" }] } });
    await fixture.call("GET", "?token=tok-12345");
    await fixture.call("GET", "/tok-12345");

    const text = JSON.stringify(fixture.sandbox.journal.entries);

    expect(text).to.not.include("secret-value");
    expect(text).to.not.include("tok-12345");
    expect(fixture.sandbox.journal.entries[1]?.query).to.equal("token=(token)");
  });

  it("counts by method, label and environment, and knows how many were processed at once", async () => {
    await using fixture = await start();
    const { faults, journal } = fixture.sandbox;
    const { promise: passed, resolve: open } = Promise.withResolvers<void>();
    faults.add({ hold: passed, times: 3 });
    const held = ["", `/${ID}`, `/${SEED.shopMain}`].map((path) => fixture.call("GET", path));
    await arrival(journal, 3);
    open();
    await Promise.all(held);
    await fixture.call("POST", `/${ID}/stop`);

    expect(journal.maxInFlight).to.equal(3);
    expect(journal.count({ method: "GET" })).to.equal(3);
    expect(journal.count({ label: "GET /environment" })).to.equal(2);
    expect(journal.count({ label: "GET /environment", environmentId: ID })).to.equal(1);
    journal.clear();
    expect([journal.count(), journal.maxInFlight]).to.deep.equal([0, 0]);
  });
});

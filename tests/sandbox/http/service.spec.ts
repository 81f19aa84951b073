import { expect } from "chai";
import { limits } from "../../../provider/src/sandbox/http/limits";
import { SEED } from "../../../provider/src/sandbox";
import { arrival, ROOT, send, start } from "../caller";

const ID = SEED.shopPullRequest;

describe("sandbox: requests it cannot use", () => {
  it("answers 404 to an unknown path, and to one with broken percent-encoding", async () => {
    await using fixture = await start();

    for (const path of ["s", "/", "/%ZZ/env-vars"])
      expect((await fixture.call("GET", path)).status, path).to.equal(404);
    expect((await fixture.call("DELETE", `/${ID}/env-vars/%E0%A4`)).status).to.equal(404);
  });

  it("answers 400 to a body that is no JSON, 415 to another type, and 413 to one that is too large", async () => {
    await using fixture = await start();
    const put = (rawBody: string, headers = {}) => fixture.call("PUT", `/${ID}/env-vars`, { rawBody, headers });

    expect((await put("{")).json).to.deep.equal({ errors: [{ status: 400, title: "Request body is not valid JSON" }] });
    expect((await put("")).status).to.equal(400);
    expect(
      (await put('{"env_vars":[]}', { "content-type": "application/vnd.api+json; charset=utf-8" })).status,
    ).to.equal(200);
    expect((await put("{}", { "content-type": "text/plain" })).status).to.equal(415);
    expect((await put(`"${"x".repeat(limits.bodyBytes)}"`)).status).to.equal(413);
    expect((await fixture.call("GET", "")).status).to.equal(200);
  });

  it("answers 429 with Retry-After when the chosen rate is passed, until the next second", async () => {
    await using fixture = await start({ choices: { rateLimitPerSecond: 2 } });
    const status = async () => (await fixture.call("GET", "")).status;

    expect([await status(), await status()]).to.deep.equal([200, 200]);
    const refused = await fixture.call("GET", "");
    expect([refused.status, refused.headers.get("retry-after")]).to.deep.equal([429, "1"]);
    fixture.clock.advance(1000);
    expect(await status()).to.equal(200);
  });
});

describe("sandbox: where it listens", () => {
  it("mounts the service below a prefix, and links without it", async () => {
    await using fixture = await start({ pathPrefix: "gateway/" });
    const { url, token } = fixture.sandbox;

    expect(url).to.match(/^http:\/\/127\.0\.0\.1:\d+\/gateway$/);
    const answer = await fixture.call("GET", "");
    expect(answer.json).to.have.nested.property("links.first", "/api/v1/environment?page=1");
    expect((await send("GET", new URL(url).origin + ROOT, { token })).status).to.equal(404);
    expect((await fixture.control("GET", "state")).status).to.equal(200);
    expect(fixture.sandbox.journal.entries.map((entry) => entry.path)).to.deep.equal([ROOT]);
  });

  it("closes at once although connections are open and requests are held and delayed", async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const fixture = await start();
    await fixture.call("GET", "");
    const before = timers();
    fixture.sandbox.faults.add({ delayMs: 60_000 });
    fixture.sandbox.faults.add({ hold: Promise.withResolvers<void>().promise });
    const pending = Promise.allSettled([fixture.call("GET", ""), fixture.call("GET", "")]);
    await arrival(fixture.sandbox.journal, 3);

    await fixture.sandbox.close();

    expect((await pending).map(({ status }) => status)).to.deep.equal(["rejected", "rejected"]);
    expect(timers()).to.be.at.most(before);
    await fixture.sandbox.close();
  });
});

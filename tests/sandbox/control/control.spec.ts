import { once } from "node:events";
import { request } from "node:http";
import { expect } from "chai";
import * as z from "zod";
import { SEED, startSandbox } from "../../../provider/src/sandbox";
import { type Fixture, send, start } from "../caller";

const ID = SEED.shopPullRequest;
const Newest = z.object({ total: z.number(), entries: z.array(z.object({ label: z.string() })) });

async function status(fixture: Fixture, method: string, path: string, body?: object): Promise<number> {
  return (await fixture.control(method, path, body === undefined ? {} : { body })).status;
}

describe("sandbox: control over HTTP", () => {
  it("shows the world with real values and what the service shows of them, and the journal, without noting itself", async () => {
    await using fixture = await start({ choices: { mask: { fullyMasked: true } } });
    await fixture.call("GET", "");

    const state = await fixture.control("GET", "state");
    const journal = await fixture.control("GET", "journal");

    expect(state.json).to.have.nested.property("environments.length", 4);
    expect(state.json).to.have.nested.property("environments[0].variables[2].value", "not-a-real-session-key");
    expect(state.json).to.have.nested.property("environments[0].variables[2].shown", "*".repeat(22));
    expect(state.json).to.have.nested.property("environments[0].builds.length", 2);
    expect(journal.json).to.deep.include({ maxInFlight: 1, connections: 1 });
    expect(journal.json).to.have.nested.property("entries.length", 1);
    expect(journal.json).to.have.property("total", 1);
    expect(await status(fixture, "DELETE", "journal")).to.equal(204);
    expect(fixture.sandbox.journal.count()).to.equal(0);
  });

  it("cuts the journal down to its newest entries", async () => {
    await using fixture = await start();
    for (const path of ["", `/${ID}`, `/${ID}/build-history`]) await fixture.call("GET", path);
    const labels = async (query: string) => {
      const { json } = await fixture.control("GET", `journal${query}`);
      const { entries, total } = Newest.parse(json);
      return [total, ...entries.map(({ label }) => label)];
    };

    expect(await labels("?last=2")).to.deep.equal([3, "GET /environment", "GET /build-history"]);
    expect(await labels("?last=0")).to.deep.equal([3]);
    expect(await labels("?last=9")).to.have.length(4);
    expect(await status(fixture, "GET", "journal?last=x")).to.equal(400);
  });

  it("sets and deletes variables, switches branches, pushes commits, sets flags, steers builds and removes environments", async () => {
    await using fixture = await start();
    const { world } = fixture.sandbox;
    const view = () => world.environments.get(ID);
    const variable = { environmentId: ID, name: "A", value: "1", hidden: false, services: ["web"] };

    expect(await status(fixture, "POST", "variables", variable)).to.equal(204);
    expect(world.variable(ID, "A")).to.deep.include({ value: "1", hidden: false, services: ["web"] });
    expect(await status(fixture, "DELETE", "variables", { environmentId: ID, name: "A" })).to.equal(204);
    expect(world.variable(ID, "A")).to.equal(undefined);
    expect(await status(fixture, "POST", "builds", { environmentId: ID, failNext: true, slowNextSeconds: 9 })).to.equal(
      204,
    );
    const change = { environmentId: ID, repoName: "web", branch: "x" };
    expect(await status(fixture, "POST", "branches", change)).to.equal(204);
    expect(view()?.projects[0]?.branch).to.equal("x");
    fixture.clock.advance(8000);
    expect(view()).to.include({ processing: true });
    expect(await status(fixture, "POST", "builds", { environmentId: ID, finish: true })).to.equal(204);
    expect(view()).to.include({ processing: false, ready: false });

    expect(await status(fixture, "POST", "commits", { environmentId: ID, repoName: "web" })).to.equal(204);
    expect(view()).to.include({ processing: true });
    expect(await status(fixture, "POST", "flags", { environmentId: ID, retired: true })).to.equal(204);
    expect(view()).to.include({ retired: true, stopped: false, processing: false });
    expect(await status(fixture, "DELETE", "environments", { environmentId: ID })).to.equal(204);
    expect(view()).to.equal(undefined);
  });

  it("adds and clears faults", async () => {
    await using fixture = await start();
    const fault = { method: "get", path: "/env-vars", status: 429, retryAfter: 2, times: 2 };

    expect(await status(fixture, "POST", "faults", fault)).to.equal(204);
    const answer = await fixture.call("GET", `/${ID}/env-vars`);
    expect([answer.status, answer.headers.get("retry-after")]).to.deep.equal([429, "2"]);
    expect(await status(fixture, "DELETE", "faults")).to.equal(204);
    expect((await fixture.call("GET", `/${ID}/env-vars`)).status).to.equal(200);

    expect(await status(fixture, "POST", "faults", { gateway: "page" })).to.equal(204);
    const page = await fixture.call("GET", `/${ID}/env-vars`);
    expect([page.status, page.headers.get("content-type")]).to.deep.equal([404, "text/html"]);

    expect(await status(fixture, "POST", "faults", { refuse: { B: "no" }, refuseNull: true })).to.equal(204);
    const partial = await fixture.call("PUT", `/${ID}/env-vars`, { body: { env_vars: [{ name: "B", value: "1" }] } });
    expect(partial.json).to.deep.equal({ data: [], errors: [{ name: null, error: "no" }] });

    expect(await status(fixture, "POST", "faults", { unmentioned: ["B"] })).to.equal(204);
    const silent = await fixture.call("PUT", `/${ID}/env-vars`, { body: { env_vars: [{ name: "B", value: "1" }] } });
    expect(silent.json).to.deep.equal({ data: [], errors: [] });

    expect(await status(fixture, "POST", "faults", { unlisted: [ID] })).to.equal(204);
    expect(JSON.stringify((await fixture.call("GET", "")).json)).not.to.include(ID);
  });

  it("lists the faults that still wait, without what they answer", async () => {
    await using fixture = await start();
    const { faults } = fixture.sandbox;
    faults.add({ status: 500, body: "a body", headers: { "x-a": "b" }, path: /vars$/, times: Infinity });
    faults.add({ refuse: { A: "a reason" }, method: "PUT" });
    faults.add({ gateway: "json", label: "DELETE /env-vars" });
    faults.add({ status: 503 });
    await fixture.call("GET", "");
    await fixture.call("GET", `/${ID}/env-vars`);

    const { json } = await fixture.control("GET", "faults");

    expect(json).to.deep.equal({
      faults: [
        { hits: 1, times: null, path: "/vars$/", status: 500 },
        { hits: 0, times: 1, method: "PUT", refuse: ["A"] },
        { hits: 0, times: 1, label: "DELETE /env-vars", gateway: "json" },
      ],
    });
  });

  it("moves a manual clock, forward only, and refuses to move the system's", async () => {
    await using fixture = await start();
    const before = fixture.clock.now();
    expect(await status(fixture, "POST", "clock", { advanceSeconds: 2.5 })).to.equal(204);
    expect(fixture.clock.now() - before).to.equal(2500);
    for (const ms of [-1, Number.NaN]) expect(() => fixture.clock.advance(ms)).to.throw(RangeError);
    expect(await status(fixture, "POST", "clock", { advanceSeconds: -1 })).to.equal(400);

    await using real = await startSandbox();
    const answer = await send("POST", `${real.url}/__sandbox/clock`, { body: { advanceSeconds: 1 } });
    expect(answer.status).to.equal(409);
  });

  for (const [path, body, title] of [
    ["faults", {}, "body must say what happens: set one of status, gateway, "],
    ["faults", { times: 2, retryAfter: 5, dropBefore: false }, "body must say what happens: set one of status, "],
    ["faults", { refuse: {} }, "body must say what happens: set one of status, "],
    ["faults", { unlisted: [] }, "body must say what happens: set one of status, "],
    ["faults", { refuse: { A: "no" }, method: "GET" }, "body.refuse meets only PUT requests"],
    ["faults", { unlisted: ["id"], label: "DELETE /env-vars" }, "body.unlisted meets only GET requests"],
    ["faults", { status: 503, times: -1 }, "body.times must be a whole number of at least 1"],
    ["faults", { status: 503, times: 0 }, "body.times must be a whole number of at least 1"],
    ["faults", { status: 503, times: 1.5 }, "body.times must be a whole number of at least 1"],
    ["faults", { status: 503, after: -1 }, "body.after must be a whole number of at least 0"],
    ["faults", { delayMs: -5 }, "body.delayMs must be a whole number of at least 0"],
    ["faults", { status: 503, method: "PTU" }, "body.method must be one of GET, PUT, PATCH, POST, DELETE"],
    ["builds", { environmentId: ID, slowNextSeconds: -1 }, "body.slowNextSeconds must not be negative"],
  ] as const)
    it(`says why ${JSON.stringify(body)} for ${path} cannot act, and changes nothing`, async () => {
      await using fixture = await start();
      const answer = await fixture.control("POST", path, { body });
      expect(answer.status).to.equal(400);
      expect(answer.json).to.have.nested.property("errors[0].title").that.contains(title);
      expect(fixture.sandbox.faults.active).to.deep.equal([]);
    });

  const misspelt: readonly (readonly [string, string, object, string])[] = [
    ["POST", "faults", { staus: 503 }, 'body has no field "staus". Did you mean "status"?'],
    ["DELETE", "variables", { environmentId: ID, name: "NODE_ENV", x: "1" }, "Its fields are: environmentId, name."],
    ["POST", "clock", { advanceSeconds: 1, seconds: 1 }, 'Did you mean "advanceSeconds"?'],
    ["DELETE", "faults", { label: "GET /env-vars" }, "Its fields are: none."],
    ["GET", "journal?lats=1", {}, 'query has no field "lats". Did you mean "last"?'],
  ];
  for (const [method, path, body, expected] of misspelt) {
    it(`refuses ${method} ${path} with a field that does not exist, and changes nothing: ${Object.keys(body).at(-1)}`, async () => {
      await using fixture = await start();
      const state = async () => (await fixture.control("GET", "state")).text;
      const before = [await state(), fixture.clock.now()];

      const answer = await fixture.control(method, path, method === "GET" ? {} : { body });

      expect(answer.status).to.equal(400);
      expect(answer.json).to.have.nested.property("errors[0].title").that.contains(expected);
      expect([await state(), fixture.clock.now()]).to.deep.equal(before);
      expect(fixture.sandbox.faults.active).to.deep.equal([]);
    });
  }

  it("is closed to foreign web pages, to other types than JSON, and to names that are not this computer's", async () => {
    await using fixture = await start();
    const { origin } = new URL(fixture.sandbox.url);
    const rawBody = JSON.stringify({ status: 500 });
    const post = async (headers: Record<string, string>) =>
      (await fixture.control("POST", "faults", { rawBody, headers })).status;

    expect(await post({ origin: "https://evil.example" })).to.equal(403);
    expect(await post({ origin: "null" })).to.equal(403);
    for (const site of ["cross-site", "same-site"]) expect(await post({ "sec-fetch-site": site })).to.equal(403);
    for (const type of ["text/plain", "multipart/form-data"]) {
      expect(await post({ "content-type": type })).to.equal(415);
    }
    expect((await fixture.call("GET", "")).status).to.equal(200);
    expect(await post({ origin, "sec-fetch-site": "same-origin" })).to.equal(204);
    expect(await post({ "content-type": "application/x-www-form-urlencoded" })).to.equal(204);
    // `fetch` would not send another name.
    const rebound = request(`${origin}/__sandbox/state`, { headers: { host: "evil.example" } }).end();
    const [answer] = await once(rebound, "response");
    expect(answer.resume()).to.have.property("statusCode", 403);
  });
});

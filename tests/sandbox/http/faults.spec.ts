import { expect } from "chai";
import { SEED } from "../../../provider/src/sandbox";
import { type Answer, errorBody, type Fixture, start } from "../caller";

const ID = SEED.shopMain;
const PATH = `/${ID}/env-vars`;

function put(fixture: Fixture, ...names: readonly string[]): Promise<Answer> {
  const env_vars = names.map((name) => ({ name, value: "1", hidden: false }));
  return fixture.call("PUT", PATH, { body: { env_vars } });
}

describe("sandbox: faults", () => {
  it("answers a status once, without acting", async () => {
    await using fixture = await start();
    const fault = fixture.sandbox.faults.add({ status: 503 });

    const answer = await put(fixture, "A");

    expect(answer.json).to.deep.equal(errorBody(503, "Ordered fault 503"));
    expect(fixture.sandbox.world.variable(ID, "A")).to.equal(undefined);
    expect((await put(fixture, "A")).status).to.equal(200);
    expect(fault.hits).to.equal(1);
  });

  it("sends the body, the headers and the Retry-After it is given", async () => {
    await using fixture = await start();
    fixture.sandbox.faults.add({
      status: 502,
      body: "<html>",
      headers: { "content-type": "text/html" },
      retryAfter: 7,
    });
    fixture.sandbox.faults.add({ status: 400, body: { message: "no" }, retryAfter: "Wed, 21 Oct 2026 07:28:00 GMT" });
    fixture.sandbox.faults.add({ contentType: "text/html" });

    const html = await fixture.call("GET", PATH);
    expect([html.status, html.text]).to.deep.equal([502, "<html>"]);
    expect([html.headers.get("content-type"), html.headers.get("retry-after")]).to.deep.equal(["text/html", "7"]);
    const json = await fixture.call("GET", PATH);
    expect(json.json).to.deep.equal({ message: "no" });
    expect(json.headers.get("retry-after")).to.equal("Wed, 21 Oct 2026 07:28:00 GMT");
    const other = await fixture.call("GET", PATH);
    expect([other.status, other.headers.get("content-type")]).to.deep.equal([200, "text/html"]);
  });

  for (const [gateway, type, words] of [
    ["page", "text/html", /^<!doctype html>/u],
    ["empty", null, /^$/u],
    ["json", "application/json", /^\{"message":"no Route matched with those values"\}$/u],
  ] as const)
    it(`answers 404, or another status, in the words of a gateway, and keeps the request from the service: ${gateway}`, async () => {
      await using fixture = await start();
      fixture.sandbox.faults.add({ gateway, acts: true });
      fixture.sandbox.faults.add({ gateway, status: 502, retryAfter: 7 });

      const answer = await put(fixture, "A");
      expect([answer.status, answer.headers.get("content-type")]).to.deep.equal([404, type]);
      expect(answer.text).to.match(words);
      const other = await put(fixture, "A");
      expect([other.status, other.headers.get("retry-after")]).to.deep.equal([502, "7"]);
      expect(fixture.sandbox.world.variable(ID, "A")).to.equal(undefined);
    });

  it("answers 200 with JSON that is cut off, after acting", async () => {
    await using fixture = await start();
    fixture.sandbox.faults.add({ malformed: true });

    const answer = await put(fixture, "A");

    expect([answer.status, answer.json]).to.deep.equal([200, undefined]);
    expect(answer.headers.get("content-type")).to.equal("application/json");
    expect(fixture.sandbox.world.variable(ID, "A")?.value).to.equal("1");
  });

  it("meets only the requests it is for", async () => {
    await using fixture = await start();
    const { faults } = fixture.sandbox;
    const counts = {
      method: faults.add({ method: "delete", status: 500 }),
      text: faults.add({ path: "/stop", status: 500 }),
      pattern: faults.add({ path: /\/restart$/g, status: 500, times: 2 }),
      label: faults.add({ label: "GET /environment", status: 500 }),
      match: faults.add({ match: ({ names }) => names.includes("X"), status: 500 }),
    };

    await fixture.call("DELETE", `${PATH}/NONE`);
    await fixture.call("POST", `/${ID}/stop`);
    await fixture.call("POST", `/${ID}/restart`);
    await fixture.call("POST", `/${ID}/restart`);
    await fixture.call("GET", `/${ID}`);
    await put(fixture, "X");
    const rest = [await fixture.call("GET", ""), await put(fixture, "Y"), await fixture.call("GET", PATH)];

    const hits = Object.values(counts).map((fault) => fault.hits);
    expect(hits).to.deep.equal([1, 1, 2, 1, 1]);
    expect(rest.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
  });

  it("lets requests through first, then meets as many as told, and can be taken back", async () => {
    await using fixture = await start();
    const { faults } = fixture.sandbox;
    const statuses = async (count: number) => {
      const seen: number[] = [];
      for (let index = 0; index < count; index += 1) seen.push((await fixture.call("GET", PATH)).status);
      return seen;
    };
    faults.add({ status: 500, after: 1, times: 2 });
    expect(await statuses(4)).to.deep.equal([200, 500, 500, 200]);

    const endless = faults.add({ status: 500, times: Infinity });
    expect(await statuses(2)).to.deep.equal([500, 500]);
    endless.remove();
    expect(await statuses(1)).to.deep.equal([200]);

    faults.add({ status: 500 });
    faults.clear();
    expect(await statuses(1)).to.deep.equal([200]);
  });
});

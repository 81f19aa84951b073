import { expect } from "chai";
import { SEED } from "../../../provider/src/sandbox";
import { start } from "../caller";

const PATH = `/${SEED.shopMain}/env-vars`;

// Most fields of a fault: scenarios of tests/contract depend on them. Over HTTP: tests/sandbox/control/control.spec.ts.
describe("sandbox: faults", () => {
  it("send the body, the headers and the Retry-After that they are given", async () => {
    await using fixture = await start();
    fixture.sandbox.faults.add({
      status: 502,
      body: "<html>",
      headers: { "content-type": "text/html" },
      retryAfter: 7,
    });
    fixture.sandbox.faults.add({ status: 400, body: { message: "no" }, retryAfter: "Wed, 21 Oct 2026 07:28:00 GMT" });
    fixture.sandbox.faults.add({ contentType: "text/html" });
    fixture.sandbox.faults.add({ gateway: "page", status: 502, retryAfter: 7 });

    const html = await fixture.call("GET", PATH);
    expect([html.status, html.text]).to.deep.equal([502, "<html>"]);
    expect([html.headers.get("content-type"), html.headers.get("retry-after")]).to.deep.equal(["text/html", "7"]);
    const json = await fixture.call("GET", PATH);
    expect(json.json).to.deep.equal({ message: "no" });
    expect(json.headers.get("retry-after")).to.equal("Wed, 21 Oct 2026 07:28:00 GMT");
    const other = await fixture.call("GET", PATH);
    expect([other.status, other.headers.get("content-type")]).to.deep.equal([200, "text/html"]);
    const gateway = await fixture.call("GET", PATH);
    expect([gateway.status, gateway.headers.get("retry-after")]).to.deep.equal([502, "7"]);
  });
});

import { expect } from "chai";
import { SEED } from "../../../provider/src/sandbox";
import { start } from "../caller";
import { inBrowser } from "./browser-tests";

const ID = SEED.shopPullRequest;
const MARKUP = "<img src=x onerror=\"document.title='broken out'\">";

inBrowser("faults and journal on the page", (page) => {
  it("show each request as it comes, until the journal is cleared", async () => {
    const browser = page();
    await using fixture = await start();
    await browser.open(fixture);

    await fixture.call("PUT", `/${ID}/env-vars`, { body: { env_vars: [{ name: "NEW", value: "1", hidden: false }] } });
    await browser.until('document.querySelectorAll("#journal tr").length === 1');
    const [row] = await browser.texts("#journal tr");
    expect(row).to.include("PUT /env-vars").and.include("NEW").and.include("200");

    await browser.press("Clear journal");
    await browser.said("Cleared the journal");
    expect(fixture.sandbox.journal.count()).to.equal(0);
  });

  it("are switched on, listed while they wait, and cleared", async () => {
    const browser = page();
    await using fixture = await start();
    const { faults } = fixture.sandbox;
    await browser.open(fixture);

    await browser.press("Next request: 503");
    await browser.said("Switched on: Answer 503");
    expect((await fixture.call("GET", `/${ID}`)).status).to.equal(503);
    expect(faults.active).to.deep.equal([]);

    await browser.press("Next request: a gateway's 404");
    await browser.said("Switched on: Answer 404 as a gateway does");
    const answer = await fixture.call("GET", `/${ID}`);
    expect([answer.status, answer.headers.get("content-type")]).to.deep.equal([404, "text/html"]);

    await browser.press("Next request: 429");
    await browser.said("Switched on: Answer 429");
    await browser.focus("combobox", "Variable");
    await browser.type("NODE_ENV");
    await browser.press("Refuse it in the next write (207)");
    await browser.said("Switched on: Refuse NODE_ENV (207)");
    await browser.focus("combobox", "Variable");
    await browser.type("NODE_ENV");
    await browser.press("Mention it nowhere (207)");
    await browser.said("Switched on: Mention NODE_ENV nowhere (207)");
    await browser.press("Drop the next answer");
    await browser.said("Switched on: Drop the answer");
    await browser.until('document.querySelectorAll("#active-faults li").length === 4');
    expect(await browser.texts("#active-faults li")).to.deep.equal([
      "Answer 429, any request 0 of 1 request",
      "Refuse NODE_ENV (207), next write 0 of 1 request",
      "Mention NODE_ENV nowhere (207), next write 0 of 1 request",
      "Drop the answer, any request 0 of 1 request",
    ]);

    await browser.press("Clear all faults");
    await browser.said("Cleared all faults");
    expect(faults.active).to.deep.equal([]);
  });

  it("show markup in names, values and branches as text", async () => {
    const browser = page();
    const variables = [{ name: MARKUP, value: MARKUP, hidden: false, services: [MARKUP] }];
    const projects = [{ repoName: MARKUP, branch: MARKUP }];
    await using fixture = await start({ environments: [{ id: ID, name: MARKUP, url: MARKUP, projects, variables }] });
    fixture.sandbox.faults.add({ refuse: { [MARKUP]: "x" }, times: 2 });
    await fixture.call("PUT", `/${ID}/env-vars`, { body: { env_vars: [{ name: MARKUP, value: "1", hidden: false }] } });
    await browser.open(fixture);
    await browser.until('document.querySelectorAll("#journal tr").length === 1');

    const [shown = ""] = await browser.texts("body");

    // Environment, url, repository, branch, variable, value, services. The request's environment and name. The fault.
    expect(shown.split(MARKUP)).to.have.length(11);
    expect(await browser.evaluate('document.querySelectorAll("img").length')).to.equal(0);
    expect(await browser.evaluate("document.title")).to.equal("previewenv sandbox");
  });
});

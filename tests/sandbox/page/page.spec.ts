import { createHash } from "node:crypto";
import { expect } from "chai";
import { SEED } from "../../../provider/src/sandbox";
import { Browser, findBrowser } from "../../support/browser";
import { type Fixture, send, start } from "../caller";

const ID = SEED.shopPullRequest;
const BROWSER_TIMEOUT_MS = 600_000;
const MARKUP = "<img src=x onerror=\"document.title='broken out'\">";

function address({ sandbox }: Fixture): string {
  return new URL("/", sandbox.url).href;
}

/** The sources a policy allows, by directive. */
function sourcesOf(policy: string): ReadonlyMap<string, string> {
  return new Map(
    policy.split("; ").map((directive) => {
      const [name = "", ...sources] = directive.split(" ");
      return [name, sources.join(" ")];
    }),
  );
}

describe("sandbox: the page over HTTP", () => {
  it("is one HTML document whose policy allows its own script and style and nothing else", async () => {
    await using fixture = await start();

    const { status, text, headers } = await send("GET", address(fixture));

    expect([status, headers.get("content-type")]).to.deep.equal([200, "text/html; charset=utf-8"]);
    const sources = sourcesOf(headers.get("content-security-policy") ?? "");
    for (const element of ["script", "style"]) {
      const content = new RegExp(`<${element}>(.*?)</${element}>`, "s").exec(text)?.[1] ?? "";
      const hash = createHash("sha256").update(content).digest("base64");
      expect(sources.get(`${element}-src`)).to.equal(`'sha256-${hash}'`);
    }
    expect(sources.get("default-src")).to.equal("'none'");
    expect(sources.get("connect-src")).to.equal("'self'");
    expect(sources.get("frame-ancestors")).to.equal("'none'");
    expect(sources.get("require-trusted-types-for")).to.equal("'script'");
  });

  it("refers to nothing outside itself and holds no token, no name and no value", async () => {
    const environments = [
      { name: MARKUP, projects: [{ repoName: "web", branch: "main" }], variables: [{ name: "A", value: "one value" }] },
    ];
    await using fixture = await start({ environments, token: "a-token" });

    const { text } = await send("GET", address(fixture));

    expect([...text.matchAll(/(?:src|href)="(?!data:)/g)]).to.have.length(0);
    for (const unwanted of ["a-token", MARKUP, "one value"]) expect(text).not.to.include(unwanted);
  });

  it("lies at the root whatever the service's prefix is, and in no journal", async () => {
    await using fixture = await start({ pathPrefix: "/gateway" });

    expect((await send("GET", address(fixture))).status).to.equal(200);
    expect((await send("GET", `${fixture.sandbox.url}/`)).status).to.equal(401);
    expect(fixture.sandbox.journal.entries.map(({ path }) => path)).to.deep.equal(["/"]);
  });

  for (const method of ["POST", "PUT", "DELETE", "HEAD"]) {
    it(`answers 405 to ${method}`, async () => {
      await using fixture = await start();

      const { status, headers } = await send(method, address(fixture));

      expect([status, headers.get("allow")]).to.deep.equal([405, "GET"]);
      expect(fixture.sandbox.journal.count()).to.equal(0);
    });
  }
});

const browser = findBrowser();
const where = browser === undefined ? " (skipped: no CHROME_BIN, and no chromium or google-chrome on PATH)" : "";

describe(`sandbox: the page in a browser${where}`, function () {
  this.timeout(BROWSER_TIMEOUT_MS);
  let page: Browser;

  before(async function () {
    if (browser === undefined) this.skip();
    page = await Browser.start(browser);
  });

  after(async () => {
    await page?.[Symbol.asyncDispose]();
  });

  afterEach(() => {
    expect(page.complaints, "exceptions and violations of the policy").to.deep.equal([]);
  });

  /** Waits for the line that says how the last change went. */
  async function said(text: string): Promise<void> {
    await page.until(`document.querySelector("#message").textContent === ${JSON.stringify(text)}`);
  }

  async function press(button: string): Promise<void> {
    await page.focus("button", button);
    await page.enter();
  }

  it("shows variables masked as the service does, branches, builds, and each request as it comes", async () => {
    await using fixture = await start();
    await page.open(address(fixture));
    await page.until('document.querySelectorAll("details").length === 4');

    const shown = String(await page.evaluate("document.body.innerText"));
    expect(shown).to.include("shop-pr-42").and.include("acme/web").and.include("succeeded");
    expect(shown).to.include("no******************ey").and.not.include("not-a-real-session-key");
    expect(shown).to.include("No request yet.").and.not.include(fixture.sandbox.token);

    await fixture.call("PUT", `/${ID}/env-vars`, { body: { env_vars: [{ name: "NEW", value: "1", hidden: false }] } });
    await page.until('document.querySelectorAll("#journal tr").length === 1');
    const row = String(await page.evaluate('document.querySelector("#journal tr").innerText'));
    expect(row).to.include("PUT /env-vars").and.include("NEW").and.include("200");
    expect(fixture.sandbox.journal.count()).to.equal(1);
  });

  it("edits a hidden variable with the keyboard, and keeps what it is not told to change", async () => {
    await using fixture = await start();
    const variable = () => fixture.sandbox.world.variable(ID, "SMTP_PASSWORD");
    await page.open(address(fixture));

    await press("Edit SMTP_PASSWORD");
    expect(await page.evaluate("document.activeElement.value")).to.equal("");
    await page.type("changed by hand");
    await page.enter();
    await said("Saved SMTP_PASSWORD");
    expect(variable()).to.deep.include({ value: "changed by hand", hidden: true, services: ["worker"] });

    await press("Edit SMTP_PASSWORD");
    await page.focus("textbox", "Services");
    await page.type("worker, api");
    await page.enter();
    await page.until('document.body.innerText.includes("worker, api")');
    expect(variable()).to.deep.include({ value: "changed by hand", hidden: true, services: ["worker", "api"] });
  });

  it("adds and deletes a variable", async () => {
    await using fixture = await start();
    await page.open(address(fixture));

    await page.focus("textbox", "Name");
    await page.type("ADDED");
    await page.focus("textbox", "Value");
    await page.type("1");
    await page.enter();
    await said("Saved ADDED");
    expect(fixture.sandbox.world.variable(ID, "ADDED")).to.deep.include({ value: "1", hidden: true, services: [] });

    await press("Delete ADDED");
    await said("Deleted ADDED");
    expect(fixture.sandbox.world.variable(ID, "ADDED")).to.equal(undefined);
    expect(await page.evaluate("document.activeElement.textContent")).to.equal("Variables (4)");
  });

  it("switches a branch, which queues a build", async () => {
    await using fixture = await start();
    await page.open(address(fixture));

    await page.focus("textbox", "Another branch for web in shop-pr-42");
    await page.type("feature/by-hand");
    await page.enter();
    await said("Switched web in shop-pr-42 to feature/by-hand");

    expect(fixture.sandbox.world.environments.get(ID)).to.have.nested.property("projects[0].branch", "feature/by-hand");
    await page.until('document.querySelector(".badges").textContent === "processing"');
    expect(fixture.sandbox.world.builds(ID)[0]).to.include({ outcome: "inFlight" });
  });

  it("switches faults on, lists those that wait, and clears them", async () => {
    await using fixture = await start();
    const { faults } = fixture.sandbox;
    const listed = () => page.evaluate('[...document.querySelectorAll("#active-faults li")].map((e) => e.innerText)');
    await page.open(address(fixture));

    await press("Next request: 503");
    await said("Switched on: Answer 503");
    expect((await fixture.call("GET", `/${ID}`)).status).to.equal(503);
    expect(faults.active).to.deep.equal([]);

    await press("Next request: a gateway's 404");
    await said("Switched on: Answer 404 as a gateway does");
    const answer = await fixture.call("GET", `/${ID}`);
    expect([answer.status, answer.headers.get("content-type")]).to.deep.equal([404, "text/html"]);

    await press("Next request: 429");
    await said("Switched on: Answer 429");
    await page.focus("combobox", "Variable");
    await page.type("NODE_ENV");
    await page.enter();
    await said("Switched on: Refuse NODE_ENV (207)");
    await press("Drop the next answer");
    await said("Switched on: Drop the answer");
    await page.until('document.querySelectorAll("#active-faults li").length === 3');
    expect(await listed()).to.deep.equal([
      "Answer 429, any request 0 of 1 request",
      "Refuse NODE_ENV (207), next write 0 of 1 request",
      "Drop the answer, any request 0 of 1 request",
    ]);

    await press("Clear all faults");
    await said("Cleared all faults");
    expect(faults.active).to.deep.equal([]);
  });

  it("shows markup in names, values and branches as text", async () => {
    const variables = [{ name: MARKUP, value: MARKUP, hidden: false, services: [MARKUP] }];
    const projects = [{ repoName: MARKUP, branch: MARKUP }];
    await using fixture = await start({ environments: [{ id: ID, name: MARKUP, url: MARKUP, projects, variables }] });
    fixture.sandbox.faults.add({ refuse: { [MARKUP]: "x" }, times: 2 });
    await fixture.call("PUT", `/${ID}/env-vars`, { body: { env_vars: [{ name: MARKUP, value: "1", hidden: false }] } });
    await page.open(address(fixture));
    await page.until('document.querySelectorAll("#journal tr").length === 1');

    const shown = String(await page.evaluate("document.body.innerText"));

    // Environment, url, repository, branch, variable, value, services; the request's environment and name; the fault.
    expect(shown.split(MARKUP)).to.have.length(11);
    expect(await page.evaluate('document.querySelectorAll("img").length')).to.equal(0);
    expect(await page.evaluate("document.title")).to.equal("previewenv sandbox");
  });

  it("keeps what somebody types while everything around it changes", async () => {
    await using fixture = await start();
    await page.open(address(fixture));
    await page.focus("textbox", "Another branch for api in shop-pr-42");
    await page.type("half a na");

    fixture.sandbox.world.setVariable(ID, { name: "LATER", value: "1" });
    fixture.sandbox.world.switchBranch(ID, "api", "elsewhere");
    await page.until('document.body.innerText.includes("LATER") && document.body.innerText.includes("elsewhere")');

    expect(await page.evaluate("document.activeElement.value")).to.equal("half a na");
  });

  it("says why a change was not made", async () => {
    await using fixture = await start();
    await page.open(address(fixture));
    await page.focus("textbox", "Another branch for web in shop-main");
    fixture.sandbox.world.remove(SEED.shopMain);
    await page.type("x");
    await page.enter();

    await said(`That did not work: the sandbox has no environment ${SEED.shopMain}`);
  });
});

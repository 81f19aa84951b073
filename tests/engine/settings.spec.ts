import { expect } from "chai";
import { type Sandbox, startSandbox } from "../../provider/src/sandbox";
import { javascript } from "./harness/languages";
import { type Program, set } from "./harness/program";
import { ENGINE_TEST_MS, useEngine } from "./harness/suite";

const FIRST_TOKEN = "token-of-the-first-organization";
const SECOND_TOKEN = "token-of-the-second-organization";
const WRONG_TOKEN = "token-that-nobody-knows";

/** Worth its dozen CLI calls: settings reach the provider process in ways that only the engine has. */
describe("engine: settings", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine({ token: FIRST_TOKEN });
  let second: Sandbox;

  before(async () => {
    second = await startSandbox({ token: SECOND_TOKEN });
  });
  after(() => second.close());

  const single = (environmentId: string, value: string): Program => ({
    resources: [set("vars", { environmentId, variables: { A: value } })],
  });

  it("two Providers in one program each use their own address and token, also in refresh and destroy", async () => {
    const project = await engine.project({ language: javascript("dynamic") });
    const here = engine.environment();
    const there = second.world.environments.add({ name: "there", projects: [{ repoName: "web", branch: "main" }] }).id;
    project.env["PREVIEWENV_API_TOKEN"] = undefined;
    project.write({
      providers: [
        { name: "one", args: { apiToken: FIRST_TOKEN } },
        { name: "two", args: { baseUrl: second.url, apiToken: { $later: SECOND_TOKEN } } },
      ],
      resources: [
        set("here", { environmentId: here, variables: { A: "first" } }, { provider: "one" }),
        set("there", { environmentId: there, variables: { A: "second" } }, { provider: "two" }),
      ],
    });
    await project.up();
    expect(engine.values(here)).to.deep.equal({ A: "first" });
    expect(second.world.variable(there, "A")?.value).to.equal("second");
    const state = project.export();
    expect(state).not.to.include(FIRST_TOKEN).and.not.to.include(SECOND_TOKEN);

    await project.preview("--expect-no-changes");
    second.world.deleteVariable(there, "A");
    const [mark, otherMark] = [engine.sandbox.journal.mark(), second.journal.mark()];
    await project.refresh();
    await project.up();
    await project.destroy();
    expect(engine.sandbox.journal.since(mark).map(({ label, status }) => `${label} ${status}`)).to.deep.equal([
      "GET /env-vars 200",
      "GET /env-vars 200",
      "DELETE /env-vars 204",
    ]);
    expect(second.journal.since(otherMark).map(({ label, status }) => `${label} ${status}`)).to.deep.equal([
      "GET /env-vars 200",
      "GET /env-vars 200",
      "PUT /env-vars 200",
      "GET /env-vars 200",
      "DELETE /env-vars 204",
    ]);
    for (const { text } of project.runs) expect(text).not.to.match(/token-of-the/u);
  });

  it("a wrong token is an error that says what to do, removes nothing from state, and is not shown", async () => {
    const project = await engine.project({ language: javascript("dynamic") });
    const environmentId = engine.environment();
    project.write(single(environmentId, "1"));
    await project.up();
    const { outputs } = project.resource("vars");

    project.write(single(environmentId, "2"));
    project.env["PREVIEWENV_API_TOKEN"] = WRONG_TOKEN;
    const failures = [
      await project.failedUp(),
      await project.end(1, "refresh", "--yes", "--skip-preview"),
      await project.end(1, "destroy", "--yes", "--skip-preview"),
    ];
    for (const { text } of failures) {
      expect(text).to.include("401").and.include("PREVIEWENV_API_TOKEN").and.include("previewenv:apiToken");
      expect(text).not.to.include(WRONG_TOKEN);
      expect(text, "a stack trace").not.to.match(/^\s+at /mu);
    }
    expect(project.resource("vars").outputs).to.deep.equal(outputs);

    project.env["PREVIEWENV_API_TOKEN"] = FIRST_TOKEN;
    expect(await engine.sent(() => project.up())).to.deep.equal([["A"]]);
  });

  it("missing settings are named in the preview with every place for them, before any request", async () => {
    const project = await engine.project({
      language: javascript("dynamic"),
      env: { PREVIEWENV_API_TOKEN: undefined, PREVIEWENV_BASE_URL: undefined },
    });
    project.write(single(engine.environment(), "1"));
    const requests = await engine.requests(async () => {
      const { text } = await project.end(1, "preview");
      for (const name of ["baseUrl", "apiToken"]) expect(text).to.include(`previewenv:${name} is not set`);
      expect(text).to.include("pulumi config set --secret previewenv:apiToken <value>");
      expect(text).to.include("PREVIEWENV_API_TOKEN").and.include("new previewenv.Provider(");
    });
    expect(requests).to.deep.equal({});
  });

  it("a token in stack config counts before the environment, and one that is not secret is a warning, as is a setting that does not exist", async () => {
    const project = await engine.project({
      language: javascript("dynamic"),
      env: { PREVIEWENV_API_TOKEN: WRONG_TOKEN },
    });
    const environmentId = engine.environment();
    project.write(single(environmentId, "1"));
    project.configure({ "previewenv:apiToken": FIRST_TOKEN, "previewenv:maxRetry": "1" });
    const { text } = await project.up();
    expect(engine.values(environmentId)).to.deep.equal({ A: "1" });
    expect(text).to.include("warning: previewenv:apiToken is in the stack's config as plain text");
    expect(text).to.include("warning: previewenv:maxRetry is not a setting of previewenv");
    expect(text).to.include("Did you mean previewenv:maxRetries?");
  });
});

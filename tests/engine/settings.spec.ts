import { expect } from "chai";
import { type Sandbox, startSandbox } from "../../provider/src/sandbox";
import { describeIn, javascript, yaml } from "./harness/languages";
import { oneSet, type Program, set } from "./harness/program";
import { useEngine } from "./harness/suite";

const FIRST_TOKEN = "token-of-the-first-organization";
const SECOND_TOKEN = "token-of-the-second-organization";

function single(environmentId: string): Program {
  return oneSet({ environmentId, variables: { A: "1" } });
}

/** Worth its CLI calls: settings reach the provider process in ways that only the engine has. */
describe("engine: settings", function () {
  const engine = useEngine(this, { token: FIRST_TOKEN });
  let second: Sandbox;

  before(async () => {
    second = await startSandbox({ token: SECOND_TOKEN });
  });
  after(() => second.close());

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

    second.world.deleteVariable(there, "A");
    const [mark, otherMark] = [engine.sandbox.journal.mark(), second.journal.mark()];
    await project.up("--refresh");
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
});

/** Worth its CLI calls: how settings reach the plugin, and what is kept of them, is the engine's doing. */
describeIn("yaml", "engine: settings of a YAML program", function () {
  const engine = useEngine(this, { token: FIRST_TOKEN });

  it("from the environment are not stored, an explicit Provider's token is a secret, and no change of them touches a resource", async () => {
    const project = await engine.project({ language: yaml() });
    const environmentId = engine.environment();
    project.write(single(environmentId));
    await project.up();
    // Not even encrypted: a refresh would go on with a token that has been rotated since.
    expect(project.resource("default").inputs ?? {}).to.deep.equal({});
    expect(project.export()).not.to.include(engine.sandbox.url);

    project.write({
      providers: [{ name: "second", args: { apiToken: { $secret: "" } } }],
      resources: [set("vars", { environmentId, variables: { A: "2" } }, { provider: "second" })],
    });
    expect((await project.failedUp()).text).to.contain("previewenv:apiToken has no value: ");
    expect(engine.values(environmentId)).to.deep.equal({ A: "1" });

    project.env["PREVIEWENV_API_TOKEN"] = undefined;
    for (const args of [
      { apiToken: FIRST_TOKEN, maxRetries: 2 },
      {
        apiToken: { $secret: FIRST_TOKEN },
        maxRetries: 3,
        baseUrl: engine.sandbox.url.replace("127.0.0.1", "localhost"),
      },
    ]) {
      project.write({
        providers: [{ name: "own", args }],
        resources: [set("vars", { environmentId, variables: { A: "1" } }, { provider: "own" })],
      });
      const mark = engine.sandbox.journal.mark();
      const { text } = await project.up("--diff");
      expect(text).not.to.match(/replace|delete|EnvVarSet: \((?!same)/u);
      expect(engine.counts(mark)).to.deep.equal({});
      expect(project.export()).not.to.include(FIRST_TOKEN);
    }
    expect((await project.drift()).code).to.equal(0);
    await project.destroy();
    expect(engine.values(environmentId)).to.deep.equal({});
    for (const { text } of project.runs) expect(text).not.to.include(FIRST_TOKEN);
  });
});

import { expect } from "chai";
import { SEED } from "../../../provider/src/sandbox";
import { describeIn, yaml } from "../harness/languages";
import { type Program, set } from "../harness/program";
import { ENGINE_TEST_MS, useEngine } from "../harness/suite";

const TOKEN = "token-of-the-organization";

/** Worth its dozen CLI calls: how settings reach the plugin, and what is kept of them, is the engine's doing. */
describeIn("yaml", "engine, native: settings and functions of a YAML program", function () {
  this.timeout(ENGINE_TEST_MS);
  const engine = useEngine({ token: TOKEN });

  it("missing ones are named in the preview with every place for them, before any request, and one that does not exist", async () => {
    const env = { PREVIEWENV_API_TOKEN: undefined, PREVIEWENV_BASE_URL: undefined };
    const project = await engine.project({ language: yaml(), env });
    project.write({ resources: [set("vars", { environmentId: engine.environment(), variables: { A: "1" } })] });
    project.configure({ "previewenv:maxRetry": "1" });
    const requests = await engine.requests(async () => {
      const { text } = await project.end(1, "preview");
      expect(text).to.match(/maxRetry is not a setting of previewenv .* Did you mean previewenv:maxRetries\?/u);
      for (const name of ["baseUrl", "apiToken"]) expect(text).to.include(`previewenv:${name} is not set`);
      expect(text).to.include("PREVIEWENV_API_TOKEN").and.include("PREVIEWENV_BASE_URL");
      expect(text).to.include("pulumi config set --secret previewenv:apiToken");
    });
    expect(requests).to.deep.equal({});
  });

  it("from the environment are not stored, an explicit Provider's token is a secret, and no change of them touches a resource", async () => {
    const project = await engine.project({ language: yaml() });
    const environmentId = engine.environment();
    const program = (args?: NonNullable<Program["providers"]>[number]["args"]): Program => ({
      ...(args && { providers: [{ name: "own", args }] }),
      resources: [set("vars", { environmentId, variables: { A: "1" } }, args && { provider: "own" })],
    });
    project.write(program());
    await project.up();
    // Not even encrypted: a refresh would go on with a token that has been rotated since.
    expect(project.resource("default").inputs ?? {}).to.deep.equal({});
    expect(project.export()).not.to.include(engine.sandbox.url);

    project.env["PREVIEWENV_API_TOKEN"] = undefined;
    for (const args of [
      { apiToken: TOKEN, maxRetries: 2 },
      { apiToken: { $secret: TOKEN }, maxRetries: 3, baseUrl: engine.sandbox.url.replace("127.0.0.1", "localhost") },
    ]) {
      project.write(program(args));
      const mark = engine.sandbox.journal.mark();
      const { text } = await project.up("--diff");
      expect(text).not.to.match(/replace|delete|EnvVarSet: \((?!same)/u);
      expect(engine.counts(mark)).to.deep.equal({});
      expect(project.export()).not.to.include(TOKEN);
    }
    expect((await project.drift()).code).to.equal(0);
    await project.destroy();
    expect(engine.values(environmentId)).to.deep.equal({});
    for (const { text } of project.runs) expect(text).not.to.include(TOKEN);
  });

  it("functions answer in previews and ups, and the bypass token stays a secret", async () => {
    const invoke = (name: string, args: object, answer: string): object => ({
      "fn::invoke": { function: `previewenv:index:${name}`, arguments: args, return: answer },
    });
    const settings = {
      variables: {
        shop: invoke("getEnvironment", { repoName: "web", pullRequestNumber: 42 }, "id"),
        bypass: invoke("getBypassToken", { environmentId: SEED.shopPullRequest }, "bypassToken"),
        nothing: invoke("getEnvironments", { orgName: "nobody" }, "environments"),
      },
      resources: {
        vars: {
          type: "previewenv:EnvVarSet",
          properties: { environmentId: "${shop}", secrets: { BYPASS: "${bypass}" } },
        },
      },
      outputs: { shop: "${shop}", bypass: "${bypass}", nothing: "${nothing}" },
    };
    const project = await engine.project({ language: yaml(), settings });
    await project.preview();
    await project.up();
    const { BYPASS = "" } = engine.values(SEED.shopPullRequest);
    expect(BYPASS).not.to.equal("");
    const { stdout } = await project.succeed("stack", "output", "--json");
    expect(JSON.parse(stdout)).to.deep.equal({ shop: SEED.shopPullRequest, bypass: "[secret]", nothing: [] });
    expect(project.export()).not.to.include(BYPASS);
    for (const { text } of project.runs) expect(text).not.to.include(BYPASS);
  });
});

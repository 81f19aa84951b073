/* oxlint-disable no-new -- a Pulumi resource is declared by constructing it */
import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { version } from "../../package.json";
import * as dynamic from "../../sdk/nodejs";
import * as native from "../../sdk/nodejs/native";
import { identity } from "../../tools/release/owner";
import { endStage, environmentId, secret, startStage } from "./stage";

for (const [host, entry, engineType, prefix, plugin] of [
  ["the dynamic provider", dynamic, "pulumi-nodejs", "previewenv:", ["", ""]],
  ["the native plugin", native, "previewenv", "", [version, identity.pluginDownloadUrl]],
] as const) {
  const { Provider } = entry;
  describe(`a Provider of ${host}`, () => {
    afterEach(() => endStage());

    it("hands on its settings as text, the token as a secret, those of stack config too, and nothing of the environment", async () => {
      pulumi.runtime.setAllConfig({ "previewenv:baseUrl": "https://stack.example", "previewenv:batchSize": "7" });
      process.env["PREVIEWENV_API_TOKEN"] = "token-of-the-environment";
      const stage = await startStage();
      new Provider("mine", {
        apiToken: "token",
        batchSize: pulumi.output(50),
        maxRetries: 0,
        allowInsecureHttp: pulumi.output(false),
      });
      new Provider("bare");
      delete process.env["PREVIEWENV_API_TOKEN"];

      const { type, inputs, request } = await stage.find("mine");

      expect(type).to.equal(`pulumi:providers:${engineType}`);
      expect(inputs).to.deep.equal({
        [`${prefix}baseUrl`]: "https://stack.example",
        [`${prefix}apiToken`]: secret("token"),
        [`${prefix}maxRetries`]: "0",
        [`${prefix}batchSize`]: "50",
        [`${prefix}allowInsecureHttp`]: "false",
      });
      expect((await stage.find("bare")).inputs).to.deep.equal({
        [`${prefix}baseUrl`]: "https://stack.example",
        [`${prefix}batchSize`]: "7",
      });
      expect([request.getVersion(), request.getPlugindownloadurl()]).to.deep.equal(plugin);
    });

    it("warns of settings that do not exist, in its arguments and in stack config, with the nearest one", async () => {
      pulumi.runtime.setAllConfig({ "previewenv:maxRetry": "1" });
      const stage = await startStage();
      Reflect.construct(Provider, ["mine", { apitoken: "hidden-1", batchSize: 5 }]);
      Reflect.construct(Provider, ["other", {}]);

      expect(stage.logged).to.deep.equal([
        "previewenv:maxRetry is not a setting of previewenv and has no effect. Did you mean previewenv:maxRetries?",
        'previewenv.Provider "mine": apitoken is not a setting of previewenv and has no effect. Did you mean apiToken?',
      ]);
      await stage.find("other");
    });

    it("is refused by the resources, functions and components of the other host", async () => {
      const stage = await startStage();
      const provider = new Provider("mine", {});
      const other = entry === native ? dynamic : native;
      const environment = { id: environmentId };
      const text = new RegExp(
        `(?:"it"|getEnvironment) is served by the .*, and the option \`provider\` is a provider of the package ${engineType}\\. Give it a ` +
          '`previewenv\\.Provider` that is imported from "pulumi-previewenv.*", as the rest is\\.$',
        "u",
      );

      expect(() => new other.EnvVarSet("it", { environmentId }, { provider })).to.throw(pulumi.RunError, text);
      expect(() => other.getEnvironmentOutput(environment, { provider })).to.throw(pulumi.RunError, text);
      for (const options of [{ provider }, { providers: [provider] }, { providers: { any: provider } }])
        expect(() => new other.PreviewEnvironment("it", { environment }, options)).to.throw(pulumi.RunError, text);
      const match = { repoName: "web" };
      expect(() => new other.PreviewEnvironments("it", { match, each: () => ({}) }, { provider })).to.throw(text);
      await stage.find("mine");
      expect(stage.registered.map(({ name }) => name)).to.deep.equal(["mine"]);
      const both = [provider, new other.Provider("other", {})];
      new other.PreviewEnvironment("both", { environment }, { providers: both });
      await stage.find("both");
    });
  });
}

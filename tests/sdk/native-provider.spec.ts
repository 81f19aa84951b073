/* oxlint-disable no-new -- a Pulumi resource is declared by constructing it */
import { setImmediate } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { version } from "../../package.json";
import * as dynamic from "../../sdk/nodejs";
import * as native from "../../sdk/nodejs/native";
import { identity } from "../../tools/release/owner";
import { endStage, read, startStage } from "./stage";

const environmentId = "11111111-1111-4111-8111-111111111142";
const secret = (value: unknown): unknown => ({
  [pulumi.runtime.specialSigKey]: pulumi.runtime.specialSecretSig,
  value,
});
const environment = { id: environmentId };
const call = (): Record<string, unknown> => ({ id: environmentId, name: "shop", url: "", projects: [] });

describe("a Provider of pulumi-previewenv/native", () => {
  afterEach(() => endStage());

  it("hands its settings to the plugin by their names, the token as a secret, and no environment variable", async () => {
    pulumi.runtime.setAllConfig({ "previewenv:baseUrl": "https://stack.example", "previewenv:batchSize": "7" });
    process.env["PREVIEWENV_API_TOKEN"] = "token-of-the-environment";
    const stage = await startStage();
    new native.Provider("mine", { apiToken: "token", maxRetries: 0, allowInsecureHttp: pulumi.output(false) });
    new native.Provider("bare");
    delete process.env["PREVIEWENV_API_TOKEN"];

    const { type, inputs, request } = await stage.find("mine");
    const bare = await stage.find("bare");

    expect(type).to.equal("pulumi:providers:previewenv");
    expect(inputs).to.deep.equal({
      baseUrl: "https://stack.example",
      apiToken: secret("token"),
      maxRetries: "0",
      batchSize: "7",
      allowInsecureHttp: "false",
    });
    expect(bare.inputs).to.deep.equal({ baseUrl: "https://stack.example", batchSize: "7" });
    expect(request.getVersion()).to.equal(version);
    expect(request.getPlugindownloadurl()).to.equal(identity.pluginDownloadUrl);
  });

  it("warns of settings that do not exist, in its arguments and in stack config, with the nearest one, as the dynamic one does", async () => {
    for (const { Provider } of [native, dynamic]) {
      pulumi.runtime.setAllConfig({ "previewenv:maxRetry": "1" });
      const stage = await startStage();
      Reflect.construct(Provider, ["mine", { apitoken: "hidden-1", batchSize: 5 }]);
      Reflect.construct(Provider, ["other", {}]);

      expect(stage.logged).to.deep.equal([
        "previewenv:maxRetry is not a setting of previewenv and has no effect. Did you mean previewenv:maxRetries?",
        'previewenv.Provider "mine": apitoken is not a setting of previewenv and has no effect. Did you mean apiToken?',
      ]);
      await stage.find("other");
      endStage();
    }
  });

  it("leaves the program's own version of the plugin; the dynamic one has none", async () => {
    const stage = await startStage();
    new native.Provider("mine", {}, { version: "9.9.9" });
    new dynamic.Provider("other", {});

    expect((await stage.find("mine")).request.getVersion()).to.equal("9.9.9");
    const other = (await stage.find("other")).request;
    expect([other.getVersion(), other.getPlugindownloadurl()]).to.deep.equal(["", ""]);
  });

  it("is what a resource with the option `provider` uses", async () => {
    const stage = await startStage();
    const provider = new native.Provider("mine", { apiToken: "token" });
    new native.EnvVarSet("vars", { environmentId }, { provider });

    expect((await stage.find("vars")).request.getProvider()).to.match(/::pulumi:providers:previewenv::mine::mine-id$/u);
  });

  it("is refused by resources of the other host, and theirs by the plugin's", async () => {
    const stage = await startStage();
    const ofNative = new native.Provider("native", {});
    const ofDynamic = new dynamic.Provider("dynamic", {});

    expect(() => new native.EnvVarSet("vars", { environmentId }, { provider: ofDynamic })).to.throw(
      pulumi.RunError,
      'EnvVarSet "vars" is served by the native plugin, and the option `provider` is a provider of the package ' +
        'pulumi-nodejs. Give it a `previewenv.Provider` that is imported from "pulumi-previewenv/native", as the rest is.',
    );
    expect(() => new dynamic.EnvVarSet("vars", { environmentId }, { provider: ofNative })).to.throw(
      pulumi.RunError,
      /served by the dynamic provider.* of the package previewenv\./u,
    );
    await stage.find("native");
    expect(stage.registered.map(({ name }) => name)).not.to.include("vars");
  });
});

describe("PreviewEnvironment of pulumi-previewenv/native", () => {
  afterEach(() => endStage());

  it("is the same component, made of the plugin's resources with its provider", async () => {
    const stage = await startStage({ call });
    const provider = new native.Provider("mine", {});
    const args = { environment, variableSets: { app: {} }, branches: { web: "next" } } as const;
    const made = new native.PreviewEnvironment("shop", { ...args, state: "running" }, { provider });
    const plain = new dynamic.PreviewEnvironment("plain", { environment, variableSets: { app: {} } });

    const names = ["shop", "shop-app", "shop-branches", "shop-state", "plain", "plain-app"];
    const all = await Promise.all(names.map((name) => stage.find(name)));

    expect(all.map(({ type }) => type)).to.deep.equal([
      "previewenv:index:PreviewEnvironment",
      "previewenv:index:EnvVarSet",
      "previewenv:index:EnvironmentBranches",
      "previewenv:index:EnvironmentState",
      "previewenv:index:PreviewEnvironment",
      "pulumi-nodejs:dynamic/previewenv:EnvVarSet",
    ]);
    for (const { request } of all.slice(1, 4)) expect(request.getProvider()).to.include("providers:previewenv::mine");
    expect(made).to.be.instanceOf(dynamic.PreviewEnvironment);
    expect(plain).not.to.be.instanceOf(native.PreviewEnvironment);
    const calls = stage.invoked.map((one) => [one.getVersion(), one.getTok(), one.getProvider().split("::").at(-2)]);
    expect(calls).to.have.deep.members([
      ["", "previewenv:index:getEnvironment", undefined],
      [version, "previewenv:index:getEnvironment", "mine"],
    ]);
    expect((await read(made.environmentId)).value).to.equal(environmentId);
  });

  it("refuses a provider of the other host, which its children would not use, and takes one among others", async () => {
    const stage = await startStage({ call });
    const ofDynamic = new dynamic.Provider("dynamic", {});
    const ofNative = new native.Provider("native", {});
    const text = /^PreviewEnvironment "shop" is served by the native plugin/u;

    for (const options of [{ provider: ofDynamic }, { providers: [ofDynamic] }, { providers: { any: ofDynamic } }])
      expect(() => new native.PreviewEnvironment("shop", { environment }, options)).to.throw(pulumi.RunError, text);
    expect(() => new dynamic.PreviewEnvironment("shop", { environment }, { provider: ofNative })).to.throw(
      pulumi.RunError,
      /served by the dynamic provider, and the option `provider` is a provider of the package previewenv/u,
    );
    await setImmediate();
    expect(stage.registered.map(({ name }) => name)).not.to.include("shop");
    new native.PreviewEnvironment("both", { environment }, { providers: [ofDynamic, ofNative] });
    await stage.find("both");
  });
});

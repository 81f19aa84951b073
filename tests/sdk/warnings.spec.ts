/* oxlint-disable no-new -- a Pulumi resource is declared by constructing it */
import { setImmediate } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { EnvironmentBranches, EnvVar, EnvVarSet, existing, Provider } from "../../sdk/nodejs";
import * as native from "../../sdk/nodejs/native";
import { endStage, environmentId, otherId, type Stage, startStage, unknownOutput } from "./stage";

describe("a preview of plain texts that read like secrets", () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await startStage({ preview: true, real: true });
  });
  afterEach(() => {
    delete process.env["PREVIEWENV_SECRET_HINTS"];
    endStage({ preview: true });
  });

  /** What is logged for these variables of a set. */
  const hints = async (variables: pulumi.Input<Record<string, pulumi.Input<string>>>): Promise<readonly string[]> => {
    new EnvVarSet("vars", { environmentId, variables });
    await stage.find("vars");
    await setImmediate();
    return stage.logged;
  };

  it("warns once for each resource, with names and without values", async () => {
    const url = "postgres://shop:tiger@db.example/shop";
    const logged = await hints({
      STRIPE_API_KEY: "sk_live_tiger",
      DATABASE: url,
      LOG_LEVEL: "debug",
      db_password: "x",
    });

    expect(logged).to.deep.equal([
      'EnvVarSet "vars": variables.DATABASE, variables.STRIPE_API_KEY, variables.db_password read like secrets, and are plain ' +
        "text: the program, diffs and the service's dashboard show them. To hide them, use `secrets`, with a value from " +
        "`config.requireSecret(...)`. For a value that is no secret: pass it as `pulumi.output(...)`, or set previewenv:secretHints to false.",
    ]);
  });

  it("says nothing of public names, existing(), empty texts, Outputs, and names that only begin so", async () => {
    const logged = await hints({
      STRIPE_PUBLISHABLE_KEY: "pk_live_1",
      NEXT_PUBLIC_API_KEY: "1",
      SESSION_KEY: existing(),
      EMPTY_TOKEN: "",
      BUILD_KEY: pulumi.output("main"),
      API_KEY_HEADER: "x-api-key",
      MONKEY: "ape",
      HOMEPAGE: "https://shop.example/@team:blue",
    });
    expect(logged).to.deep.equal([]);
  });

  it("says nothing of a map that is an Output, and nothing in an up", async () => {
    expect(await hints(pulumi.output({ API_KEY: "1" }))).to.deep.equal([]);
    stage = await startStage({ real: true });
    expect(await hints({ API_KEY: "1" })).to.deep.equal([]);
  });

  for (const [host, One] of [
    ["dynamic", EnvVar],
    ["native", native.EnvVar],
  ] as const)
    it(`warns of an EnvVar that is not hidden (${host})`, async () => {
      new One("open", { environmentId, name: "API_TOKEN", value: "tiger", hidden: false });
      new One("hidden", { environmentId, name: "OTHER_TOKEN", value: "tiger" });
      await stage.find("hidden");
      await setImmediate();
      expect(stage.logged).to.have.lengthOf(1);
      expect(stage.logged[0])
        .to.match(
          /^EnvVar "open": value reads like a secret, and is plain text: .+To hide it, leave out `hidden`, with/u,
        )
        .and.not.contain("tiger");
    });

  it("tells the plugin that the program has said so, in a preview only", async () => {
    const hinted = async (preview: boolean): Promise<unknown> => {
      stage = await startStage({ preview, real: true });
      new native.EnvVarSet("vars", { environmentId, variables: { A: "1" } });
      return (await stage.find("vars")).inputs["__secretHints"];
    };
    expect(await hinted(true)).to.equal("given");
    expect(await hinted(false)).to.equal(undefined);
  });

  it("is quiet when the setting says so, in stack config, in a Provider, or in the environment", async () => {
    pulumi.runtime.setAllConfig({ "previewenv:secretHints": "false" });
    expect(await hints({ API_KEY: "1" })).to.deep.equal([]);
    pulumi.runtime.setAllConfig({});
    const provider = new Provider("quiet", { baseUrl: "http://localhost", apiToken: "t", secretHints: false });
    new EnvVarSet("other", { environmentId, variables: { B_KEY: "1" } }, { provider });
    await stage.find("other");
    process.env["PREVIEWENV_SECRET_HINTS"] = "0";
    new EnvVarSet("third", { environmentId, variables: { C_KEY: "1" } });
    await stage.find("third");
    await setImmediate();
    expect(stage.logged).to.deep.equal([]);
  });
});

describe("warnings of a resource class", () => {
  afterEach(() => endStage());

  it("name a Pulumi secret that the service would show, without its value, or the map that is one", async () => {
    const stage = await startStage();
    const variables = { PLAIN: pulumi.output("a"), TOKEN: pulumi.secret("hunter2") };
    new EnvVarSet("vars", { environmentId, variables });
    new EnvVarSet("whole", { environmentId: otherId, variables: pulumi.secret({ A: "1" }) });
    await stage.find("whole");

    const advice =
      "is a Pulumi secret, and the service shows it to everybody who can open the dashboard: use `secrets`.";
    expect(stage.logged).to.deep.equal([
      `EnvVarSet "vars": variables.TOKEN ${advice}`,
      `EnvVarSet "whole": variables ${advice}`,
    ]);
  });

  it("speak once per program of a token in clear, and not of a secret one", async () => {
    const key = "previewenv:apiToken";
    pulumi.runtime.setAllConfig({ [key]: "token-in-clear" });
    const first = await startStage();
    new EnvVarSet("one", { environmentId, variables: {} });
    new EnvironmentBranches("two", { environmentId, branches: {} });
    pulumi.runtime.setAllConfig({ [key]: "secret-token" }, [key]);
    const second = await startStage();
    new EnvVarSet("one", { environmentId, variables: {} });
    pulumi.runtime.setAllConfig({});

    expect(first.logged).to.deep.equal([
      "previewenv:apiToken is in the stack's config as plain text: run " +
        "`pulumi config set --secret previewenv:apiToken <value>`.",
    ]);
    expect(second.logged).to.deep.equal([]);
  });

  it("speak once per program of settings in stack config that do not exist, with the nearest one that does", async () => {
    const config = {
      "previewenv:maxRetry": "1",
      "previewenv:region": "x",
      "previewenv:batchSize": "5",
      "other:maxRetry": "1",
    };
    pulumi.runtime.setAllConfig(config);
    const stage = await startStage();
    new EnvVarSet("one", { environmentId, variables: {} });
    new EnvironmentBranches("two", { environmentId, branches: {} });

    expect(stage.logged).to.have.length(2);
    expect(stage.logged[0]).to.equal(
      "previewenv:maxRetry is not a setting of previewenv and has no effect. Did you mean previewenv:maxRetries?",
    );
    expect(stage.logged[1]).to.match(
      /^previewenv:region is not a setting of previewenv .+ The settings are baseUrl, /u,
    );
  });

  it("are not given for what a preview does not know", async () => {
    const stage = await startStage({ preview: true });
    new EnvVarSet("vars", { environmentId, variables: { A: unknownOutput<string>() } });
    await stage.find("vars");

    expect(stage.logged).to.deep.equal([]);
  });

  it("leaves warnings of what the service would show to the plugin, but for what only the program can tell", async () => {
    pulumi.runtime.setAllConfig({ "previewenv:apiToken": "token-in-clear", "previewenv:maxRetry": "1" });
    const stage = await startStage();
    new native.EnvVarSet("vars", { environmentId, variables: { TOKEN: pulumi.secret("hunter2") } });
    new native.EnvVar("one", { environmentId, name: "B", value: pulumi.secret("x"), hidden: false });
    await stage.find("one");

    expect(stage.logged).to.have.lengthOf(2);
    expect(stage.logged[0]).to.match(/^previewenv:apiToken is in the stack's config as plain text/u);
    // Generated SDKs mark the value of every EnvVar, so that the plugin would warn of each visible one.
    expect(stage.logged[1]).to.match(/^EnvVar "one": value is a Pulumi secret/u);
  });
});

/* oxlint-disable no-new -- a Pulumi resource is declared by constructing it */
import { setImmediate } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { EnvironmentBranches, EnvVar, EnvVarSet } from "../../sdk/nodejs";
import * as native from "../../sdk/nodejs/native";
import { endStage, environmentId, otherId, type Stage, startStage, unknownOutput } from "./stage";

describe("a preview tells the provider which entries are Pulumi secrets", () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await startStage({ preview: true, real: true });
  });
  afterEach(() => endStage({ preview: true }));

  const marked = async (variables: pulumi.Input<Record<string, pulumi.Input<string>>>): Promise<unknown> => {
    new EnvVarSet("vars", { environmentId, variables });
    return (await stage.find("vars")).inputs["__visibleSecrets"];
  };

  it("entry by entry, or the whole map", async () => {
    const entries = { A: pulumi.secret("1"), B: pulumi.output("2"), C: "3" };
    expect(await marked(entries)).to.deep.equal(["A"]);
    stage = await startStage({ preview: true, real: true });
    expect(await marked(Promise.resolve(entries))).to.deep.equal(["A"]);
    stage = await startStage({ preview: true, real: true });
    expect(await marked(pulumi.secret({ A: "1" }))).to.equal("all");
  });

  it("not where there are none, in an up, and to the plugin, which is told by the engine", async () => {
    expect(await marked(pulumi.output({ A: "1" }))).to.equal(undefined);
    stage = await startStage({ real: true });
    expect(await marked({ A: pulumi.secret("1") })).to.equal(undefined);
    stage = await startStage({ preview: true, real: true });
    new native.EnvVarSet("vars", { environmentId, variables: { A: pulumi.secret("1") } });
    expect((await stage.find("vars")).inputs).not.to.have.property("__visibleSecrets");
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
    await setImmediate();

    const advice =
      "is a Pulumi secret, and the service shows it to everybody who can open the dashboard: use `secrets`.";
    expect([...stage.logged].toSorted()).to.deep.equal([
      `EnvVarSet "vars": variables.TOKEN ${advice}`,
      `EnvVarSet "whole": variables ${advice}`,
    ]);
  });

  for (const [host, One] of [
    ["dynamic", EnvVar],
    ["native", native.EnvVar],
  ] as const)
    it(`name the value of an EnvVar whose \`hidden\` is known later (${host})`, async () => {
      const stage = await startStage();
      const value = pulumi.secret("hunter2");
      new One("shown", { environmentId, name: "A", value, hidden: pulumi.output(false) });
      new One("promised", { environmentId, name: "C", value, hidden: Promise.resolve(false) });
      new One("hidden", { environmentId, name: "B", value, hidden: pulumi.output(true) });
      new One("plain", { environmentId, name: "D", value: "x", hidden: pulumi.output(false) });
      await stage.find("plain");
      await setImmediate();
      const advice =
        "is a Pulumi secret, and the service shows it to everybody who can open the dashboard: leave out `hidden`.";
      expect([...stage.logged].toSorted()).to.deep.equal(
        ["promised", "shown"].map((name) => `EnvVar "${name}": value ${advice}`),
      );
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
    await setImmediate();

    expect(stage.logged).to.have.lengthOf(2);
    expect(stage.logged[0]).to.match(/^previewenv:apiToken is in the stack's config as plain text/u);
    // Generated SDKs mark the value of every EnvVar, so that the plugin would warn of each visible one.
    expect(stage.logged[1]).to.match(/^EnvVar "one": value is a Pulumi secret/u);
  });
});

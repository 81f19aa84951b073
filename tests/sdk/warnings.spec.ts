/* oxlint-disable no-new -- a Pulumi resource is declared by constructing it */
import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { EnvironmentBranches, EnvVarSet } from "../../sdk/nodejs";
import * as native from "../../sdk/nodejs/native";
import { endStage, environmentId, read, startStage, unknownOutput } from "./stage";

describe("Check is told which inputs are Pulumi secrets", () => {
  afterEach(() => endStage());

  const told = async (declare: () => void): Promise<unknown> => {
    const stage = await startStage({ real: true });
    declare();
    return (await stage.find("one")).inputs["__secretPaths"];
  };
  const secret = pulumi.secret("hunter2");

  it("entry by entry, or the whole map, at any depth, known or not", async () => {
    const entries = { A: secret, B: pulumi.output("2"), C: "3" };
    for (const [variables, paths] of [
      [entries, [["variables", "A"]]],
      [Promise.resolve(entries), [["variables", "A"]]],
      [pulumi.secret({ A: "1" }), [["variables"]]],
      [{ LATER: pulumi.secret(unknownOutput<string>()) }, [["variables", "LATER"]]],
      [pulumi.output({ A: "1" }), undefined],
    ] as const)
      expect(await told(() => void new EnvVarSet("one", { environmentId, variables }))).to.deep.equal(paths);
    const scopes = { A: ["web", secret] };
    expect(await told(() => void new EnvVarSet("one", { environmentId, scopes }))).to.deep.equal([
      ["scopes", "A", "1"],
    ]);
  });

  it("and so is the Read of a `get`", async () => {
    const stage = await startStage({ real: true });
    const branches = { web: secret };
    await read(EnvironmentBranches.get("one", environmentId, { environmentId, branches }).projects);
    const [request] = stage.looked;
    expect(request?.getProperties()?.toJavaScript()["__secretPaths"]).to.deep.equal([["branches", "web"]]);
  });

  it("by the plugin's classes only where the engine does not tell: the value of an EnvVar is always marked", async () => {
    const value = { environmentId, name: "B", value: secret };
    expect(await told(() => void new native.EnvVar("one", value))).to.deep.equal([["value"]]);
    const variables = { TOKEN: secret };
    expect(await told(() => void new native.EnvVarSet("one", { environmentId, variables }))).to.equal(undefined);
  });
});

describe("warnings of a resource class", () => {
  afterEach(() => endStage());

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
        "`pulumi config set --secret previewenv:apiToken`.",
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
});

/* oxlint-disable no-new -- a Pulumi resource is declared by constructing it */
import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { EnvVarSet, Provider } from "../../sdk/nodejs";
import { endStage, startStage } from "./stage";

const environmentId = "11111111-1111-4111-8111-111111111142";
const secret = (value: unknown): unknown => ({
  [pulumi.runtime.specialSigKey]: pulumi.runtime.specialSecretSig,
  value,
});

describe("a Provider", () => {
  afterEach(() => endStage());

  it("hands its settings to the dynamic provider as text, the token as a secret", async () => {
    const stage = await startStage();
    const args = { baseUrl: "https://a.example", apiToken: "token", maxRetries: 0, allowInsecureHttp: false };
    new Provider("mine", args);

    const { type, inputs } = await stage.find("mine");

    expect(type).to.equal("pulumi:providers:pulumi-nodejs");
    expect(inputs).to.deep.equal({
      "previewenv:baseUrl": "https://a.example",
      "previewenv:apiToken": secret("token"),
      "previewenv:maxRetries": "0",
      "previewenv:allowInsecureHttp": "false",
    });
  });

  it("takes what it is not given from stack config, and nothing from the environment", async () => {
    const config = {
      "previewenv:baseUrl": "https://stack.example",
      "previewenv:apiToken": "t",
      "previewenv:batchSize": "7",
    };
    pulumi.runtime.setAllConfig(config, ["previewenv:apiToken"]);
    process.env["PREVIEWENV_MAX_RETRIES"] = "9";
    const stage = await startStage();
    new Provider("mine", { batchSize: pulumi.output(50) });
    delete process.env["PREVIEWENV_MAX_RETRIES"];

    expect((await stage.find("mine")).inputs).to.deep.equal({
      "previewenv:baseUrl": "https://stack.example",
      "previewenv:apiToken": secret("t"),
      "previewenv:batchSize": "50",
    });
  });

  it("is what a resource with the option `provider` uses", async () => {
    const stage = await startStage();
    const provider = new Provider("mine", { baseUrl: "https://a.example", apiToken: "token" });
    new EnvVarSet("vars", { environmentId, variables: {} }, { provider });

    const { request } = await stage.find("vars");

    expect(request.getProvider()).to.match(/::pulumi:providers:pulumi-nodejs::mine::mine-id$/u);
  });
});

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { type Sandbox, SEED, startSandbox } from "../../provider/src/sandbox";
import { EnvVarSet, getEnvironment, getEnvironmentOutput, getEnvVarsOutput, Provider } from "../../sdk/nodejs";
import { endStage, read, startStage, unhandled, unknownOutput } from "./stage";

const filters = { repoName: "web", pullRequestNumber: 42 };
const VARIABLES = ["PREVIEWENV_BASE_URL", "PREVIEWENV_API_TOKEN"] as const;

describe("functions in a program", () => {
  let sandbox: Sandbox;
  const asked = (): number => sandbox.journal.entries.length;
  const configure = (): void =>
    pulumi.runtime.setAllConfig({ "previewenv:baseUrl": sandbox.url, "previewenv:apiToken": sandbox.token }, [
      "previewenv:apiToken",
    ]);

  beforeEach(async () => {
    endStage();
    for (const name of VARIABLES) delete process.env[name];
    sandbox = await startSandbox();
  });
  afterEach(async () => {
    endStage();
    for (const name of VARIABLES) delete process.env[name];
    await sandbox.close();
  });

  it("use the settings of stack config", async () => {
    configure();

    const shop = await getEnvironment(filters);

    expect(shop.id).to.equal(SEED.shopPullRequest);
    expect(shop.projects.map(({ repoName }) => repoName)).to.deep.equal(["web", "api"]);
    expect(JSON.stringify(shop)).not.to.match(/bypass/iu);
  });

  it("use environment variables when nothing else is set", async () => {
    process.env["PREVIEWENV_BASE_URL"] = sandbox.url;
    process.env["PREVIEWENV_API_TOKEN"] = sandbox.token;

    expect((await getEnvironment({ id: SEED.shopMain })).name).to.equal("shop-main");
  });

  it("say where settings can be set when they are missing, without a stack", async () => {
    const error: unknown = await getEnvironment(filters).catch((reason: unknown) => reason);

    expect(pulumi.RunError.isInstance(error)).to.equal(true);
    for (const place of [
      "pulumi config set --secret previewenv:apiToken",
      "PREVIEWENV_API_TOKEN",
      "previewenv.Provider(",
    ])
      expect(String(error)).to.include(place);
  });

  it("fail with the service's answer, without a stack and without the token", async () => {
    pulumi.runtime.setAllConfig({ "previewenv:baseUrl": sandbox.url, "previewenv:apiToken": "wrong-token" });

    const error: unknown = await getEnvironment(filters).catch((reason: unknown) => reason);

    expect(pulumi.RunError.isInstance(error)).to.equal(true);
    expect(String(error)).to.include("the service answered 401").and.not.to.include("wrong-token");
  });

  it("keep their text when the Pulumi SDK puts the waiting properties before it", async () => {
    configure();

    const error: unknown = await getEnvironment({ name: "nowhere" }).catch((reason: unknown) => reason);

    if (!(error instanceof Error)) throw new Error("it did not fail");
    // As @pulumi/pulumi does, once for each resource that waits.
    error.message = `error serializing property "environmentId": ${error.message}`;
    expect(error.message).to.match(/^getEnvironment: no environment matched/u);
  });

  it("give Outputs that are not secret, though the token is", async () => {
    configure();

    const { id } = getEnvironmentOutput({ repoName: pulumi.output("web"), pullRequestNumber: 42 });

    expect(await read(id)).to.deep.equal({ known: true, secret: false, value: SEED.shopPullRequest });
  });

  it("give secret Outputs for secret arguments", async () => {
    configure();

    const { id } = getEnvironmentOutput({ repoName: pulumi.secret("web"), pullRequestNumber: 42 });

    expect(await read(id)).to.deep.equal({ known: true, secret: true, value: SEED.shopPullRequest });
  });

  it("give unknown Outputs for unknown arguments, without a request", async () => {
    endStage({ preview: true });
    configure();

    const shop = getEnvironmentOutput({ name: unknownOutput<string>() });

    expect(await read(shop)).to.deep.equal({ known: false, secret: false });
    expect(asked()).to.equal(0);
  });

  it("fail once for an Output that nobody reads", async () => {
    configure();

    const [error, ...others] = await unhandled(() => void getEnvironmentOutput({ name: "nowhere" }));

    expect(pulumi.RunError.isInstance(error)).to.equal(true);
    expect(String(error)).to.include('no environment matched name "nowhere"');
    expect(others).to.deep.equal([]);
  });

  it("fail once for arguments that failed, without a request", async () => {
    configure();
    const failed = (): pulumi.Output<string> => pulumi.output(Promise.reject<string>(new pulumi.RunError("no name")));

    const errors = await unhandled(() => void getEnvironmentOutput({ name: failed() }));

    expect(errors.map(String)).to.deep.equal(["Error: no name"]);
    expect(asked()).to.equal(0);
  });

  it("refuse a provider that is not one of this package", async () => {
    await startStage();
    const foreign = new Foreign("other", "foreign");
    endStage();

    expect(() => getEnvironmentOutput(filters, { provider: foreign })).to.throw(
      pulumi.RunError,
      /previewenv\.Provider/u,
    );
  });

  for (const form of ["provider", "parent", "parent, under another name"] as const)
    it(`use the settings of the ${form} they are given, and keep its token from making the answer secret`, async () => {
      await startStage();
      const provider = new Provider("mine", { baseUrl: sandbox.url, apiToken: sandbox.token });
      const providers = form === "parent" ? [provider] : { previewenv: provider };
      const options = form === "provider" ? { provider } : { parent: new Component("parent", { providers }) };
      endStage();

      expect((await getEnvironment(filters, options)).id).to.equal(SEED.shopPullRequest);
      const { id } = getEnvironmentOutput(filters, options);
      expect(await read(id)).to.deep.equal({ known: true, secret: false, value: SEED.shopPullRequest });
    });

  it("give an unknown Output for unknown settings, and refuse the plain form", async () => {
    await startStage({ preview: true });
    const provider = new Provider("mine", { baseUrl: sandbox.url, apiToken: unknownOutput<string>() });
    endStage({ preview: true });

    expect(await read(getEnvironmentOutput(filters, { provider }))).to.deep.equal({ known: false, secret: false });
    const error: unknown = await getEnvironment(filters, { provider }).catch((reason: unknown) => reason);
    expect(String(error)).to.include("Use getEnvironmentOutput.");
    expect(asked()).to.equal(0);
  });

  it("wait for resources they depend on: one that is still to be made gives an unknown Output", async () => {
    configure();
    await startStage({ preview: true });
    const planned = new EnvVarSet("vars", { environmentId: SEED.shopMain, variables: {} });
    endStage({ preview: true });
    configure();

    const shop = getEnvironmentOutput(filters, { dependsOn: [planned] });

    expect((await read(shop)).known).to.equal(false);
    expect(asked()).to.equal(0);
  });

  it("wait for the children of a component they depend on", async () => {
    await startStage({ preview: true });
    const component = new Component("parent", {});
    const inner = new Component("inner", { parent: component });
    const planned = new EnvVarSet("vars", { environmentId: SEED.shopMain, variables: {} }, { parent: inner });
    endStage({ preview: true });
    configure();

    const shop = getEnvironmentOutput(filters, { dependsOn: component });

    expect((await read(planned.environmentId)).known).to.equal(true);
    expect((await read(shop)).known).to.equal(false);
    expect(asked()).to.equal(0);
  });

  it("wait for the resource their arguments come from, though a preview knows the value", async () => {
    await startStage({ preview: true });
    const planned = new EnvVarSet("vars", { environmentId: SEED.shopMain, variables: {} });
    endStage({ preview: true });
    configure();

    const { variables } = getEnvVarsOutput({ environmentId: planned.environmentId });

    expect(await read(planned.environmentId)).to.include({ known: true, value: SEED.shopMain });
    expect((await read(variables)).known).to.equal(false);
    expect(asked()).to.equal(0);
  });

  it("answer when the resources they wait for exist", async () => {
    await startStage();
    const component = new Component("parent", {});
    const made = new EnvVarSet("vars", { environmentId: SEED.shopMain, variables: {} }, { parent: component });
    endStage();
    configure();

    const { variables } = getEnvVarsOutput({ environmentId: made.environmentId }, { dependsOn: [component] });

    expect((await read(variables.apply((all) => all.map(({ name }) => name)))).value).to.deep.equal(["NODE_ENV"]);
  });

  it("are answered by the mocks in a unit test", async () => {
    await startStage({ call: ({ token, inputs }) => ({ id: `${token} ${inputs.repoName}` }) });

    const answer = "previewenv:index:getEnvironment web";
    expect((await getEnvironment({ repoName: "web" })).id).to.equal(answer);
    expect((await read(getEnvironmentOutput({ repoName: "web" }).id)).value).to.equal(answer);
  });

  it("do not keep a program from ending", async () => {
    const program = `require("./dist/sdk/nodejs").getEnvironment({ id: "${SEED.shopMain}" }).then(({ name }) => console.log(name));`;
    const env = { ...process.env, PREVIEWENV_BASE_URL: sandbox.url, PREVIEWENV_API_TOKEN: sandbox.token };
    const node = ["--eval", program];
    // Less than the service keeps a connection that nobody uses.
    const { stdout } = await promisify(execFile)(process.execPath, node, { env, timeout: 60_000 });

    expect(stdout).to.equal("shop-main\n");
  });
});

class Component extends pulumi.ComponentResource {
  constructor(name: string, opts: pulumi.ComponentResourceOptions) {
    super("test:index:Component", name, {}, opts);
  }
}

class Foreign extends pulumi.ProviderResource {}

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { functions } from "../../provider/src/functions";
import { type Sandbox, SEED, startSandbox } from "../../provider/src/sandbox";
import * as previewenv from "../../sdk/nodejs";
import { EnvVarSet, getEnvironment, getEnvironmentOutput, getEnvVarsOutput, Provider } from "../../sdk/nodejs";
import { failing } from "../../sdk/nodejs/runtime/failure";
import { endStage, read, startStage, unhandled, unknownOutput } from "./stage";

const ID = SEED.shopPullRequest;

/** Both forms of a function, called for one environment, and what of the answer says that it is the right one. */
interface Forms {
  readonly label: string;
  readonly plain: (opts?: pulumi.InvokeOptions) => Promise<unknown>;
  readonly output: (id: pulumi.Input<string>, opts?: pulumi.InvokeOutputOptions) => pulumi.Output<unknown>;
  readonly expected: () => unknown;
  readonly secret?: true;
}

describe("both forms of each function", () => {
  let sandbox: Sandbox;
  const asked = (): number => sandbox.journal.entries.length;
  const configure = (): void =>
    pulumi.runtime.setAllConfig({ "previewenv:baseUrl": sandbox.url, "previewenv:apiToken": sandbox.token }, [
      "previewenv:apiToken",
    ]);
  const builds = (answer: previewenv.GetBuildHistoryResult): unknown => answer.builds.map(({ id }) => id);
  const names = (answer: previewenv.GetEnvVarsResult): unknown => answer.inherited.map(({ name }) => name);
  const ids = (answer: previewenv.GetEnvironmentsResult): unknown => answer.environments.map(({ id }) => id);

  const all: readonly Forms[] = [
    {
      label: "getEnvironment",
      plain: (opts) => previewenv.getEnvironment({ id: ID }, opts).then(({ name }) => name),
      output: (id, opts) => previewenv.getEnvironmentOutput({ id }, opts).apply(({ name }) => name),
      expected: () => "shop-pr-42",
    },
    {
      label: "getEnvironments",
      plain: (opts) => previewenv.getEnvironments({ name: "shop-pr-42" }, opts).then(ids),
      output: (id, opts) =>
        previewenv.getEnvironmentsOutput({ name: pulumi.output(id).apply(() => "shop-pr-42") }, opts).apply(ids),
      expected: () => [ID],
    },
    {
      label: "getBuildHistory",
      plain: (opts) => previewenv.getBuildHistory({ environmentId: ID, limit: 1 }, opts).then(builds),
      output: (environmentId, opts) =>
        previewenv.getBuildHistoryOutput({ environmentId, limit: 1 }, opts).apply(builds),
      expected: () =>
        sandbox.world
          .builds(ID)
          .map(({ id }) => id)
          .slice(0, 1),
    },
    {
      label: "getEnvVars",
      plain: (opts) => previewenv.getEnvVars({ environmentId: ID }, opts).then(names),
      output: (environmentId, opts) => previewenv.getEnvVarsOutput({ environmentId }, opts).apply(names),
      expected: () => ["REGION", "ORG_LICENSE_KEY"],
    },
    {
      label: "getBypassToken",
      plain: (opts) => previewenv.getBypassToken({ environmentId: ID }, opts).then(({ bypassToken }) => bypassToken),
      output: (environmentId, opts) => previewenv.getBypassTokenOutput({ environmentId }, opts).bypassToken,
      expected: () => sandbox.world.environments.get(ID)?.bypassToken,
      secret: true,
    },
  ];

  beforeEach(async () => {
    endStage();
    sandbox = await startSandbox();
  });
  afterEach(async () => {
    endStage();
    await sandbox.close();
  });

  it("are exported", () => {
    const programFunctions = functions.filter(({ isWrittenInTypeScript }) => !isWrittenInTypeScript);
    expect(all.map(({ label }) => label)).to.deep.equal(programFunctions.map(({ name }) => name));
    for (const { name } of programFunctions) {
      expect(Reflect.get(previewenv, name), name).to.be.a("function");
      expect(Reflect.get(previewenv, `${name}Output`), `${name}Output`).to.be.a("function");
    }
  });

  for (const { label, plain, output, expected, secret = false } of all) {
    it(`${label}: answer the same, the Output form ${secret ? "as a secret" : "not as a secret"}`, async () => {
      configure();

      expect(await plain()).to.deep.equal(expected());
      expect(await read(output(ID))).to.deep.equal({ known: true, secret, value: expected() });
    });

    it(`${label}: use the settings of a given provider`, async () => {
      await startStage();
      const provider = new previewenv.Provider("mine", { baseUrl: sandbox.url, apiToken: sandbox.token });
      endStage();

      expect(await plain({ provider })).to.deep.equal(expected());
      expect(await read(output(ID, { provider }))).to.deep.equal({ known: true, secret, value: expected() });
    });

    it(`${label}: the Output form waits for what it is asked with`, async () => {
      configure();
      let resolve: (id: string) => void = () => undefined;
      const later = new Promise<string>((done) => {
        resolve = done;
      });

      const answer = read(output(later));
      // A plain call is asked and answered meanwhile: this one would have had its turn.
      await plain();
      const before = asked();
      resolve(ID);

      expect((await answer).value).to.deep.equal(expected());
      expect(before).to.equal(1);
      expect(asked()).to.equal(2);
    });

    it(`${label}: the Output form is unknown when a preview does not know what it is asked with`, async () => {
      endStage({ preview: true });
      configure();

      const { known, value } = await read(output(unknownOutput<string>()));

      expect({ known, value }).to.deep.equal({ known: false, value: undefined });
      expect(asked()).to.equal(0);
    });

    it(`${label}: fail without a stack and without the token, the Output form once`, async () => {
      pulumi.runtime.setAllConfig({ "previewenv:baseUrl": sandbox.url, "previewenv:apiToken": "wrong-token" });

      const error: unknown = await plain().catch((reason: unknown) => reason);
      const errors = [error, ...(await unhandled(() => void output(ID)))];

      expect(errors).to.have.lengthOf(2);
      for (const one of errors) {
        expect(pulumi.RunError.isInstance(one)).to.equal(true);
        expect(String(one)).to.include("401").and.not.to.include("wrong-token");
      }
    });
  }

  it("getEnvironments can be asked for nothing", async () => {
    configure();

    const listed = [SEED.shopPullRequest, SEED.shopMain, SEED.shopStopped];
    expect(ids(await previewenv.getEnvironments())).to.deep.equal(listed);
    expect((await read(previewenv.getEnvironmentsOutput().apply(ids))).value).to.deep.equal(listed);
  });

  it("are answered by the mocks in a unit test, the bypass token as a secret there too", async () => {
    await startStage({
      call: ({ token, inputs }) => ({ builds: [], bypassToken: `${token} ${inputs.environmentId}` }),
    });

    expect(await previewenv.getBuildHistory({ environmentId: ID }))
      .to.have.property("builds")
      .that.deep.equals([]);
    expect(await read(previewenv.getBypassTokenOutput({ environmentId: ID }).bypassToken)).to.deep.equal({
      known: true,
      secret: true,
      value: `previewenv:index:getBypassToken ${ID}`,
    });
    expect(asked()).to.equal(0);
  });
});

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

  it("keep their text when the Pulumi SDK puts the waiting properties before it", async () => {
    configure();

    const error: unknown = await getEnvironment({ name: "nowhere" }).catch((reason: unknown) => reason);

    if (!(error instanceof Error)) throw new Error("it did not fail");
    // As @pulumi/pulumi does, once for each resource that waits.
    error.message = `error serializing property "environmentId": ${error.message}`;
    expect(error.message).to.match(/^getEnvironment: no environment matched/u);
  });

  it("give secret Outputs for secret arguments", async () => {
    configure();

    const { id } = getEnvironmentOutput({ repoName: pulumi.secret("web"), pullRequestNumber: 42 });

    expect(await read(id)).to.deep.equal({ known: true, secret: true, value: SEED.shopPullRequest });
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

  it("do not keep a program from ending", async () => {
    const program = `require("./dist/sdk/nodejs").getEnvironment({ id: "${SEED.shopMain}" }).then(({ name }) => console.log(name));`;
    const env = { ...process.env, PREVIEWENV_BASE_URL: sandbox.url, PREVIEWENV_API_TOKEN: sandbox.token };
    const node = ["--eval", program];
    // Less than the service keeps a connection that nobody uses.
    const { stdout } = await promisify(execFile)(process.execPath, node, { env, timeout: 60_000 });

    expect(stdout).to.equal("shop-main\n");
  });
});

const failed = (): pulumi.Output<{ url: string }> => failing(pulumi.output(Promise.reject(new Error("not there"))));

describe("an Output whose failure fails the program", () => {
  beforeEach(() => startStage());
  afterEach(() => endStage());

  it("is one failure, whatever a program makes of it", async () => {
    const errors = await unhandled(() => {
      const output = failed();
      output.url.apply((url) => url.length).apply(String);
      output.apply(({ url }) => url);
    });
    expect(errors.map(String)).to.deep.equal(["Error: not there"]);
  });

  const callbacks: readonly (readonly [string, (value: string) => unknown])[] = [
    [
      "throws",
      () => {
        throw new Error("the program's own");
      },
    ],
    ["rejects", () => Promise.reject(new Error("the program's own"))],
    ["returns an Output that fails", () => pulumi.output(Promise.reject(new Error("the program's own")))],
  ];
  for (const [what, callback] of callbacks)
    it(`fails the program when one of its callbacks ${what}`, async () => {
      const errors = await unhandled(() => {
        failing(pulumi.output("known")).apply((value) => callback(value));
        failing(pulumi.output({ id: "known" })).id.apply((value) => callback(value));
      });
      expect(errors.map(String)).to.deep.equal(["Error: the program's own", "Error: the program's own"]);
    });
});

class Component extends pulumi.ComponentResource {
  constructor(name: string, opts: pulumi.ComponentResourceOptions) {
    super("test:index:Component", name, {}, opts);
  }
}

class Foreign extends pulumi.ProviderResource {}

import * as path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { version } from "../../package.json";
import { functions } from "../../provider/src/functions";
import { type Sandbox, SEED, startSandbox } from "../../provider/src/sandbox";
import * as previewenv from "../../sdk/nodejs";
import { getEnvironment, getEnvironmentOutput, Provider } from "../../sdk/nodejs";
import * as native from "../../sdk/nodejs/native";
import { failing } from "../../sdk/nodejs/runtime/program-failure";
import { invoke } from "../../sdk/nodejs/runtime/functions";
import { identity } from "../../tools/release/owner";
import {
  anotherCopy,
  Component,
  endStage,
  environmentId,
  hosts,
  read,
  startStage,
  unhandled,
  unknownOutput,
} from "./stage";

const ID = SEED.shopPullRequest;
const VARIABLES = ["PREVIEWENV_BASE_URL", "PREVIEWENV_API_TOKEN"] as const;

/** A service for each test of the suite, which nothing has configured yet. */
function useService() {
  let sandbox: Sandbox;
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
  return {
    sandbox: () => sandbox,
    asked: () => sandbox.journal.entries.length,
    configure: (apiToken = sandbox.token) =>
      pulumi.runtime.setAllConfig({ "previewenv:baseUrl": sandbox.url, "previewenv:apiToken": apiToken }, [
        "previewenv:apiToken",
      ]),
  };
}

describe("both forms of each function", () => {
  const { sandbox, asked, configure } = useService();
  /** What each function is asked, and a text that only the right answer has. */
  const calls: Readonly<Record<string, readonly [args: object, sign: () => string | undefined]>> = {
    getEnvironment: [{ id: ID }, () => "shop-pr-42"],
    getEnvironments: [{ name: "shop-pr-42" }, () => ID],
    getBuildHistory: [{ environmentId: ID }, () => sandbox().world.builds(ID)[0]?.id],
    getEnvVars: [{ environmentId: ID }, () => "ORG_LICENSE_KEY"],
    getBypassToken: [{ environmentId: ID }, () => sandbox().world.environments.get(ID)?.bypassToken],
  };

  for (const { name, secret, isWrittenInTypeScript } of functions) {
    if (isWrittenInTypeScript) continue;
    it(`${name}: answer the same, the Output form ${secret ? "as a secret" : "not as a secret"}`, async () => {
      const [args, sign = () => "a row of its own"] = calls[name] ?? [];
      configure();
      const plain: unknown = await Reflect.apply(Reflect.get(previewenv, name), undefined, [args]);
      const output: unknown = Reflect.apply(Reflect.get(previewenv, `${name}Output`), undefined, [args]);

      expect(JSON.stringify(plain)).to.contain(sign());
      expect(pulumi.Output.isInstance(output) && (await read(output))).to.deep.equal({
        known: true,
        secret,
        value: plain,
      });
    });
  }

  it("getEnvironments can be asked for nothing", async () => {
    configure();

    const listed = [SEED.shopPullRequest, SEED.shopMain, SEED.shopStopped];
    expect((await previewenv.getEnvironments()).environments.map(({ id }) => id)).to.deep.equal(listed);
    const { value } = await read(previewenv.getEnvironmentsOutput().environments);
    expect(value?.map(({ id }) => id)).to.deep.equal(listed);
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

  it("say that the mocks threw, whose text the Pulumi SDK drops", async () => {
    await startStage({
      call: () => {
        throw new Error("unused");
      },
    });
    const text = "getEnvironment: the call failed. In a unit test, the function `call` of `setMocks` threw.";

    for (const { entry } of hosts) {
      const error: unknown = await entry.getEnvironment({ id: ID }).catch((reason: unknown) => reason);
      const errors = [error, ...(await unhandled(() => void entry.getEnvironmentOutput({ id: ID })))];
      expect(errors.map(String)).to.deep.equal([`Error: ${text}`, `Error: ${text}`]);
    }
  });
});

const filters = { repoName: "web", pullRequestNumber: 42 };

describe("functions in a program", () => {
  const { sandbox, asked, configure } = useService();

  const OWN = /\nThe lookup runs in the program's own process, which does not have the `envVars` of the workspace: /u;
  const failure = (answer: Promise<unknown>): Promise<string> => answer.then(() => "none", String);

  it("say in an inline program whose variables they have: without settings, with another token, and when nothing is found", async () => {
    expect(await failure(getEnvironment({ id: ID })))
      .to.match(/apiToken is not set/u)
      .and.match(OWN);
    configure();
    expect(await failure(getEnvironment({ name: "nowhere" })))
      .to.match(/no environment matched/u)
      .and.match(OWN);
    configure("other");
    expect(await failure(getEnvironment({ id: ID })))
      .to.match(/401/u)
      .and.match(OWN);
    expect(await failure(getEnvironment({})))
      .to.match(/give `id`/u)
      .and.not.match(OWN);
  });

  it("say nothing of it in a program that the Pulumi CLI runs", async () => {
    const [, started = ""] = process.argv;
    process.argv[1] = path.join("node_modules", "@pulumi", "pulumi", "cmd", "run");
    try {
      expect(await failure(getEnvironment({ id: ID })))
        .to.match(/apiToken is not set/u)
        .and.not.match(OWN);
    } finally {
      process.argv[1] = started;
    }
  });

  it("tell of an error that nobody expected its kind and its place, as its message may have values", async () => {
    configure();
    const broken = (): never => {
      throw new TypeError("hunter2");
    };
    const call = { name: "getEnvironment", kinds: {}, load: () => ({ invoke: () => Promise.resolve().then(broken) }) };
    expect(await failure(invoke(call, {}))).to.match(
      /^Error: unexpected TypeError at .*\. Please report it to the maintainers of pulumi-previewenv$/u,
    );
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
      const provider = new Provider("mine", { baseUrl: sandbox().url, apiToken: sandbox().token });
      const providers = form === "parent" ? [provider] : { previewenv: provider };
      const options = form === "provider" ? { provider } : { parent: new Component("parent", { providers }) };
      endStage();

      expect((await getEnvironment(filters, options)).id).to.equal(SEED.shopPullRequest);
      const { id } = getEnvironmentOutput(filters, options);
      expect(await read(id)).to.deep.equal({ known: true, secret: false, value: SEED.shopPullRequest });
    });

  it("use the settings of a Provider that another copy of the package has made", async () => {
    await startStage();
    const provider = new (anotherCopy().Provider)("mine", { baseUrl: sandbox().url, apiToken: sandbox().token });
    const parent = new Component("parent", { providers: [provider] });
    endStage();

    for (const options of [{ provider }, { parent }])
      expect((await getEnvironment(filters, options)).id).to.equal(SEED.shopPullRequest);
  });

  it("add no property with a symbol as key to a Provider: Pulumi cannot serialize a function that captures such an object", async () => {
    await startStage();
    const provider = new Provider("mine", { baseUrl: sandbox().url, apiToken: sandbox().token });
    endStage();

    expect(Object.getOwnPropertySymbols(provider)).to.deep.equal([]);
  });

  it("fail once in each form, without a stack and without the token", async () => {
    configure("wrong-token");

    const error: unknown = await getEnvironment(filters).catch((reason: unknown) => reason);
    const errors = [error, ...(await unhandled(() => void getEnvironmentOutput(filters)))];

    expect(errors).to.have.lengthOf(2);
    for (const one of errors) {
      expect(pulumi.RunError.isInstance(one)).to.equal(true);
      expect(String(one)).to.include("401").and.not.to.include("wrong-token");
    }
  });

  for (const { host, entry } of hosts)
    it(`are not asked in a preview that does not know the arguments, the settings, or what they wait for (${host})`, async () => {
      const stage = await startStage({ preview: true, real: true });
      const provider = new entry.Provider("mine", { baseUrl: sandbox().url, apiToken: unknownOutput<string>() });
      const component = new Component("parent");
      const parent = new Component("inner", { parent: component });
      const planned = new entry.EnvVarSet("vars", { environmentId: SEED.shopMain, variables: {} }, { parent });
      configure();

      const found = [
        entry.getEnvironmentOutput({ id: unknownOutput<string>() }),
        entry.getEnvironmentOutput(filters, { provider }),
        entry.getEnvironmentOutput(filters, { dependsOn: [planned] }),
        entry.getEnvironmentOutput(filters, { dependsOn: component }),
        // A preview knows the value, and the resource is still to be made.
        entry.getEnvVarsOutput({ environmentId: planned.environmentId }),
      ];

      expect(await read(planned.environmentId)).to.include({ known: true, value: SEED.shopMain });
      for (const one of found) expect((await read<unknown>(one)).known).to.equal(false);
      const error: unknown = await entry.getEnvironment(filters, { provider }).catch((reason: unknown) => reason);
      expect(String(error)).to.include("Use getEnvironmentOutput.");
      expect([asked(), stage.invoked]).to.deep.equal([0, []]);
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

  it("ends the run of a program in which two copies of the package have it", async () => {
    const { EnvVarSet } = anotherCopy();
    await unhandled(() => void new EnvVarSet("vars", { environmentId: failed().url }));
    // As at the end of each run: it waits for the calls of the engine.
    await pulumi.runtime.disconnect();
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
      // An inline program would otherwise tell the engine that it has declared everything.
      const end: unknown = Reflect.get(pulumi.runtime.getMonitor() ?? {}, "signalAndWaitForShutdown");
      expect(end).to.throw("the program's own");
    });
});

const answers = ({ token, inputs }: pulumi.runtime.MockCallArgs): Record<string, unknown> => ({
  name: `${token} of ${String(inputs["id"] ?? inputs["environmentId"])}`,
  bypassToken: "bypass",
});
const refuse = (text: string): (() => never) => {
  return () => {
    // As gRPC has it: the SDK takes `details`.
    throw Object.assign(new Error("unused"), { details: text, code: 2 });
  };
};
const NO_MATCH = 'getEnvironment: no environment matched name "x".';
const AS_THE_ENGINE_SAYS = `invocation of previewenv:index:getEnvironment returned an error: ${NO_MATCH}`;

describe("functions of pulumi-previewenv/native", () => {
  afterEach(() => endStage());

  for (const { name } of functions.filter(({ isWrittenInTypeScript }) => !isWrittenInTypeScript))
    for (const form of [name, `${name}Output`])
      it(`${form} asks the plugin of the package's version, and says where it is`, async () => {
        const stage = await startStage({ call: answers, real: true });
        const made: unknown = Reflect.apply(Reflect.get(native, form), undefined, [{ environmentId }]);
        await (pulumi.Output.isInstance(made) ? read(made) : made);

        expect(
          stage.invoked.map((one) => [one.getTok(), one.getVersion(), one.getPlugindownloadurl(), one.getProvider()]),
        ).to.deep.equal([[`previewenv:index:${name}`, version, identity.pluginDownloadUrl, ""]]);
        expect(stage.invoked[0]?.getArgs()?.toJavaScript()).to.deep.equal({ environmentId });
      });

  it("answer in both forms, and leave the program its own version", async () => {
    const stage = await startStage({ call: answers, real: true });

    const { name } = await native.getEnvironment({ id: "a" }, { version: "9.9.9" });
    const later = native.getEnvironmentOutput({ id: pulumi.output("b") }, { version: "9.9.9" }).name;

    expect(name).to.equal("previewenv:index:getEnvironment of a");
    expect(await read(later)).to.deep.equal({
      known: true,
      secret: false,
      value: "previewenv:index:getEnvironment of b",
    });
    expect(stage.invoked.map((one) => one.getVersion())).to.deep.equal(["9.9.9", "9.9.9"]);
  });

  it("keep a secret: an answer that is one, and what secret arguments led to", async () => {
    await startStage({ call: answers, real: true });

    expect(await read(native.getBypassTokenOutput({ environmentId }).bypassToken)).to.deep.equal({
      known: true,
      secret: true,
      value: "bypass",
    });
    expect((await read(native.getEnvironmentOutput({ id: pulumi.secret("a") }).name)).secret).to.equal(true);
  });

  it("fail with the plugin's text alone, without a stack, the Output form once", async () => {
    await startStage({ call: refuse(AS_THE_ENGINE_SAYS), real: true });

    const error: unknown = await native.getEnvironment({ name: "x" }).catch((reason: unknown) => reason);
    const later = await unhandled(() => void native.getEnvironmentOutput({ name: "x" }));

    expect(later).to.have.lengthOf(1);
    for (const one of [error, ...later]) {
      expect(pulumi.RunError.isInstance(one)).to.equal(true);
      expect(String(one)).to.equal(`Error: ${NO_MATCH}`);
      expect(one).to.have.property("stack", NO_MATCH);
    }
  });

  it("tell the plugin that an argument is a secret, which the engine does not", async () => {
    const stage = await startStage({ call: () => ({}), real: true });

    await read(native.getEnvironmentOutput({ name: pulumi.secret("hush"), repoName: "web" }));
    await native.getEnvironment({ name: "x" });

    expect(stage.invoked.map((one) => one.getArgs()?.toJavaScript())).to.deep.equal([
      { name: "hush", repoName: "web", __secretPaths: [["name"], ["repoName"]] },
      { name: "x" },
    ]);
  });
});

class Foreign extends pulumi.ProviderResource {}

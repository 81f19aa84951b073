import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { version } from "../../package.json";
import { functions } from "../../provider/src/functions";
import * as dynamic from "../../sdk/nodejs";
import * as native from "../../sdk/nodejs/native";
import { identity } from "../../tools/release/owner";
import { endStage, read, startStage, unhandled, unknownOutput } from "./stage";

const environmentId = "11111111-1111-4111-8111-111111111142";
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

  it("use the provider they are given, or that of their parent", async () => {
    const stage = await startStage({ call: answers, real: true });
    const provider = new native.Provider("mine", { apiToken: "t" });
    const parent = new Component("parent", { providers: [provider] });

    await native.getEnvironment({ id: "a" }, { provider });
    await native.getEnvironment({ id: "a" }, { parent });
    const { secret } = await read(native.getEnvironmentOutput({ id: "a" }, { provider }).name);

    expect(secret).to.equal(false);
    expect(stage.invoked).to.have.lengthOf(3);
    for (const one of stage.invoked) expect(one.getProvider()).to.match(/pulumi:providers:previewenv::mine::mine-id$/u);
  });

  it("give an unknown Output for unknown arguments, settings and resources they wait for, without a call", async () => {
    const stage = await startStage({ call: answers, real: true, preview: true });
    const provider = new native.Provider("mine", { apiToken: unknownOutput<string>() });
    const planned = new native.EnvVarSet("vars", { environmentId });
    const unknown = [
      native.getEnvironmentOutput({ id: unknownOutput<string>() }),
      native.getEnvironmentOutput({ id: "a" }, { provider }),
      native.getEnvironmentOutput({ id: "a" }, { dependsOn: planned }),
      native.getEnvironmentOutput({ id: planned.environmentId }),
    ];

    for (const one of unknown) expect((await read(one)).known).to.equal(false);
    const error: unknown = await native.getEnvironment({ id: "a" }, { provider }).catch((reason: unknown) => reason);
    expect(String(error)).to.include("Use getEnvironmentOutput.");
    expect(stage.invoked).to.deep.equal([]);
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

  it("fail without what they were given when an argument is a secret", async () => {
    await startStage({ call: refuse('no environment matched name "hush-hush", repoName "hush"'), real: true });

    const [error] = await unhandled(
      () => void native.getEnvironmentOutput({ name: pulumi.secret("hush-hush"), repoName: "hush" }),
    );

    expect(String(error)).to.equal('Error: no environment matched name "[secret]", repoName "[secret]"');
    expect(error).to.have.property("stack").that.does.not.contain("hush");
  });

  it("refuse a provider of the other host, as those of pulumi-previewenv do", async () => {
    const stage = await startStage({ call: answers, real: true });
    const ofDynamic = new dynamic.Provider("dynamic", { apiToken: "t" });
    const ofNative = new native.Provider("native", { apiToken: "t" });
    const text = /^getEnvironment is served by the native plugin.*\/native"/u;

    expect(() => native.getEnvironmentOutput({ id: "a" }, { provider: ofDynamic })).to.throw(pulumi.RunError, text);
    const error: unknown = await native
      .getEnvironment({ id: "a" }, { provider: ofDynamic })
      .catch((one: unknown) => one);
    expect(pulumi.RunError.isInstance(error)).to.equal(true);
    expect(() => dynamic.getEnvironmentOutput({ id: "a" }, { provider: ofNative })).to.throw(
      pulumi.RunError,
      /^getEnvironment is served by the dynamic provider/u,
    );
    expect(stage.invoked).to.deep.equal([]);
  });
});

class Component extends pulumi.ComponentResource {
  constructor(name: string, opts: pulumi.ComponentResourceOptions) {
    super("test:index:Component", name, {}, opts);
  }
}

import * as grpc from "@grpc/grpc-js";
import { expect } from "chai";
import { connectEngine, logFor } from "../../provider/src/hosts/engine";
import { DynamicProcess, providerText } from "../support/dynamic-host";
import { FakeEngine } from "../support/fake-engine";
import { unmarked } from "../support/marked-values";
import { PluginCalls } from "../support/plugin-calls";
import { PluginProcess } from "../support/plugin-process";
import { failureOf, type PluginSuite, urnOf, usePlugin } from "./plugin/suite";

const URN = urnOf("EnvVarSet", "app");

/** Creates the child of a list. Returns its state. */
async function child(plugin: PluginSuite) {
  const calls = await plugin.begin();
  const environmentId = plugin.environment();
  const declared = { environmentId, variables: { LEVEL: "1" }, __listed: true };
  const { inputs } = await calls.check(URN, unmarked({}), unmarked(declared));
  const { id, outputs } = await calls.create({ urn: URN }, inputs);
  const values = (): readonly string[] => plugin.sandbox.world.variables(environmentId).map(({ value }) => value);
  return { id, outputs, values };
}

describe("hosts/engine: the children of a list, in a process that gets nothing but their deletes", function () {
  const plugin = usePlugin();
  let old: PluginProcess;
  before(async () => {
    old = await PluginProcess.start(plugin.engineAddress);
  });
  after(() => old.stop());

  it("stay in a command in which any other provider is checked, and go in one in which none is", async () => {
    const { id, outputs, values } = await child(plugin);
    const calls = new PluginCalls(old.client);
    plugin.engine.rootResource = "";
    await plugin.calls.checkConfig(unmarked({ baseUrl: plugin.sandbox.url, apiToken: plugin.sandbox.token }));
    // As Pulumi's SDK for Node.js names it.
    expect(plugin.engine.rootResource).to.equal("urn:pulumi:stack::project::pulumi:pulumi:Stack::project-stack");
    await plugin.begin({}, calls);
    await calls.delete({ urn: URN, id }, outputs, unmarked({}));
    expect(values()).to.deep.equal(["1"]);
    const warned = plugin.log.lines.filter(({ severity }) => severity === "warning");
    expect(warned.map(({ urn }) => urn)).to.deep.equal([URN]);
    expect(warned[0]?.text).to.contain("as far as this provider can see");

    plugin.engine.rootResource = "";
    await plugin.begin({}, calls);
    await calls.delete({ urn: URN, id }, outputs, unmarked({}));
    expect(values()).to.deep.equal([]);
  });
});

describe("hosts/engine: an engine that does not answer", function () {
  const plugin = usePlugin();
  let gone: string;
  before(async () => {
    const engine = await FakeEngine.start(() => undefined);
    gone = engine.address;
    engine.close();
  });

  const UNANSWERED =
    /^Pulumi's engine does not say whether a program runs \(.+\), so nothing was done\. Run the command again\.$/u;

  it("is an error of the delete that depends on it, in the plugin, and of the check of its settings", async () => {
    const { id, outputs, values } = await child(plugin);
    await plugin.calls.handshake(gone);
    await plugin.configure(plugin.calls);
    expect((await failureOf(plugin.calls.delete({ urn: URN, id }, outputs, unmarked({})))).message).to.match(
      UNANSWERED,
    );
    expect(values()).to.deep.equal(["1"]);
    expect((await failureOf(plugin.calls.checkConfig(unmarked({})))).message).to.match(UNANSWERED);
  });

  it("is an error of the delete that depends on it, in the dynamic provider", async () => {
    const { id, outputs, values } = await child(plugin);
    const { url, token } = plugin.sandbox;
    const running = await DynamicProcess.start(gone, { "previewenv:baseUrl": url, "previewenv:apiToken": token });
    const state = unmarked({ ...outputs.bag, __provider: providerText("EnvVarSet") });
    const { message } = await failureOf(running.calls.delete({ urn: "", id }, state, unmarked({})));
    await running.stop();
    expect(message).to.match(UNANSWERED);
    expect(values()).to.deep.equal(["1"]);
  });
});

describe("hosts/engine: a connection of the engine that was closed", () => {
  it("loses the messages of calls that still run, and fails none of them", async () => {
    const lines: string[] = [];
    const running = await FakeEngine.start(({ text }) => lines.push(text));
    const engine = connectEngine(running.address, () => grpc);
    const log = logFor(engine, "");
    log.warn("before");
    await engine?.flushed();
    engine?.close();
    await engine?.flushed();
    log.warn("after");
    await engine?.flushed();
    running.close();
    expect(lines).to.deep.equal(["before"]);
  });
});

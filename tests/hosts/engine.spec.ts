import * as grpc from "@grpc/grpc-js";
import { expect } from "chai";
import { functionContext } from "../../provider/src/functions/function-context";
import { connectEngine, logFor } from "../../provider/src/hosts/engine";
import { type Sandbox, SEED, startSandbox } from "../../provider/src/sandbox";
import { DynamicHost, providerText, startDynamic } from "../support/dynamic-host";
import { FakeEngine } from "../support/fake-engine";
import { LogBook } from "../support/log-book";
import { unmarked } from "../support/marked-values";
import { type ProviderProcess, startPlugin } from "../support/provider-process";
import { TestClock } from "../support/test-clock";
import { failureOf, make, type PluginSuite, urnOf, usePlugin } from "./plugin/suite";

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
  let old: ProviderProcess;
  before(async () => {
    old = await startPlugin(plugin.engineAddress);
  });
  after(() => old.stop());

  it("stay in a command in which any other provider is checked, and go in one in which none is", async () => {
    const { id, outputs, values } = await child(plugin);
    const { calls } = old;
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
    const running = await startDynamic(gone, { "previewenv:baseUrl": url, "previewenv:apiToken": token });
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

const HOST_MS = 30_000;
/** Long enough for every machine: the tests end these waits themselves, once they have seen that people are told. */
const PAUSE = { status: 503, times: Infinity, headers: { "retry-after": "60" } } as const;
const TOLD = /^\d+ s: waiting for the service: it answered 503; attempt 1, next in 60 s$/u;

describe("native plugin: waiting", function () {
  this.timeout(HOST_MS);
  const plugin = usePlugin();

  it("each resource that waits for the service says so on its own row, once", async () => {
    const calls = await plugin.begin({ maxRetries: "" });
    const environmentId = plugin.environment();
    plugin.sandbox.faults.add(PAUSE);
    const names = ["one", "two", "three"];
    const failed = names.map((name) =>
      failureOf(make(calls, { type: "EnvVarSet", name }, { environmentId, variables: { [name]: "1" } })),
    );
    const rows = names.map((name) => urnOf("EnvVarSet", name));
    for (const row of rows) await plugin.log.until(TOLD, row);
    await calls.cancel();
    await Promise.all(failed);
    const told = plugin.log.lines.filter(({ text }) => TOLD.test(text));
    expect(told.map(({ urn }) => urn)).to.have.members(rows);
    expect(told.every(({ passing }) => passing)).to.equal(true);
  });
});

describe("dynamic provider: waiting", function () {
  this.timeout(HOST_MS);
  const host = new DynamicHost();
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await startSandbox();
  });
  after(async () => {
    await host.close();
    await sandbox.close();
  });
  const start = async () => {
    const log = new LogBook();
    const service = { settings: {}, baseUrl: sandbox.url, token: sandbox.token };
    const run = { run: 1, fresh: true, preview: false, clock: new TestClock(), log };
    return { log, provider: await host.start({ ...service, ...run }) };
  };
  const step = { name: "vars" };
  const declared = (variables: Readonly<Record<string, string>>) => ({
    environmentId: SEED.shopMain,
    variables,
    onConflict: "overwrite",
    prune: false,
  });

  it("a step ends when the engine has its messages: it may be the last one, and the engine takes none after its run", async () => {
    const { provider, log } = await start();
    const { inputs } = await provider.check("EnvVarSet", {}, declared({ LAST: "1" }), step);
    const { id, outputs } = await provider.create("EnvVarSet", inputs, step);
    expect(log.lines.map(({ text }) => text).join("\n")).to.contain("1 written (LAST)");
    const news = { ...inputs, variables: { LAST: "2", NEXT: "1" } };
    await provider.update("EnvVarSet", id, outputs, news, step);
    expect(log.lines.map(({ text }) => text).join("\n")).to.contain("2 written (LAST, NEXT)");
    await provider.stop();
  });

  it("what is waited for is told on the stack's row, once for all resources", async () => {
    const { provider, log } = await start();
    sandbox.faults.add(PAUSE);
    const { inputs } = await provider.check("EnvVarSet", {}, declared({ A: "1" }), step);
    const failed = [1, 2].map(() => provider.create("EnvVarSet", inputs, step).catch((error: unknown) => error));
    const line = await log.until(TOLD);
    expect(line).to.include({ urn: "", passing: true });
    await provider.stop();
    await Promise.all(failed);
    expect(log.lines.filter(({ text }) => TOLD.test(text))).to.have.length(1);
  });
});

describe("dynamic provider: an engine that was killed", function () {
  this.timeout(HOST_MS);
  const plugin = usePlugin();

  it("ends the process, so that a request which waits is not sent after those of the next run", async () => {
    const { faults, token, url } = plugin.sandbox;
    const config = { "previewenv:baseUrl": url, "previewenv:apiToken": token };
    const running = await startDynamic(plugin.engineAddress, config);
    faults.add(PAUSE);
    const declared = {
      environmentId: plugin.environment(),
      variables: { A: "1" },
      __provider: providerText("EnvVarSet"),
    };
    const { inputs } = await running.calls.check("", unmarked({}), unmarked(declared));
    const lost = failureOf(running.calls.create({ urn: "" }, inputs));
    await plugin.log.until(TOLD);
    running.loseEngine();
    expect(await running.ended()).to.equal(0);
    running.client.close();
    await lost;
  });
});

describe("functions in the program: waiting", () => {
  it("say what they wait for", async () => {
    await using service = await startSandbox();
    const { url, token, faults } = service;
    faults.add(PAUSE);
    const given: Readonly<Record<string, string>> = { baseUrl: url, apiToken: token };
    const ended = new AbortController();
    const lines: string[] = [];
    const status = (text: string): void => {
      lines.push(text);
      ended.abort();
    };
    const { client } = functionContext((name) => given[name], { info: () => undefined, warn: () => undefined, status });
    const read = client.environments.get(SEED.shopMain, { signal: ended.signal });
    expect(await read.catch((error: unknown) => error)).to.be.an.instanceof(Error);
    expect(lines.join("\n")).to.match(TOLD);
  });
});

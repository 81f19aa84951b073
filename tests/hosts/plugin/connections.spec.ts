import { connectivityState, status } from "@grpc/grpc-js";
import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { expect } from "chai";
import { type Sandbox, startSandbox } from "../../../provider/src/sandbox";
import { FakeEngine } from "../../support/fake-engine";
import { unmarked } from "../../support/marked-values";
import { call, type CallError, PluginCalls } from "../../support/plugin-calls";
import { Relay } from "../../support/relay";
import { failureOf, make, urnOf, usePlugin } from "./suite";

const vars = { type: "EnvVarSet", name: "vars" };
const urn = urnOf(vars.type, vars.name);
const TOKEN = "token-of-the-environment-123456";

/** Resolves when a client has seen that its connection is gone. */
function notReady(client: ResourceProviderClient): Promise<void> {
  const { READY } = connectivityState;
  return new Promise((resolve, reject) => {
    client.getChannel().watchConnectivityState(READY, Number.POSITIVE_INFINITY, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

describe("native plugin, connections", () => {
  const plugin = usePlugin();
  let environmentId = "";
  let other: Sandbox;

  beforeEach(async () => {
    environmentId = plugin.environment();
    other = await startSandbox({ environments: [{ id: environmentId, name: "shop", projects: [] }] });
  });

  afterEach(() => other.close());

  const elsewhere = (): { baseUrl: string; apiToken: string } => ({ baseUrl: other.url, apiToken: other.token });
  const callsOf = (client: ResourceProviderClient): PluginCalls => new PluginCalls(client);
  const read = (calls: PluginCalls) => calls.read({ urn, id: environmentId });

  /** Each call for which settings are needed. */
  function everything(calls: PluginCalls): readonly Promise<unknown>[] {
    const declared = unmarked({ environmentId, variables: { A: "stolen" } });
    const existing = { urn, id: environmentId };
    return [
      read(calls),
      calls.create({ urn }, declared),
      calls.update({ ...existing, olds: unmarked({ environmentId }), oldInputs: unmarked({}), news: declared }),
      calls.delete(existing, declared, declared),
      calls.invoke("previewenv:index:getBypassToken", unmarked({ environmentId })),
    ];
  }

  async function codesOf(failing: readonly Promise<unknown>[]): Promise<readonly status[]> {
    const failures: readonly CallError[] = await Promise.all(failing.map(failureOf));
    for (const { message } of failures) expect(message).to.match(/this connection to the plugin is not configured/u);
    return failures.map(({ code }) => code);
  }

  it("that have configured nothing are refused wherever settings are needed, while a configured one is open", async () => {
    const own = await plugin.begin({}, callsOf(plugin.connect()));
    const greeting = callsOf(plugin.connect());
    await greeting.handshake(plugin.engineAddress);
    const refused = await codesOf([...everything(callsOf(plugin.connect())), ...everything(greeting)]);
    expect(new Set(refused)).to.deep.equal(new Set([status.FAILED_PRECONDITION]));
    expect(plugin.requests()).to.deep.equal([]);
    await make(own, vars, { environmentId, variables: { A: "1" } });
    expect(plugin.sandbox.world.variable(environmentId, "A")?.value).to.equal("1");
  });

  it("cannot end another's calls, nor take its messages", async () => {
    const own = await plugin.begin({}, callsOf(plugin.connect()));
    const stranger = plugin.connect();
    const heard: unknown[] = [];
    const ear = await FakeEngine.start((line) => heard.push(line));
    const request = new PluginAttach();
    request.setAddress(ear.address);
    await call((done) => stranger.attach(request, done));
    await callsOf(stranger).cancel();
    await own.check(urn, unmarked({}), { bag: { environmentId, variables: { A: "1" } }, marks: [["variables", "A"]] });
    await plugin.log.until(/secret/u);
    await make(own, { ...vars, name: "more" }, { environmentId, variables: { B: "1" } });
    expect(heard).to.deep.equal([]);
    ear.close();
  });

  for (const greets of [true, false])
    it(`keep their settings and calls when another one is configured, ${greets ? "after" : "without"} a handshake`, async () => {
      const own = await plugin.begin({}, callsOf(plugin.connect()));
      let answer: (nothing?: unknown) => void = () => undefined;
      const arrived = plugin.arrival("GET /env-vars", { hold: new Promise((resolve) => (answer = resolve)) });
      const creating = make(own, vars, { environmentId, variables: { A: "1" } });
      await arrived;
      const second = callsOf(plugin.connect());
      if (greets) await plugin.begin(elsewhere(), second);
      else await plugin.configure(second, elsewhere());
      answer();
      await creating;
      await make(second, { ...vars, name: "others" }, { environmentId, variables: { A: "2" } });
      await make(own, { ...vars, name: "more" }, { environmentId, variables: { B: "1" } });
      const values = [plugin.sandbox, other].map(({ world }) =>
        world.variables(environmentId).map(({ value }) => value),
      );
      expect(values).to.deep.equal([["1", "1"], ["2"]]);
    });

  it("that were dropped are dialled again without Configure, and go on with their settings, one at a time", async () => {
    const relay = await Relay.start(Number(plugin.process.client.getChannel().getTarget().split(":").at(-1)));
    const client = plugin.connect(relay.target);
    const calls = await plugin.begin({}, callsOf(client));
    for (const _again of [1, 2]) {
      await Promise.all([relay.drop(), notReady(client)]);
      expect((await read(calls)).id).to.equal(environmentId);
    }
    expect(await codesOf([read(callsOf(plugin.connect()))])).to.deep.equal([status.FAILED_PRECONDITION]);
    await relay.drop();
    client.close();
    const next = callsOf(plugin.connect());
    expect((await read(next)).id).to.equal(environmentId);
    await next.cancel();
    await relay.close();
  });

  it("leave nothing to others when their run was cancelled", async () => {
    const client = plugin.connect();
    const calls = await plugin.begin({}, callsOf(client));
    await calls.cancel();
    client.close();
    expect(await codesOf([read(callsOf(plugin.connect()))])).to.deep.equal([status.FAILED_PRECONDITION]);
  });
});

describe("native plugin, connections and environment variables", () => {
  const proxy = "ftp://user:pass-of-the-proxy@proxy.example.com";
  const plugin = usePlugin({ environment: { PREVIEWENV_API_TOKEN: TOKEN, HTTPS_PROXY: proxy } });

  it("give a token of the environment to the engine alone, and not to the address that another one configures", async () => {
    const environmentId = plugin.environment();
    const calls = new PluginCalls(plugin.connect());
    await plugin.begin({ apiToken: null }, calls);
    const stranger = new PluginCalls(plugin.connect());
    for (const handshake of [false, true]) {
      if (handshake) await stranger.handshake(plugin.engineAddress);
      const refused = await failureOf(plugin.configure(stranger, { apiToken: null }));
      expect(refused.code).to.equal(status.FAILED_PRECONDITION);
      expect(refused.message).to.contain("previewenv:apiToken is not set").and.not.to.contain(TOKEN);
    }
    expect(plugin.requests()).to.deep.equal([]);
    // The sandbox knows another token: it has seen one.
    expect((await failureOf(calls.read({ urn, id: environmentId }))).message).to.contain("401");
  });

  it("survive a proxy that is none: each call that needs it is refused with its variable's name", async () => {
    const environmentId = plugin.environment();
    const calls = new PluginCalls(plugin.connect());
    for (const _again of [1, 2]) {
      await plugin.begin({ baseUrl: "https://service.example" }, calls);
      const refused = await failureOf(calls.read({ urn, id: environmentId }));
      expect(refused.code).to.equal(status.FAILED_PRECONDITION);
      expect(refused.message)
        .to.contain("HTTPS_PROXY must be")
        .and.not.to.match(/baseUrl|pass-of/u);
    }
    expect(plugin.process.printed).to.equal("");
  });
});

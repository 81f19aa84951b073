import { status } from "@grpc/grpc-js";
import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import { expect } from "chai";
import { startRun } from "../../../provider/src/environment/start-run";
import { ProviderSessions } from "../../../provider/src/hosts/plugin/sessions";
import { type Sandbox, startSandbox } from "../../../provider/src/sandbox";
import { unmarked } from "../../support/marked-values";
import { call, type CallError, PluginCalls } from "../../support/plugin-calls";
import { failureOf, make, type PluginSuite, urnOf, usePlugin } from "./suite";

const vars = { type: "EnvVarSet", name: "vars" };
const urn = urnOf(vars.type, vars.name);
const TOKEN = "token-of-the-environment-123456";

/** An environment that two services have, for each test of the suite. */
function useTwoServices(plugin: PluginSuite) {
  let id = "";
  let other: Sandbox | undefined;
  beforeEach(async () => {
    id = plugin.environment();
    const environments = [{ id, name: "shop", projects: [] }];
    other = await startSandbox({ clock: plugin.clock, environments });
  });
  afterEach(() => other?.close());
  const second = (): Sandbox => other ?? plugin.sandbox;
  return {
    id: () => id,
    /** Settings of the second service. */
    settings: () => ({ baseUrl: second().url, apiToken: second().token }),
    /** Values of the variables that each of the two has. */
    values: () => [plugin.sandbox, second()].map(({ world }) => world.variables(id).map(({ value }) => value)),
  };
}

describe("native plugin, connections", () => {
  const plugin = usePlugin();
  const services = useTwoServices(plugin);
  const connect = (): PluginCalls => new PluginCalls(plugin.connect());
  const read = (calls: PluginCalls) => calls.read({ urn, id: services.id() });
  const declare = (calls: PluginCalls, name: string, variables: Readonly<Record<string, string>>) =>
    make(calls, { ...vars, name }, { environmentId: services.id(), variables });

  /** Each call for which settings are needed. */
  function everything(calls: PluginCalls): readonly Promise<unknown>[] {
    const environmentId = services.id();
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

  async function refuse(...failing: readonly Promise<unknown>[]): Promise<void> {
    const failures: readonly CallError[] = await Promise.all(failing.map(failureOf));
    for (const { code, message } of failures) {
      expect(message).to.match(
        /this connection to the plugin is not configured.+Run the command again\. See \S+#connection\.$/u,
      );
      expect(code).to.equal(status.FAILED_PRECONDITION);
    }
  }

  it("that have configured nothing are refused wherever settings are needed, while a configured one is open", async () => {
    const own = await plugin.begin({}, connect());
    const greeting = connect();
    await greeting.handshake(plugin.engineAddress);
    await refuse(...everything(connect()), ...everything(greeting));
    expect(plugin.requests()).to.deep.equal([]);
    await connect().cancel();
    await declare(own, "vars", { A: "1" });
    expect(services.values()).to.deep.equal([["1"], []]);
  });

  for (const greets of [true, false])
    it(`keep their settings and calls when another one is configured, ${greets ? "after" : "without"} a handshake`, async () => {
      const own = await plugin.begin({}, connect());
      let answer: (nothing?: unknown) => void = () => undefined;
      const arrived = plugin.arrival("GET /env-vars", new Promise((resolve) => (answer = resolve)));
      const creating = declare(own, "vars", { A: "1" });
      await arrived;
      const second = connect();
      if (greets) await plugin.begin(services.settings(), second);
      else await plugin.configure(second, services.settings());
      answer();
      await creating;
      await declare(second, "others", { A: "2" });
      await declare(own, "more", { B: "1" });
      expect(services.values()).to.deep.equal([["1", "1"], ["2"]]);
    });

  it("that come after one that was lost use nothing of it, and go on once they are configured themselves", async () => {
    const client = plugin.connect();
    const calls = await plugin.begin({}, new PluginCalls(client));
    expect((await read(calls)).id).to.equal(services.id());
    const before = plugin.requests();
    client.close();
    const next = connect();
    await refuse(...everything(next));
    expect(plugin.requests()).to.deep.equal(before);
    await plugin.configure(next);
    expect((await read(next)).id).to.equal(services.id());
  });
});

describe("native plugin, connections and environment variables", () => {
  const proxy = "ftp://user:pass-of-the-proxy@proxy.example.com";
  const plugin = usePlugin({ environment: { PREVIEWENV_API_TOKEN: TOKEN, HTTPS_PROXY: proxy } });

  it("give a token of the environment to the engine alone, and not to the address that another one configures", async () => {
    const calls = await plugin.begin({ apiToken: null }, new PluginCalls(plugin.connect()));
    const stranger = new PluginCalls(plugin.connect());
    for (const handshake of [false, true]) {
      if (handshake) await stranger.handshake(plugin.engineAddress);
      const refused = await failureOf(plugin.configure(stranger, { apiToken: null }));
      expect(refused.code).to.equal(status.FAILED_PRECONDITION);
      expect(refused.message)
        .to.match(/previewenv:apiToken is not set[^]*pulumi up --refresh=false/u)
        .and.not.to.contain(TOKEN);
    }
    expect(plugin.requests()).to.deep.equal([]);
    // The sandbox knows another token: it has seen one.
    expect((await failureOf(calls.read({ urn, id: plugin.environment() }))).message).to.contain("401");
  });

  it("survive a proxy that is none: each call that needs it is refused with its variable's name", async () => {
    const calls = new PluginCalls(plugin.connect());
    for (const _again of [1, 2]) {
      await plugin.begin({ baseUrl: "https://service.example" }, calls);
      const refused = await failureOf(calls.read({ urn, id: plugin.environment() }));
      expect(refused.code).to.equal(status.FAILED_PRECONDITION);
      expect(refused.message)
        .to.contain("HTTPS_PROXY must be")
        .and.not.to.match(/baseUrl|pass-of/u);
    }
    expect(plugin.process.printed).to.equal("");
  });
});

describe("native plugin, attached to by a program with two providers", () => {
  const plugin = usePlugin({ byHand: true });
  const services = useTwoServices(plugin);

  /** As the engine begins with each provider of a program. */
  async function attach(settings = {}): Promise<PluginCalls> {
    const client = plugin.connect();
    const calls = new PluginCalls(client);
    await calls.handshake(plugin.engineAddress);
    await call((done) => client.attach(new PluginAttach().setAddress(plugin.engineAddress), done));
    await plugin.configure(calls, settings);
    return calls;
  }

  it("asks the service of each with the token of each, over several runs", async () => {
    const environmentId = services.id();
    const first = await attach();
    const second = await attach(services.settings());
    const staging = await make(first, vars, { environmentId, variables: { A: "staging" } });
    await make(second, vars, { environmentId, variables: { A: "production" } });
    expect(services.values()).to.deep.equal([["staging"], ["production"]]);
    const next = await attach();
    await attach(services.settings());
    await next.delete({ urn, id: staging.id }, staging.outputs, staging.inputs);
    expect(services.values()).to.deep.equal([[], ["production"]]);
  });

  it("is cancelled for one and goes on for the other, also while a schema is read", async () => {
    const declared = { environmentId: services.id(), variables: { A: "1" } };
    const first = await attach();
    const second = await attach(services.settings());
    await first.cancel();
    await new PluginCalls(plugin.connect()).handshake(plugin.engineAddress);
    expect((await failureOf(make(first, vars, declared))).message).to.match(/cancelled/u);
    await make(second, vars, declared);
    expect(services.values()).to.deep.equal([[], ["1"]]);
  });
});

describe("hosts/plugin/sessions", () => {
  it("tells a connection from an older one at the same port", () => {
    const given: Readonly<Record<string, string>> = { baseUrl: "https://service.example", apiToken: "given" };
    const sessions = new ProviderSessions(undefined, { connectEngine: () => undefined, startRun });
    const peer = "127.0.0.1:1001";
    /** Opens a connection and configures it. Returns what closes it. */
    const open = (): (() => void) => {
      const end = sessions.connect(peer);
      sessions.configure(peer, (name) => given[name]);
      return end;
    };
    const close = open();
    const old = sessions.of(peer);
    open();
    const renewed = sessions.of(peer);
    close();
    expect(sessions.of(peer)).to.equal(renewed).and.not.to.equal(old);
  });
});

import { once } from "node:events";
import { createConnection, createServer, type Server, type Socket } from "node:net";
import { pipeline } from "node:stream";
import { connectivityState, status } from "@grpc/grpc-js";
import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { expect } from "chai";
import { startSession } from "../../../provider/src/environment/start-session";
import { ProviderSessions } from "../../../provider/src/hosts/plugin/sessions";
import { type Sandbox, startSandbox } from "../../../provider/src/sandbox";
import { listen } from "../../support/listen";
import { unmarked } from "../../support/marked-values";
import { call, type CallError, PluginCalls } from "../../support/plugin-calls";
import { failureOf, make, type PluginSuite, urnOf, usePlugin } from "./suite";

const vars = { type: "EnvVarSet", name: "vars" };
const urn = urnOf(vars.type, vars.name);
const TOKEN = "token-of-the-environment-123456";

/** Passes connections on to another port of this machine, and can drop them, as a network does. */
class Relay {
  readonly target: string;
  readonly #server: Server;
  readonly #open: Set<Socket>;

  private constructor(server: Server, open: Set<Socket>, port: number) {
    this.target = `127.0.0.1:${port}`;
    this.#server = server;
    this.#open = open;
  }

  static async start(port: number): Promise<Relay> {
    const open = new Set<Socket>();
    const server = createServer((near) => {
      const far = createConnection({ host: "127.0.0.1", port });
      open.add(far);
      far.once("close", () => open.delete(far));
      pipeline(near, far, near, () => undefined);
    });
    return new Relay(server, open, await listen(server));
  }

  /** Ends all connections. Resolves when the other side has ended them, too. */
  async drop(): Promise<void> {
    await Promise.all(
      [...this.#open].map(async (far) => {
        const closed = once(far, "close");
        far.end();
        await closed;
      }),
    );
  }

  async close(): Promise<void> {
    await this.drop();
    this.#server.close();
  }
}

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
      expect(message).to.match(/this connection to the plugin is not configured/u);
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

  it("that were dropped are dialled again without Configure, and go on with their settings, one at a time", async () => {
    const relay = await Relay.start(Number(plugin.process.client.getChannel().getTarget().split(":").at(-1)));
    const client = plugin.connect(relay.target);
    const calls = await plugin.begin({}, new PluginCalls(client));
    for (const _again of [1, 2]) {
      await Promise.all([relay.drop(), notReady(client)]);
      expect((await read(calls)).id).to.equal(services.id());
    }
    await refuse(read(connect()));
    await relay.drop();
    client.close();
    const next = connect();
    expect((await read(next)).id).to.equal(services.id());
    await next.cancel();
    await relay.close();
  });

  it("leave nothing to others when their run was cancelled", async () => {
    const client = plugin.connect();
    await (await plugin.begin({}, new PluginCalls(client))).cancel();
    client.close();
    await refuse(read(connect()));
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
      expect(refused.message).to.contain("previewenv:apiToken is not set").and.not.to.contain(TOKEN);
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
  const [FIRST, SECOND, THIRD] = ["127.0.0.1:1001", "127.0.0.1:1002", "127.0.0.1:1003"];
  const given: Readonly<Record<string, string>> = { baseUrl: "https://service.example", apiToken: "given" };
  const begin = (): ProviderSessions =>
    new ProviderSessions(undefined, { connectEngine: () => undefined, startSession });
  /** Opens a connection and configures it. Returns what closes it. */
  const open = (sessions: ProviderSessions, peer: string): (() => void) => {
    const close = sessions.connect(peer);
    sessions.configure(peer, (name) => given[name]);
    return close;
  };

  it("lets nobody go on when two connections are closed: nobody knows with which settings", () => {
    const sessions = begin();
    for (const close of [FIRST, SECOND].map((peer) => open(sessions, peer))) close();
    sessions.connect(THIRD);
    expect(sessions.of(THIRD).isActive).to.equal(false);
  });

  it("tells a connection from an older one at the same port", () => {
    const sessions = begin();
    const close = open(sessions, FIRST);
    const old = sessions.of(FIRST);
    open(sessions, FIRST);
    const renewed = sessions.of(FIRST);
    close();
    expect(sessions.of(FIRST)).to.equal(renewed).and.not.to.equal(old);
  });
});

import { randomUUID } from "node:crypto";
import { connectivityState, credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import type { Properties } from "../../../provider/src/framework/properties";
import { type EnvironmentSeed, type Sandbox, startSandbox } from "../../../provider/src/sandbox";
import { failure } from "../../client/support/samples";
import { FakeEngine } from "../../support/fake-engine";
import { LogBook } from "../../support/log-book";
import { type Marked, unmarked } from "../../support/marked-values";
import { CallError, PluginCalls } from "../../support/plugin-calls";
import { type ProviderProcess, startPlugin } from "../../support/provider-process";
import { TestClock } from "../../support/test-clock";

/** How the plugin of a suite is started. */
export interface SuiteOptions {
  /** By the engine, unless somebody has started it by hand, for engines to attach to. */
  readonly byHand?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A plugin in a process of its own, with a service and an engine for each test. */
export class PluginSuite {
  readonly #options: SuiteOptions;
  readonly #clients: ResourceProviderClient[] = [];
  #process: ProviderProcess | undefined;
  #engine: FakeEngine | undefined;
  #sandbox: Sandbox | undefined;
  clock = new TestClock();
  log = new LogBook();

  constructor(options: SuiteOptions = {}) {
    this.#options = options;
  }

  get process(): ProviderProcess {
    return given(this.#process);
  }

  get calls(): PluginCalls {
    return this.process.calls;
  }

  get sandbox(): Sandbox {
    return given(this.#sandbox);
  }

  get engine(): FakeEngine {
    return given(this.#engine);
  }

  get engineAddress(): string {
    return this.engine.address;
  }

  async open(): Promise<void> {
    this.#engine = await FakeEngine.start((line) => this.log.add(line));
    const { byHand = false, environment = {} } = this.#options;
    this.#process = await startPlugin(byHand ? undefined : this.engineAddress, { environment });
  }

  /** A service of its own for each test, whose time stands still. */
  async renew(): Promise<void> {
    this.clock = new TestClock();
    this.log = new LogBook();
    this.#sandbox = await startSandbox({ clock: this.clock, buildSeconds: 60, environments: [] });
  }

  async close(): Promise<void> {
    await this.#process?.stop();
    this.#engine?.close();
  }

  async closeSandbox(): Promise<void> {
    await this.#sandbox?.close();
  }

  /** Adds an environment with the repository `web` on `main`. Returns its id. */
  environment(seed: Partial<EnvironmentSeed> = {}): string {
    const id = randomUUID();
    this.sandbox.world.environments.add({ id, name: "shop", projects: [{ repoName: "web", branch: "main" }], ...seed });
    return id;
  }

  /** Begins a run of the engine, over the connection that all tests share or over another one. */
  async begin(settings: Properties = {}, calls: PluginCalls = this.calls): Promise<PluginCalls> {
    await calls.handshake(this.engineAddress);
    await this.configure(calls, settings);
    return calls;
  }

  /** The settings of the sandbox, unless others are given. */
  async configure(calls: PluginCalls, settings: Properties = {}): Promise<void> {
    const { url, token } = this.sandbox;
    const all = { baseUrl: url, apiToken: token, maxRetries: "0", ...settings };
    await calls.configure({ bag: all, marks: [["apiToken"]] });
  }

  /** A client with a connection of its own, to the plugin or to what passes its calls on. */
  connect(target: string = this.process.client.getChannel().getTarget()): ResourceProviderClient {
    // Clients of one process share their connection to one address, unless told not to.
    const options = { "grpc.use_local_subchannel_pool": 1 };
    const client = new ResourceProviderClient(target, credentials.createInsecure(), options);
    this.#clients.push(client);
    return client;
  }

  /** Ends the runs of all such connections, as the engine does. */
  async disconnect(): Promise<void> {
    await Promise.all(
      this.#clients.splice(0).map(async (client) => {
        if (client.getChannel().getConnectivityState(false) === connectivityState.SHUTDOWN) return;
        await new PluginCalls(client).cancel();
        client.close();
      }),
    );
  }

  /** Labels of the requests so far. */
  requests(): readonly string[] {
    return this.sandbox.journal.entries.map(({ label }) => label);
  }

  /** Resolves when the service gets such a request. `hold` keeps it waiting for its answer. */
  arrival(label: string, hold?: Promise<unknown>): Promise<void> {
    return new Promise((resolve) => {
      const match = (): boolean => {
        resolve();
        return hold !== undefined;
      };
      this.sandbox.faults.add({ label, match, hold });
    });
  }
}

/** One plugin for all tests of the suite in which this is called. */
export function usePlugin(options: SuiteOptions = {}): PluginSuite {
  const suite = new PluginSuite(options);
  before(() => suite.open());
  beforeEach(() => suite.renew());
  afterEach(async () => {
    await suite.disconnect();
    await suite.closeSandbox();
  });
  after(() => suite.close());
  return suite;
}

export function urnOf(type: string, name: string): string {
  return `urn:pulumi:stack::project::previewenv:index:${type}::${name}`;
}

/** Checks what a program declares, and creates it. */
export async function make(
  calls: PluginCalls,
  target: { readonly type: string; readonly name: string; readonly timeoutSeconds?: number },
  declared: Properties,
): Promise<{ readonly id: string; readonly inputs: Marked; readonly outputs: Marked }> {
  const { type, name, ...rest } = target;
  const urn = urnOf(type, name);
  const { inputs, failures } = await calls.check(urn, unmarked({}), unmarked(declared));
  if (failures.length > 0) throw new Error(failures.join("\n"));
  return { inputs, ...(await calls.create({ urn, ...rest }, inputs)) };
}

/** What a call failed with. */
export async function failureOf(call: Promise<unknown>): Promise<CallError> {
  const error = await failure(call);
  if (error instanceof CallError) return error;
  throw error;
}

function given<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("it is there only while tests of the suite run");
  return value;
}

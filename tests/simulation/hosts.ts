import { Metadata, type sendUnaryData, type ServiceError, status } from "@grpc/grpc-js";
import { LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { compileFunction } from "node:vm";
import * as ts from "typescript";
import type { Properties } from "../../provider/src/framework/properties";
import * as session from "../../provider/src/environment/start-run";
import type { Settings } from "../../provider/src/framework/settings";
import { type Engine, logFor, runsProgram } from "../../provider/src/hosts/engine";
import { type Service, startService } from "../../provider/src/hosts/plugin/service";
import type * as Dynamic from "../../provider/src/hosts/dynamic";
import { coreHost } from "../support/core-host";
import { type Host, type Provider, ProviderFailure, type Side, type StartOptions } from "../support/host";
import { STACK_URN } from "../support/fake-engine";
import type { LogBook } from "../support/log-book";
import { type Marks, open, SecretBook, styleOf, unmarked } from "../support/marked-values";
import { type PluginClient, PluginCalls } from "../support/plugin-calls";
import { PluginProvider } from "../support/plugin-provider";

const FILE = join(__dirname, "..", "..", "provider", "src", "hosts", "dynamic.ts");
const TEXT = "exports.handler = ...";

/** The module of the dynamic provider, loaded anew for each run: what a process remembers lies in it. */
class DynamicModuleHost implements Host {
  readonly name = "dynamic provider in process";
  readonly ownsTime = true;
  readonly side = (): "dynamic" => "dynamic";
  #compiled: ((...args: readonly unknown[]) => void) | undefined;

  start(options: StartOptions): Promise<Provider> {
    const dynamic = this.#load(options);
    const { settings, baseUrl, token, preview } = options;
    const hint = preview ? { __preview: true } : {};
    const config: Readonly<Record<string, string>> = { baseUrl, apiToken: token, ...settings };
    return Promise.resolve(toProvider(dynamic, { get: (key) => config[key.replace(/^previewenv:/u, "")] }, hint));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** The source with another session and log: the only two things that reach out of the process. */
  #load({ clock, log, session: given, hasProgram = true, kept = { rootResource: "" } }: StartOptions): typeof Dynamic {
    this.#compiled ??= compile();
    const load = createRequire(FILE);
    // Pulumi's SDK for Node.js tells the engine.
    if (hasProgram) kept.rootResource = STACK_URN;
    const replaced: Readonly<Record<string, unknown>> = {
      "../environment/start-run": {
        startRun: (chosen: Settings) => session.startRun(chosen, { ...given, clock }),
      },
      "./engine": { connectEngine: () => engineOf(log, kept), endWithEngine: () => undefined, logFor, runsProgram },
    };
    const module = { exports: {} };
    this.#compiled(module.exports, (id: string): unknown => replaced[id] ?? load(id), module);
    if (!isDynamic(module.exports)) throw new Error("the dynamic host does not export a provider");
    return module.exports;
  }
}

/** Stands for the only connection. */
const PEER = "in process";

/** The native plugin's service with the messages of the engine, without process and wire. */
class PluginModuleHost implements Host {
  readonly name = "native plugin in process";
  readonly ownsTime = true;
  readonly side = (): Side => "native";
  readonly #marks = new WeakMap<Properties, Marks>();

  async start(options: StartOptions): Promise<Provider> {
    const { settings, baseUrl, token, run, clock, log, session: given, signal } = options;
    const { hasProgram = true, servesProgram = hasProgram, kept = { rootResource: "" } } = options;
    const service = startService(undefined, {
      startRun: (chosen) => session.startRun(chosen, { ...given, clock }),
      connectEngine: () => engineOf(log, kept),
    });
    service.connect(PEER);
    const calls = new PluginCalls(inProcess(service.calls));
    const wanted = unmarked({ baseUrl, apiToken: token, ...settings });
    // Only a resource of a program causes the first call.
    await calls.configure(servesProgram ? (await calls.checkConfig(wanted)).inputs : wanted);
    signal?.addEventListener("abort", () => service.end(), { once: true });
    const memory = {
      marks: this.#marks,
      secrets: new SecretBook(),
      style: styleOf(run),
      stack: "urn:pulumi:simulated::simulation::",
    };
    return new EndlessProvider(calls, memory, () => memory.secrets.refuse(log.lines.map(({ text }) => text)));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** The cancellation at the end of a run is answered before it acts. Here nothing is left for it to act upon. */
class EndlessProvider extends PluginProvider {
  override cancel(): Promise<void> {
    return Promise.resolve();
  }
}

/** Hosts of the simulation, by the name that histories use. */
export const simulatedHosts = {
  core: coreHost,
  dynamic: new DynamicModuleHost(),
  native: new PluginModuleHost(),
} as const satisfies Record<string, Host>;

export type HostName = keyof typeof simulatedHosts;

function compile(): (...args: readonly unknown[]) => void {
  const { outputText } = ts.transpileModule(readFileSync(FILE, "utf8"), {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true },
  });
  const compiled = compileFunction(outputText, ["exports", "require", "module"], { filename: FILE });
  return (...args) => void compiled(...args);
}

function isDynamic(exports: object): exports is typeof Dynamic {
  return "provider" in exports && typeof exports.provider === "function";
}

/** @param hint What a program adds to the inputs that Check gets. */
function toProvider(
  dynamic: typeof Dynamic,
  config: { get(key: string): string | undefined },
  hint: Properties,
): Provider {
  const made = new Map<string, Dynamic.DynamicProvider>();
  const of = (type: string): Dynamic.DynamicProvider => {
    const known = made.get(type);
    if (known !== undefined) return known;
    const provider = dynamic.provider(type);
    made.set(type, provider);
    void provider.configure({ config });
    return provider;
  };
  return {
    check: (type, olds, news, { name }) =>
      fail(async () => {
        const told = { ...news, ...hint, __identity: `${type}::${name}` };
        const { inputs, failures } = await of(type).check(within(olds), within(told));
        return { inputs: without(inputs), failures: failures.map(({ reason }) => reason) };
      }),
    diff: (type, id, olds, news) =>
      fail(async () => {
        const { changes, replaces } = await of(type).diff(id, within(olds), within(news));
        return { changes: changes === undefined ? "unknown" : changes ? "some" : "none", replaces };
      }),
    create: (type, news) =>
      fail(async () => {
        const { id, outs } = await of(type).create(within(news));
        return { id, outputs: without(outs) };
      }),
    read: (type, id, olds, last) =>
      fail(async () => {
        // The engine keeps the inputs that it has when the answer is without.
        const { id: found = "", props = {}, inputs = last } = await of(type).read(id, within(olds));
        return found === "" ? undefined : { outputs: without(props), inputs: without(inputs) };
      }),
    lookUp: (type, id, given) =>
      fail(async () => {
        const { id: found = "", props = {}, inputs = {} } = await of(type).read(id, { ...within(given), __get: true });
        return found === "" ? undefined : { id: found, outputs: without(props), inputs: without(inputs) };
      }),
    update: (type, id, olds, news) =>
      fail(async () => without((await of(type).update(id, within(olds), within(news))).outs)),
    delete: (type, id, olds) => fail(() => of(type).delete(id, within(olds))),
    cancel: () => Promise.resolve(),
    stop: () => Promise.resolve(),
  };
}

/** Pulumi's own process puts the text that made the provider into every bag, and each bag crosses a wire. */
function within(bag: Properties): Properties {
  return { ...copy(bag), __provider: TEXT };
}

/** What the provider says to be a secret is one for the engine alone. */
function without(bag: Properties): Properties {
  const { __provider: _text, ...rest } = open(Struct.fromJavaScript(JSON.parse(JSON.stringify(bag)))).bag;
  return rest;
}

function copy(bag: Properties): Properties {
  return JSON.parse(JSON.stringify(bag));
}

async function fail<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw toFailure(error);
  }
}

function toFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { message } = error;
  if (!("properties" in error && "reasons" in error && "id" in error)) return new ProviderFailure(message);
  const { id, properties, reasons } = error;
  if (!isBag(properties) || !Array.isArray(reasons)) return new ProviderFailure(message);
  return new ProviderFailure(message, {
    id: String(id),
    outputs: without(properties),
    reasons: reasons.map(String),
  });
}

function isBag(value: unknown): value is Properties {
  return typeof value === "object" && value !== null;
}

/** An engine whose log is a book. */
function engineOf(log: LogBook, kept: { rootResource: string }): Engine {
  return {
    send(request) {
      const severity = request.getSeverity() === LogSeverity.WARNING ? "warning" : "info";
      log.add({ severity, text: request.getMessage(), passing: request.getEphemeral() });
    },
    flushed: () => Promise.resolve(),
    rootResource: () => Promise.resolve(kept.rootResource),
    setRootResource(urn) {
      kept.rootResource = urn;
      return Promise.resolve();
    },
    close: () => undefined,
  };
}

type Handler<Request, Reply> = (
  call: { readonly request: Request; getPeer(): string },
  callback: sendUnaryData<Reply>,
) => void;

function inProcess(service: Service["calls"]): PluginClient {
  const direct =
    <Request, Reply>(handler: Handler<Request, Reply>) =>
    (request: Request, done: (error: ServiceError | null, reply: Reply) => void): void =>
      handler({ request, getPeer: () => PEER }, (error, reply) => {
        if (reply !== null && reply !== undefined) done(null, reply);
        else reject(error, done);
      });
  return {
    handshake: direct(service.handshake),
    checkConfig: direct(service.checkConfig),
    configure: direct(service.configure),
    check: direct(service.check),
    diff: direct(service.diff),
    create: direct(service.create),
    read: direct(service.read),
    update: direct(service.update),
    delete: direct(service.delete),
    invoke: direct(service.invoke),
    cancel: direct(service.cancel),
  };
}

function reject(error: Parameters<sendUnaryData<unknown>>[0], done: (error: ServiceError, reply: never) => void): void {
  const { code = status.UNKNOWN, details = "", metadata = new Metadata() } = error ?? {};
  const failure: ServiceError = Object.assign(new Error(details), { code, details, metadata });
  Reflect.apply(done, undefined, [failure]);
}

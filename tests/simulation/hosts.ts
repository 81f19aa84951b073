import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { compileFunction } from "node:vm";
import * as ts from "typescript";
import type { Properties } from "../../provider/src/framework/properties";
import * as session from "../../provider/src/environment/start-session";
import type { Settings } from "../../provider/src/framework/settings";
import { logFor } from "../../provider/src/hosts/engine-log";
import type * as Dynamic from "../../provider/src/hosts/dynamic";
import { coreHost } from "../support/core-host";
import { type Host, type Provider, ProviderFailure, type StartOptions } from "../support/host";
import { logInto, PluginModuleHost } from "./plugin-module";

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
    const { settings, baseUrl, token, preview, run } = options;
    const hint = preview ? { __preview: String(run) } : {};
    const config: Readonly<Record<string, string>> = { baseUrl, apiToken: token, ...settings };
    return Promise.resolve(toProvider(dynamic, { get: (key) => config[key.replace(/^previewenv:/u, "")] }, hint));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** The source with another session and log: the only two things that reach out of the process. */
  #load({ clock, log, session: given, hasProgram = true }: StartOptions): typeof Dynamic {
    this.#compiled ??= compile();
    const load = createRequire(FILE);
    const replaced: Readonly<Record<string, unknown>> = {
      "../environment/start-session": {
        startSession: (chosen: Settings) => session.startSession(chosen, { ...given, clock }),
      },
      "./engine-log": { connectEngine: () => logInto(log, hasProgram), logFor },
    };
    const module = { exports: {} };
    this.#compiled(module.exports, (id: string): unknown => replaced[id] ?? load(id), module);
    if (!isDynamic(module.exports)) throw new Error("the dynamic host does not export a provider");
    return module.exports;
  }
}

/** Hosts of the simulation, by the name that histories use. */
export const simulatedHosts = {
  core: coreHost,
  dynamic: new DynamicModuleHost(),
  native: new PluginModuleHost(),
} as const satisfies Record<string, Host>;

/** Whether a host is told when somebody cancels; a dynamic provider is not. */
export function hearsCancellation(host: Host): boolean {
  return host !== simulatedHosts.dynamic;
}

/** Name of a host. */
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
    check: (type, olds, news) =>
      fail(async () => {
        const { inputs, failures } = await of(type).check(within(olds), within({ ...news, ...hint }));
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
    read: (type, id, olds) =>
      fail(async () => {
        const { id: found = "", props = {}, inputs = {} } = await of(type).read(id, within(olds));
        return found === "" ? undefined : { outputs: without(props), inputs: without(inputs) };
      }),
    lookUp: (type, id, given) =>
      fail(async () => {
        const { id: found = "", props = {}, inputs = {} } = await of(type).read(id, within(given));
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

function without(bag: Properties): Properties {
  const { __provider: _text, ...rest } = copy(bag);
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
  return new ProviderFailure(message, { id: String(id), outputs: without(properties), reasons: reasons.map(String) });
}

function isBag(value: unknown): value is Properties {
  return typeof value === "object" && value !== null;
}

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DiffResponse } from "@pulumi/pulumi/proto/provider_pb";
import type { Properties } from "../../provider/src/framework/properties";
import { FakeEngine, STACK_URN } from "./fake-engine";
import {
  type Answer,
  type Host,
  type Identified,
  type Provider,
  type Side,
  type StartOptions,
  type Step,
  type Verdict,
} from "./host";
import { LogBook } from "./log-book";
import { unmarked } from "./marked-values";
import { ROOT } from "./packed";
import { CallError, type Comparison, type PluginCalls } from "./plugin-calls";
import { ProviderProcess } from "./provider-process";

/** The text in every state file. A change of it would break all of them, so it is written out here. */
export function providerText(type: string): string {
  return `exports.handler = () => require("pulumi-previewenv/dynamic").provider("${type}");`;
}

/** Pulumi's own process for dynamic providers, spoken to over gRPC as the engine does. */
export class DynamicHost implements Host {
  readonly name = "dynamic provider process over gRPC";
  readonly ownsTime = false;
  readonly side = (): Side => "dynamic";
  #log = new LogBook();
  #engine: Promise<FakeEngine> | undefined;
  readonly #kept = new Map<string, Promise<ProviderProcess>>();

  async start(options: StartOptions): Promise<Provider> {
    this.#log = options.log;
    (await this.#listen()).rootResource = (options.hasProgram ?? true) ? STACK_URN : "";
    // The looks of a preview share one time limit in their process.
    if (options.fresh || options.preview)
      return new DynamicProvider(await this.#launch(options), true, options.preview);
    return new DynamicProvider(await this.#keep(options), false, false);
  }

  async close(): Promise<void> {
    const running = await Promise.all(this.#kept.values());
    this.#kept.clear();
    await Promise.all(running.map((one) => one.stop()));
    (await this.#engine)?.close();
    this.#engine = undefined;
  }

  #keep(options: StartOptions): Promise<ProviderProcess> {
    const key = JSON.stringify([options.run, options.settings, options.baseUrl]);
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const launched = this.#launch(options);
    this.#kept.set(key, launched);
    return launched;
  }

  async #launch({ settings, baseUrl, token }: StartOptions): Promise<ProviderProcess> {
    const named = Object.entries({ baseUrl, apiToken: token, ...settings });
    const config = Object.fromEntries(named.map(([name, value]) => [`previewenv:${name}`, value]));
    return startDynamic((await this.#listen()).address, config);
  }

  #listen(): Promise<FakeEngine> {
    return (this.#engine ??= FakeEngine.start((line) => this.#log.add(line)));
  }
}

/** The calls of one process. Adds to inputs what the SDK's classes add. */
class DynamicProvider implements Provider {
  readonly #process: ProviderProcess;
  readonly #isOwn: boolean;
  readonly #isPreview: boolean;
  #mayPrint = false;

  constructor(running: ProviderProcess, isOwn: boolean, isPreview: boolean) {
    this.#process = running;
    this.#isPreview = isPreview;
    this.#isOwn = isOwn;
  }

  async check(type: string, olds: Properties, news: Properties, { name, secretPaths }: Step): Promise<Answer> {
    const hint = {
      __identity: `${type}::${name}`,
      ...(secretPaths !== undefined && { __secretPaths: secretPaths.map((path) => path.split(".")) }),
      ...(this.#isPreview && { __preview: true }),
    };
    const given = unmarked({ ...news, ...hint, __provider: providerText(type) });
    const { inputs, failures } = await this.#call((calls) => calls.check("", unmarked(olds), given));
    for (const key of Object.keys(hint))
      if (Object.hasOwn(inputs.bag, key)) throw new Error(`Check keeps ${key}, which no state may have`);
    return { inputs: inputs.bag, failures };
  }

  async diff(_type: string, id: string, olds: Properties, news: Properties): Promise<Verdict> {
    const reply = await this.#call((calls) => calls.diff(comparison(id, olds, news)));
    const { DIFF_NONE, DIFF_SOME } = DiffResponse.DiffChanges;
    const verdict = reply.getChanges();
    const changes = verdict === DIFF_NONE ? "none" : verdict === DIFF_SOME ? "some" : "unknown";
    return { changes, replaces: reply.getReplacesList() };
  }

  async create(_type: string, news: Properties): Promise<{ id: string; outputs: Properties }> {
    const { id, outputs } = await this.#call((calls) => calls.create({ urn: "" }, unmarked(news)));
    return { id, outputs: outputs.bag };
  }

  async read(_type: string, id: string, olds: Properties, inputs: Properties): Promise<Identified | undefined> {
    const found = await this.#read(id, olds);
    // The engine keeps the inputs that it has when the answer is without.
    return found && { ...found, inputs: Object.keys(found.inputs).length === 0 ? inputs : found.inputs };
  }

  lookUp(type: string, id: string, given: Properties): Promise<Identified | undefined> {
    return this.#read(id, { ...given, __provider: providerText(type), __get: true });
  }

  async update(_type: string, id: string, olds: Properties, news: Properties): Promise<Properties> {
    return (await this.#call((calls) => calls.update(comparison(id, olds, news)))).bag;
  }

  async delete(_type: string, id: string, olds: Properties): Promise<void> {
    await this.#call((calls) => calls.delete({ urn: "", id }, unmarked(olds), NOTHING));
  }

  /** Pulumi's process fails before it has a provider, and prints a stack. */
  async import(_type: string, id: string): Promise<undefined> {
    this.#mayPrint = true;
    await this.#call((calls) => calls.read({ urn: "", id }));
  }

  async cancel(): Promise<void> {
    await this.#call((calls) => calls.cancel());
  }

  /** Pulumi's process has no functions. What it answers is what is asserted. */
  async invoke(token: string): Promise<Properties> {
    return (await this.#call((calls) => calls.invoke(token, NOTHING))).bag;
  }

  /** A stack in the user's terminal is nobody's help. */
  async stop(): Promise<void> {
    if (!this.#mayPrint && /^\s+at /mu.test(this.#process.printed))
      throw new Error(`the provider printed a stack: ${this.#process.printed}`);
    if (this.#isOwn) await this.#process.stop();
  }

  async #read(id: string, outputs: Properties): Promise<Identified | undefined> {
    const state = { outputs: unmarked(outputs), inputs: NOTHING };
    const found = await this.#call((calls) => calls.read({ urn: "", id }, state));
    return found.id === "" ? undefined : { id: found.id, outputs: found.outputs.bag, inputs: found.inputs.bag };
  }

  async #call<T>(call: (calls: PluginCalls) => Promise<T>): Promise<T> {
    try {
      return await call(this.#process.calls);
    } catch (error) {
      throw error instanceof CallError ? error.asFailure(({ bag }) => bag) : error;
    }
  }
}

/** Pulumi's process reads neither a URN nor the inputs in state. */
const NOTHING = unmarked({});

function comparison(id: string, olds: Properties, news: Properties): Comparison {
  return { urn: "", id, olds: unmarked(olds), oldInputs: NOTHING, news: unmarked(news) };
}

const BUNDLE = join(ROOT, "dist", "dynamic", "index.js");
const SCRIPT = createRequire(__filename).resolve("@pulumi/pulumi/cmd/dynamic-provider/index.js");

let project: string | undefined;

/** The folder of a program whose `pulumi-previewenv` is the bundle of this checkout. */
function newProject(): string {
  const folder = mkdtempSync(join(tmpdir(), "previewenv-contract-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const entry = join(folder, "node_modules", "pulumi-previewenv", "dynamic.js");
  mkdirSync(dirname(entry), { recursive: true });
  writeFileSync(entry, `module.exports = require(${JSON.stringify(BUNDLE)});`);
  return folder;
}

/**
 * Starts Pulumi's process for dynamic providers as the engine does, in a folder from which `pulumi-previewenv` resolves, with stack
 * config.
 */
export async function startDynamic(
  engineAddress: string,
  config: Readonly<Record<string, string>>,
): Promise<ProviderProcess> {
  const environment = { PULUMI_NODEJS_PROJECT: "contract" };
  const folder = (project ??= newProject());
  const started = await ProviderProcess.start([SCRIPT, engineAddress], { folder, environment, ends: "SIGTERM" });
  await started.calls.configure(unmarked(config));
  return started;
}

import { randomUUID } from "node:crypto";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import * as grpc from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Properties } from "../../provider/src/framework/properties";
import { FakeEngine } from "./fake-engine";
import {
  type Host,
  type Identified,
  type Provider,
  ProviderFailure,
  type Side,
  type StartOptions,
  type Verdict,
} from "./host";
import { LogBook } from "./log-book";

/** The text in every state file; a change of it would break all of them, so it is written out here. */
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
  readonly #kept = new Map<string, Promise<DynamicProcess>>();

  async start(options: StartOptions): Promise<Provider> {
    this.#log = options.log;
    (await this.#listen()).hasProgram = options.hasProgram ?? true;
    const run = options.preview ? randomUUID() : undefined;
    if (options.fresh) return new DynamicProvider(await this.#launch(options), true, run);
    const running = this.#keep(options);
    // The next run comes soon, and a process takes a while to start.
    void this.#keep({ ...options, run: options.run + 1 });
    return new DynamicProvider(await running, false, run);
  }

  async close(): Promise<void> {
    const running = await Promise.all(this.#kept.values());
    this.#kept.clear();
    await Promise.all(running.map((one) => one.stop()));
    (await this.#engine)?.close();
  }

  #keep(options: StartOptions): Promise<DynamicProcess> {
    const key = JSON.stringify([options.run, options.settings, options.baseUrl]);
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const launched = this.#launch(options);
    this.#kept.set(key, launched);
    return launched;
  }

  async #launch({ settings, baseUrl, token }: StartOptions): Promise<DynamicProcess> {
    const named = Object.entries({ baseUrl, apiToken: token, ...settings });
    const config = Object.fromEntries(named.map(([name, value]) => [`previewenv:${name}`, value]));
    return DynamicProcess.start((await this.#listen()).address, config);
  }

  #listen(): Promise<FakeEngine> {
    return (this.#engine ??= FakeEngine.start((line) => this.#log.add(line)));
  }
}

/** The calls of one process. Adds to inputs what the SDK's classes add. */
class DynamicProvider implements Provider {
  readonly #process: DynamicProcess;
  readonly #isOwn: boolean;
  /** Set in a preview: which one it is. */
  readonly #run: string | undefined;
  #mayPrint = false;

  constructor(running: DynamicProcess, isOwn: boolean, run: string | undefined) {
    this.#process = running;
    this.#run = run;
    this.#isOwn = isOwn;
  }

  async check(type: string, olds: Properties, news: Properties): Promise<{ inputs: Properties; failures: string[] }> {
    const request = new messages.CheckRequest();
    request.setOlds(toStruct(olds));
    const hint = this.#run === undefined ? {} : { __preview: this.#run };
    request.setNews(toStruct({ ...news, ...hint, __provider: providerText(type) }));
    const reply = await invoke<messages.CheckResponse>((done) => this.#process.client.check(request, done));
    const failures = reply.getFailuresList().map((failure) => {
      if (failure.getProperty() !== "") throw new Error(`a check failure names ${failure.getProperty()}`);
      return failure.getReason();
    });
    const inputs = fromStruct(reply.getInputs());
    if (Object.hasOwn(inputs, "__preview")) throw new Error("Check keeps what only a preview has");
    return { inputs, failures };
  }

  async diff(_type: string, id: string, olds: Properties, news: Properties): Promise<Verdict> {
    const request = new messages.DiffRequest();
    request.setId(id);
    request.setOlds(toStruct(olds));
    request.setNews(toStruct(news));
    const reply = await invoke<messages.DiffResponse>((done) => this.#process.client.diff(request, done));
    const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;
    const verdict = reply.getChanges();
    const changes = verdict === DIFF_NONE ? "none" : verdict === DIFF_SOME ? "some" : "unknown";
    return { changes, replaces: reply.getReplacesList() };
  }

  async create(_type: string, news: Properties): Promise<{ id: string; outputs: Properties }> {
    const request = new messages.CreateRequest();
    request.setProperties(toStruct(news));
    const reply = await invoke<messages.CreateResponse>((done) => this.#process.client.create(request, done));
    return { id: reply.getId(), outputs: fromStruct(reply.getProperties()) };
  }

  async read(
    _type: string,
    id: string,
    olds: Properties,
  ): Promise<{ outputs: Properties; inputs: Properties } | undefined> {
    const request = new messages.ReadRequest();
    request.setId(id);
    request.setProperties(toStruct(olds));
    const reply = await invoke<messages.ReadResponse>((done) => this.#process.client.read(request, done));
    if (reply.getId() === "") return undefined;
    return { outputs: fromStruct(reply.getProperties()), inputs: fromStruct(reply.getInputs()) };
  }

  async lookUp(type: string, id: string, given: Properties): Promise<Identified | undefined> {
    const request = new messages.ReadRequest();
    request.setId(id);
    request.setProperties(toStruct({ ...given, __provider: providerText(type) }));
    const reply = await invoke<messages.ReadResponse>((done) => this.#process.client.read(request, done));
    if (reply.getId() === "") return undefined;
    const { __provider: _text, ...outputs } = fromStruct(reply.getProperties());
    return { id: reply.getId(), outputs, inputs: fromStruct(reply.getInputs()) };
  }

  async update(_type: string, id: string, olds: Properties, news: Properties): Promise<Properties> {
    const request = new messages.UpdateRequest();
    request.setId(id);
    request.setOlds(toStruct(olds));
    request.setNews(toStruct(news));
    const reply = await invoke<messages.UpdateResponse>((done) => this.#process.client.update(request, done));
    return fromStruct(reply.getProperties());
  }

  async delete(_type: string, id: string, olds: Properties): Promise<void> {
    const request = new messages.DeleteRequest();
    request.setId(id);
    request.setProperties(toStruct(olds));
    await invoke((done) => this.#process.client.delete(request, done));
  }

  /** Pulumi's process fails before it has a provider, and prints a stack. */
  async import(_type: string, id: string): Promise<undefined> {
    this.#mayPrint = true;
    const request = new messages.ReadRequest();
    request.setId(id);
    await invoke<messages.ReadResponse>((done) => this.#process.client.read(request, done));
  }

  async cancel(): Promise<void> {
    await invoke((done) => this.#process.client.cancel(new Empty(), done));
  }

  /** Pulumi's process has no functions; what it answers is what is asserted. */
  async invoke(token: string): Promise<Properties> {
    const request = new messages.InvokeRequest();
    request.setTok(token);
    const reply = await invoke<messages.InvokeResponse>((done) => this.#process.client.invoke(request, done));
    return fromStruct(reply.getReturn());
  }

  /** A stack in the user's terminal is nobody's help. */
  async stop(): Promise<void> {
    if (!this.#mayPrint && /^\s+at /mu.test(this.#process.errors))
      throw new Error(`the provider printed a stack: ${this.#process.errors}`);
    if (this.#isOwn) await this.#process.stop();
  }
}

const ROOT = join(__dirname, "..", "..");
const BUNDLE = join(ROOT, "dist", "dynamic", "index.js");
const SCRIPT = createRequire(__filename).resolve("@pulumi/pulumi/cmd/dynamic-provider/index.js");

/** Of the environment only this: settings come over the wire. */
const PASSED_ON = ["PATH", "NODE_V8_COVERAGE"];
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

/** As the engine does (`sdk/go/common/util/rpcutil`). */
const MAX_BYTES = 400 * 1024 * 1024;

/** The process that Pulumi runs for dynamic providers, and a client for its calls. */
export class DynamicProcess {
  readonly client: ResourceProviderClient;
  readonly #child: ChildProcess;
  #errors = "";

  private constructor(child: ChildProcess, address: string) {
    this.#child = child;
    this.client = new ResourceProviderClient(address, grpc.credentials.createInsecure(), {
      "grpc.max_receive_message_length": MAX_BYTES,
      "grpc-node.max_session_memory": 1000,
    });
    child.stderr?.on("data", (chunk: Buffer) => (this.#errors += chunk.toString("utf8")));
  }

  /** Starts it as the engine does, in a folder from which `pulumi-previewenv` resolves, with stack config. */
  static async start(engineAddress: string, config: Readonly<Record<string, string>>): Promise<DynamicProcess> {
    const passed = Object.fromEntries(PASSED_ON.map((name) => [name, process.env[name]]));
    const child = spawn(process.execPath, [SCRIPT, engineAddress], {
      cwd: (project ??= newProject()),
      env: { ...passed, PULUMI_NODEJS_PROJECT: "contract" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [port]: unknown[] = await once(createInterface(child.stdout), "line");
    const started = new DynamicProcess(child, `127.0.0.1:${String(port)}`);
    const request = new messages.ConfigureRequest();
    request.setArgs(toStruct(config));
    await invoke((done) => started.client.configure(request, done));
    return started;
  }

  /** What it printed for the user to see. */
  get errors(): string {
    return this.#errors;
  }

  async stop(): Promise<void> {
    this.client.close();
    if (this.#child.exitCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.kill();
    await ended;
  }
}

/** Properties as the wire to the engine carries them. */
export function toStruct(bag: Properties): Struct {
  const plain: Record<string, JavaScriptValue> = JSON.parse(JSON.stringify(bag));
  return Struct.fromJavaScript(plain);
}

/** Properties from the wire; empty when there are none. */
export function fromStruct(struct: Struct | undefined): Properties {
  return struct === undefined ? {} : { ...struct.toJavaScript() };
}

/** One call; what it fails with is a ProviderFailure, as the engine reads it. */
export function invoke<T>(call: (done: (error: grpc.ServiceError | null, reply: T) => void) => unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    call((error, reply) => (error === null ? resolve(reply) : reject(toFailure(error))));
  });
}

function toFailure(error: grpc.ServiceError): ProviderFailure {
  const [bytes] = error.metadata.get("grpc-status-details-bin");
  if (bytes === undefined || typeof bytes === "string")
    return new ProviderFailure(error.details, undefined, error.code);
  const [detail] = Status.deserializeBinary(bytes).getDetailsList();
  if (detail === undefined) return new ProviderFailure(error.details);
  const failed = messages.ErrorResourceInitFailed.deserializeBinary(detail.getValue_asU8());
  const outputs = fromStruct(failed.getProperties());
  return new ProviderFailure(error.details, { id: failed.getId(), outputs, reasons: failed.getReasonsList() });
}

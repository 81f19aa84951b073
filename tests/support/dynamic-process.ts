import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import * as grpc from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Properties } from "../../provider/src/framework/properties";
import { ProviderFailure } from "./host";

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

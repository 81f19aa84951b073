import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import * as grpc from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { ROOT } from "./packed";
import { PluginCalls } from "./plugin-calls";

/** The bundle of the native plugin, as users have it. */
export const PLUGIN = join(ROOT, "dist", "plugin", "start.cjs");

/** No proxy listens there. What people except from proxies often lacks this machine. */
const DEAD_PROXY = { http_proxy: "http://127.0.0.1:9", no_proxy: " localhost, .internal" };

/**
 * Of the environment of the tests, a provider gets only this: settings come over the wire. gRPC would ask the proxy for the address of the
 * engine.
 */
function passedOn(): NodeJS.ProcessEnv {
  const kept = Object.fromEntries(["PATH", "NODE_V8_COVERAGE"].map((name) => [name, process.env[name]]));
  return { ...kept, ...DEAD_PROXY };
}

/** As the engine does (`sdk/go/common/util/rpcutil`). */
const MAX_BYTES = 400 * 1024 * 1024;
const MAX_SESSION_MB = 1000;

export interface ProcessStart {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly ends: NodeJS.Signals;
}

/** A provider in a process of its own, and a client for its calls. */
export class ProviderProcess {
  readonly client: ResourceProviderClient;
  readonly calls: PluginCalls;
  readonly #child: ChildProcess;
  readonly #ends: NodeJS.Signals;
  readonly #printed: () => string;

  private constructor(child: ChildProcess, port: string, ends: NodeJS.Signals, printed: () => string) {
    this.client = new ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure(), {
      "grpc.max_receive_message_length": MAX_BYTES,
      "grpc-node.max_session_memory": MAX_SESSION_MB,
    });
    this.calls = new PluginCalls(this.client);
    this.#child = child;
    this.#ends = ends;
    this.#printed = printed;
  }

  /**
   * Starts Node with these arguments. Resolves when the provider has printed its port.
   * @throws Error with what it printed when it ends before
   */
  static async start(args: readonly string[], { folder, environment, ends }: ProcessStart): Promise<ProviderProcess> {
    const child = spawn(process.execPath, args, { cwd: folder, env: { ...passedOn(), ...environment }, stdio: "pipe" });
    let printed = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => void (printed += chunk.toString("utf8")));
    const ended = once(child, "exit").then(([code]) => {
      throw new Error(`the provider ended with ${String(code)} before it printed its port: ${printed}`);
    });
    const [line]: unknown[] = await Promise.race([once(createInterface(child.stdout), "line"), ended]);
    ended.catch(() => undefined);
    const port = String(line);
    return new ProviderProcess(child, port, ends, () => printed.replace(`${port}\n`, ""));
  }

  /** All that it printed beside its port. The engine shows it when the process dies. */
  get printed(): string {
    return this.#printed();
  }

  /** Resolves with the exit code, now or later. `null` when a signal ended it. */
  async ended(): Promise<number | null> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, "exit");
    return this.#child.exitCode;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** As when the engine is killed. */
  loseEngine(): void {
    this.#child.stdin?.destroy();
  }

  async stop(): Promise<number | null> {
    this.client.close();
    this.signal(this.#ends);
    return this.ended();
  }
}

/** What a test may add to the start of the native plugin. */
export interface PluginStart {
  readonly environment?: ProcessStart["environment"];
  readonly preload?: string;
}

/** Starts the native plugin as the engine does. Without an engine it is as if somebody had started it by hand, for engines to attach to. */
export function startPlugin(
  engineAddress: string | undefined,
  { environment = {}, preload }: PluginStart = {},
): Promise<ProviderProcess> {
  const loaded = preload === undefined ? [] : ["-r", preload];
  const attached = engineAddress === undefined ? [] : ["--logtostderr", "-v=9", engineAddress];
  return ProviderProcess.start([...loaded, PLUGIN, ...attached], { folder: ROOT, environment, ends: "SIGINT" });
}

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import * as grpc from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";

const ROOT = join(__dirname, "..", "..");
/** The bundle, as users have it. */
export const PLUGIN = join(ROOT, "dist", "plugin", "start.cjs");

/** What a test may add to the start of a plugin. */
export interface PluginStart {
  readonly environment?: Readonly<Record<string, string>>;
  /** A module that is loaded before the plugin. */
  readonly preload?: string;
}

/** No proxy listens there. What people except from proxies often lacks this machine. */
const DEAD_PROXY = { http_proxy: "http://127.0.0.1:9", no_proxy: " localhost, .internal" };

/**
 * Of the environment of the tests, a provider gets only this: settings come over the wire. gRPC would ask the proxy for the address of the
 * engine.
 */
export function passedOn(): NodeJS.ProcessEnv {
  const kept = Object.fromEntries(["PATH", "NODE_V8_COVERAGE"].map((name) => [name, process.env[name]]));
  return { ...kept, ...DEAD_PROXY };
}

/** As the engine does (`sdk/go/common/util/rpcutil`). */
const MAX_BYTES = 400 * 1024 * 1024;
const MAX_SESSION_MB = 1000;

/** A client for a provider that listens on a port of this machine. */
export function connect(port: unknown): ResourceProviderClient {
  return new ResourceProviderClient(`127.0.0.1:${String(port)}`, grpc.credentials.createInsecure(), {
    "grpc.max_receive_message_length": MAX_BYTES,
    "grpc-node.max_session_memory": MAX_SESSION_MB,
  });
}

/** The native plugin, started as the engine does, and a client for its calls. */
export class PluginProcess {
  readonly client: ResourceProviderClient;
  readonly #child: ChildProcess;
  #printed = "";

  private constructor(child: ChildProcess, port: unknown) {
    this.#child = child;
    this.client = connect(port);
  }

  /**
   * Resolves when the plugin has printed its port. Without an engine it is as if somebody had started it by hand, for engines
   * to attach to. @throws Error with what it printed when it ends before */
  static async start(
    engineAddress: string | undefined,
    { environment = {}, preload }: PluginStart = {},
  ): Promise<PluginProcess> {
    const loaded = preload === undefined ? [] : ["-r", preload];
    const child = spawn(
      process.execPath,
      [...loaded, PLUGIN, ...(engineAddress === undefined ? [] : ["--logtostderr", "-v=9", engineAddress])],
      { cwd: ROOT, env: { ...passedOn(), ...environment }, stdio: "pipe" },
    );
    let printed = "";
    const collect = (chunk: Buffer): void => void (printed += chunk.toString("utf8"));
    child.stderr.on("data", collect);
    const ended = once(child, "exit").then(([code]) => {
      throw new Error(`the plugin ended with ${String(code)} before it printed its port: ${printed}`);
    });
    const [port]: unknown[] = await Promise.race([once(createInterface(child.stdout), "line"), ended]);
    ended.catch(() => undefined);
    child.stderr.off("data", collect);
    const started = new PluginProcess(child, port);
    started.#printed = printed;
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (started.#printed += chunk.toString("utf8")));
    return started;
  }

  /** All that it printed after its port. The engine shows it when the process dies. */
  get printed(): string {
    return this.#printed;
  }

  /** Resolves with the exit code, now or later. `null` when a signal ended it. */
  async ended(): Promise<number | null> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, "exit");
    return this.#child.exitCode;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Ends it as the engine does, and returns the exit code. */
  async stop(): Promise<number | null> {
    this.client.close();
    this.#child.kill("SIGINT");
    return this.ended();
  }
}

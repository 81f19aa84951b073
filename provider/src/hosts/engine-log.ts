import type * as Grpc from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { GetRootResourceRequest, LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import type { Log } from "../framework/context";

/** The engine's log, which shows messages of a provider to people. */
export interface EngineLog {
  /** Sends a message after those before it. */
  send(request: LogRequest): void;
  /** Resolves when all messages so far have arrived or failed: the engine takes none after its run. */
  flushed(): Promise<void>;
  /** Whether a program runs in this run of the engine. True when nobody can tell. */
  runsProgram(): Promise<boolean>;
  /** Closes the connection once all messages so far have arrived. */
  close(): void;
}

/** How long an answer of the engine is waited for. */
const MAX_ANSWER_MS = 5_000;

/**
 * The log of the engine at an address, as it names it in its handshake or as the last argument of the process. It connects with the
 * first message: most previews and refreshes send none.
 * @param loadGrpc The copy of gRPC that the host has.
 */
export function connectEngine(
  address: string | undefined,
  loadGrpc: () => Pick<typeof Grpc, "credentials" | "Metadata">,
): EngineLog | undefined {
  if (address === undefined || !/^[\w.[\]:-]+:\d+$/u.test(address)) return undefined;
  let client: EngineClient | undefined;
  const connect = (): EngineClient => (client ??= new EngineClient(address, loadGrpc().credentials.createInsecure()));
  const options = (): [Grpc.Metadata, { deadline: number }] => [
    new (loadGrpc().Metadata)(),
    { deadline: Date.now() + MAX_ANSWER_MS },
  ];
  // The engine handles calls concurrently: of two messages under way, it may show the later one first. So each waits for the one before.
  let last = Promise.resolve();
  // A lost message must not fail the operation that it is about.
  const deliver = (request: LogRequest): Promise<void> =>
    new Promise((resolve) => void connect().log(request, ...options(), () => resolve()));
  return {
    send: (request) => {
      last = last.then(() => deliver(request));
    },
    flushed: () => last,
    // First of all, Pulumi's SDK for Node.js tells the engine the program's root resource, and the engine keeps it for the run. A plain
    // `destroy` runs no program. Without an answer it counts as running: whoever asks deletes less then.
    runsProgram: () =>
      new Promise((resolve) => {
        connect().getRootResource(new GetRootResourceRequest(), ...options(), (error, response) =>
          resolve(error !== null || response.getUrn() !== ""),
        );
      }),
    close: () => void last.then(() => client?.close()),
  };
}

/** Messages on the row of one resource, or of the stack when `urn` is "". Without an engine they are dropped. */
export function logFor(engine: EngineLog | undefined, urn: string): Log {
  const say = (severity: "INFO" | "WARNING", text: string, ephemeral: boolean): void => {
    engine?.send(
      new LogRequest().setSeverity(LogSeverity[severity]).setMessage(text).setUrn(urn).setEphemeral(ephemeral),
    );
  };
  return {
    info: (text) => say("INFO", text, false),
    warn: (text) => say("WARNING", text, false),
    status: (text) => say("INFO", text, true),
  };
}

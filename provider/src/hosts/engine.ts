import type * as Grpc from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import {
  GetRootResourceRequest,
  LogRequest,
  LogSeverity,
  SetRootResourceRequest,
} from "@pulumi/pulumi/proto/engine_pb";
import type { Log } from "../framework/context";
import { IncompleteError } from "../framework/resource-errors";

/** The engine that runs the command: its log, which shows messages of a provider to people, and what it keeps for the command. */
export interface Engine {
  /** Sends a message after those before it. */
  send(request: LogRequest): void;
  /** Resolves when all messages so far have arrived or failed: the engine takes none after its run. */
  flushed(): Promise<void>;
  /** The URN of the stack, when a program runs in this command. @throws IncompleteError when the engine does not answer */
  rootResource(): Promise<string>;
  /** Tells that a program runs: all providers of the command see it. @throws IncompleteError when the engine does not answer */
  setRootResource(urn: string): Promise<void>;
  /** Closes the connection once all messages so far have arrived. */
  close(): void;
}

/** How long an answer of the engine is waited for. */
const MAX_ANSWER_MS = 30_000;

/** gRPC asks the proxy of `http_proxy` and others for every address, also for one of this machine. */
export const WITHOUT_PROXY = { "grpc.enable_http_proxy": 0 };

/**
 * The engine at an address, as it names it in its handshake or as the last argument of the process. It connects with the
 * first call: most refreshes make none.
 * @param loadGrpc The copy of gRPC that the host has.
 */
export function connectEngine(
  address: string | undefined,
  loadGrpc: () => Pick<typeof Grpc, "credentials" | "Metadata">,
): Engine | undefined {
  if (address === undefined || !/^[\w.[\]:-]+:\d+$/u.test(address)) return undefined;
  let client: EngineClient | undefined;
  const connect = (): EngineClient =>
    (client ??= new EngineClient(address, loadGrpc().credentials.createInsecure(), WITHOUT_PROXY));
  const options = (): [Grpc.Metadata, { deadline: number }] => [
    new (loadGrpc().Metadata)(),
    { deadline: Date.now() + MAX_ANSWER_MS },
  ];
  // The engine handles calls concurrently: of two messages under way, it may show the later one first. So each waits for the one before.
  let last = Promise.resolve();
  // A lost message must not fail the operation that it is about.
  const deliver = (request: LogRequest): Promise<void> =>
    new Promise<void>((resolve) => void connect().log(request, ...options(), () => resolve())).catch(() => undefined);
  return {
    send: (request) => {
      last = last.then(() => deliver(request));
    },
    flushed: () => last,
    rootResource: () =>
      new Promise((resolve, reject) => {
        connect().getRootResource(new GetRootResourceRequest(), ...options(), (error, response) =>
          error === null ? resolve(response.getUrn()) : reject(unanswered(error)),
        );
      }),
    setRootResource: (urn) =>
      new Promise((resolve, reject) => {
        connect().setRootResource(new SetRootResourceRequest().setUrn(urn), ...options(), (error) =>
          error === null ? resolve() : reject(unanswered(error)),
        );
      }),
    close: () => void last.then(() => client?.close()),
  };
}

/**
 * Calls `end` when the engine is gone. A killed engine does not end its providers, and a request that waits would be sent after those of
 * the next run. The engine holds the other end of the standard input, writes nothing to it, and leaves it open.
 */
export function endWithEngine(end: () => void): void {
  process.stdin.once("close", end).resume();
}

/**
 * Whether a program runs in this command, as in an `up`: a plain `destroy` runs none. Another provider process of the command may have
 * told the engine so.
 * @throws IncompleteError when the engine does not say it: a delete depends on it
 */
export async function runsProgram(engine: Engine | undefined): Promise<boolean> {
  if (engine === undefined) throw unanswered();
  return (await engine.rootResource()) !== "";
}

/** No answer is guessed. The text of the error has the engine's address. */
function unanswered(cause?: Grpc.ServiceError): IncompleteError {
  const why = cause === undefined ? "nobody has told its address" : cause.details;
  return new IncompleteError(
    `Pulumi's engine does not say whether a program runs (${why}), so nothing was done. Run the command again.`,
  );
}

/** Messages on the row of one resource, or of the stack when `urn` is "". Without an engine they are dropped. */
export function logFor(engine: Engine | undefined, urn: string): Log {
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

import { credentials, Metadata } from "@grpc/grpc-js";
import type * as EngineService from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import type { Log } from "../../framework/context";
import { runsProgram } from "../running-program";

/** The engine's log, which shows messages of a provider to people. */
export interface EngineLog {
  /** Sends a message after those before it. */
  send(request: LogRequest): void;
  /** Resolves when all messages so far have arrived or failed. */
  flushed(): Promise<void>;
  /** Whether a program runs in this run of the engine; true when nobody can tell. */
  runsProgram(): Promise<boolean>;
  /** Closes the connection after that. */
  close(): void;
}

/** How long a message may wait for the engine's answer before the next one is sent. */
const MAX_ANSWER_MS = 5_000;

/** The log of the engine at an address, as it names it in its handshake or as the last argument of the process. */
export function connectEngine(address: string | undefined): EngineLog | undefined {
  if (address === undefined || !/^[\w.[\]:-]+:\d+$/u.test(address)) return undefined;
  let client: EngineClient | undefined;
  // The engine handles calls concurrently: of two messages under way, it may show the later one first. So each waits for the one before.
  let last = Promise.resolve();
  const deliver = (request: LogRequest): Promise<void> =>
    new Promise((resolve) => {
      // A lost message must not fail the operation that it is about.
      client ??= connect(address);
      client.log(request, new Metadata(), { deadline: Date.now() + MAX_ANSWER_MS }, () => resolve());
    });
  return {
    send: (request) => {
      last = last.then(() => deliver(request));
    },
    flushed: () => last,
    runsProgram: () => runsProgram((client ??= connect(address)), new Metadata()),
    close: () => void last.then(() => client?.close()),
  };
}

/** Most previews and refreshes send no message. */
function connect(address: string): EngineClient {
  const { EngineClient: Client }: typeof EngineService = require("@pulumi/pulumi/proto/engine_grpc_pb");
  return new Client(address, credentials.createInsecure());
}

/** Messages on the row of one resource, or of the stack when `urn` is "". Without an engine they are dropped. */
export function logFor(engine: EngineLog | undefined, urn: string): Log {
  const say = (severity: "INFO" | "WARNING", text: string, ephemeral: boolean): void => {
    const request = new LogRequest();
    request.setSeverity(LogSeverity[severity]);
    request.setMessage(text);
    request.setUrn(urn);
    request.setEphemeral(ephemeral);
    engine?.send(request);
  };
  return {
    info: (text) => say("INFO", text, false),
    warn: (text) => say("WARNING", text, false),
    status: (text) => say("INFO", text, true),
  };
}

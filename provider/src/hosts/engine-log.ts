import { createRequire } from "node:module";
import type * as Grpc from "@grpc/grpc-js";
import type * as EngineService from "@pulumi/pulumi/proto/engine_grpc_pb";
import type * as EngineMessages from "@pulumi/pulumi/proto/engine_pb";
import type { Log } from "../framework/context";
import { runsProgram } from "./running-program";

/**
 * Messages to the person who runs Pulumi, through the engine's own log. The engine starts a provider with its address
 * as the last argument; without one (tests, other hosts) messages are dropped. They have no URN, because a dynamic
 * provider does not know which resource a call is about: the engine shows them on the stack's row.
 */
export function engineLog(address: string | undefined): FlushedLog {
  if (address === undefined || !/^[\w.[\]:-]+:\d+$/u.test(address))
    return {
      info: () => undefined,
      warn: () => undefined,
      status: () => undefined,
      flushed: () => Promise.resolve(),
      runsProgram: () => Promise.resolve(true),
    };
  let engine: Engine | undefined;
  const underWay = new Set<Promise<void>>();
  const log = (severity: "INFO" | "WARNING", text: string, ephemeral: boolean): void => {
    engine ??= connect(address);
    const sent = engine.send(severity, text, ephemeral);
    underWay.add(sent);
    void sent.then(() => underWay.delete(sent));
  };
  return {
    info: (text) => log("INFO", text, false),
    warn: (text) => log("WARNING", text, false),
    status: (text) => log("INFO", text, true),
    flushed: async () => void (await Promise.all(underWay)),
    runsProgram: () => (engine ??= connect(address)).runsProgram(),
  };
}

/** A log whose messages can be waited for: the engine takes none after its run. */
export interface FlushedLog extends Log {
  /** Resolves when all messages so far have arrived or failed. */
  flushed(): Promise<void>;
  /** Whether a program runs in this run of the engine; true when nobody can tell. */
  runsProgram(): Promise<boolean>;
}

/** How long an answer of the engine is waited for. */
const MAX_ANSWER_MS = 5_000;

interface Engine {
  send(severity: "INFO" | "WARNING", text: string, ephemeral: boolean): Promise<void>;
  runsProgram(): Promise<boolean>;
}

function connect(address: string): Engine {
  // The copies that @pulumi/pulumi itself uses: they are loaded already, and protobuf must not be loaded twice.
  const fromPulumi = createRequire(require.resolve("@pulumi/pulumi/package.json"));
  const grpc: typeof Grpc = fromPulumi("@grpc/grpc-js");
  const { EngineClient }: typeof EngineService = require("@pulumi/pulumi/proto/engine_grpc_pb");
  const { LogRequest, LogSeverity }: typeof EngineMessages = require("@pulumi/pulumi/proto/engine_pb");
  const engine = new EngineClient(address, grpc.credentials.createInsecure());
  return {
    send(severity, text, ephemeral) {
      const request = new LogRequest();
      request.setSeverity(LogSeverity[severity]);
      request.setMessage(text);
      request.setEphemeral(ephemeral);
      return new Promise((resolve) => {
        // A lost message must not fail the operation that it is about.
        engine.log(request, new grpc.Metadata(), { deadline: Date.now() + MAX_ANSWER_MS }, () => resolve());
      });
    },
    runsProgram: () => runsProgram(engine, new grpc.Metadata()),
  };
}

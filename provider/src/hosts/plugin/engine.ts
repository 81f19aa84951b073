import { credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import type { Log } from "../../core/context";

/** The engine's own log, where people see what a provider says. */
export type EngineLog = Pick<EngineClient, "log">;

/** The engine at an address, as it names it in its handshake or as the last argument of the process. */
export function connectEngine(address: string | undefined): EngineLog | undefined {
  if (address === undefined || !/^[\w.[\]:-]+:\d+$/u.test(address)) return undefined;
  return new EngineClient(address, credentials.createInsecure());
}

/** Messages on the row of one resource, or of the stack when `urn` is "". Without an engine they go nowhere. */
export function logFor(engine: EngineLog | undefined, urn: string): Log {
  const say = (severity: "INFO" | "WARNING", text: string, ephemeral: boolean): void => {
    const request = new LogRequest();
    request.setSeverity(LogSeverity[severity]);
    request.setMessage(text);
    request.setUrn(urn);
    request.setEphemeral(ephemeral);
    // A lost message must not fail the operation that it is about.
    engine?.log(request, () => undefined);
  };
  return {
    info: (text) => say("INFO", text, false),
    warn: (text) => say("WARNING", text, false),
    status: (text) => say("INFO", text, true),
  };
}

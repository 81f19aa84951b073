import * as grpc from "@grpc/grpc-js";
import { type PluginAttach, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import {
  type CheckRequest,
  type ConfigureRequest,
  ConfigureResponse,
  type GetSchemaRequest,
  GetSchemaResponse,
  type ProviderHandshakeRequest,
} from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { packageVersion } from "../../installation/package-version";
import { startRun } from "../../environment/start-run";
import { checkConfig, diffConfig, handshake, settingsOf } from "./configuration";
import { toServiceError } from "./grpc-errors";
import { construct } from "./construct";
import { connectEngine } from "../engine";
import { invoke } from "./invoke";
import { check, diff } from "./check";
import { create, read, remove, update } from "./lifecycle";
import { type Dependencies, type ProviderSession, ProviderSessions } from "./sessions";

const REAL: Dependencies = {
  startRun,
  connectEngine: (address) => connectEngine(address, () => grpc),
};

/** The calls of a plugin, and what its server reports about connections. */
export type Service = ReturnType<typeof startService>;

/**
 * A plugin's service. The engine at `engineAddress` has started its process. Without one, somebody did by hand. Calls of
 * `pulumirpc.ResourceProvider` that are not here are answered with UNIMPLEMENTED.
 */
export function startService(engineAddress: string | undefined, outside: Dependencies = REAL) {
  const sessions = new ProviderSessions(engineAddress, outside);
  /** A call of the session of its connection. */
  const forSession = <Request, Response>(action: Action<Request, Response>) =>
    unary((request: Request, peer) => withFlushedLogs(sessions.of(peer), action, request));
  const calls = {
    handshake: unary((request: ProviderHandshakeRequest, peer) => {
      sessions.begin(peer, request.getEngineAddress());
      return handshake();
    }),
    // The engine calls it for a plugin that was started by hand. The handshake has told the engine's address already.
    attach: unary((_request: PluginAttach) => new Empty()),
    cancel: unary((_request: Empty, peer) => {
      const session = sessions.of(peer);
      // The answer is sent first: the engine waits for it.
      setImmediate(() => session.cancel());
      return new Empty();
    }),
    getPluginInfo: unary((_request: Empty) => new PluginInfo().setVersion(packageVersion())),
    getSchema: unary((_request: GetSchemaRequest) => new GetSchemaResponse().setSchema(schemaText())),
    // The engine makes this call for each provider that a program uses, and never in a plain `refresh` or `destroy`.
    checkConfig: unary(async (request: CheckRequest, peer) => {
      await sessions.of(peer).noteProgram(request.getUrn());
      return withFlushedLogs(sessions.of(peer), checkConfig, request);
    }),
    diffConfig: unary(diffConfig),
    configure: unary((request: ConfigureRequest, peer) => {
      const { source, provider } = settingsOf(request);
      sessions.configure(peer, source, provider);
      // The handshake has said what the plugin can do.
      return new ConfigureResponse();
    }),
    check: forSession(check),
    diff: forSession(diff),
    create: forSession(create),
    read: forSession(read),
    update: forSession(update),
    delete: forSession(remove),
    invoke: forSession(invoke),
    construct: forSession(construct),
  };
  return {
    calls,
    /** Notes a connection from `peer`. Returns a function to call when it is closed. */
    connect: (peer: string) => sessions.connect(peer),
    end: () => sessions.cancel(),
  };
}

type Action<Request, Response> = (session: ProviderSession, request: Request) => Response | Promise<Response>;

/** Ends a call only when its messages have arrived: the engine accepts none after its run. */
async function withFlushedLogs<Request, Response>(
  session: ProviderSession,
  action: Action<Request, Response>,
  request: Request,
): Promise<Response> {
  try {
    return await action(session, request);
  } finally {
    await session.flushLogs();
  }
}

/** Loaded when the engine asks for it: most runs do not. */
function schemaText(): string {
  const schema: unknown = require("../../../schema.json");
  return JSON.stringify(schema);
}

/** A call with one request and one answer, as gRPC wants it. */
function unary<Request, Response>(action: (request: Request, peer: string) => Response | Promise<Response>) {
  const answer = async (
    call: Pick<grpc.ServerUnaryCall<Request, Response>, "request" | "getPeer">,
    callback: grpc.sendUnaryData<Response>,
  ): Promise<void> => {
    try {
      callback(null, await action(call.request, call.getPeer()));
    } catch (error) {
      callback(toServiceError(error));
    }
  };
  return (...call: Parameters<typeof answer>): void => void answer(...call);
}

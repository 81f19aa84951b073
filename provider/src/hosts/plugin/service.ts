import type { sendUnaryData } from "@grpc/grpc-js";
import { type PluginAttach, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import {
  type CheckRequest,
  type ConfigureRequest,
  type GetSchemaRequest,
  GetSchemaResponse,
  type ProviderHandshakeRequest,
} from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { systemClock } from "../../client/clock";
import { packageVersion } from "../../client/user-agent";
import { startSession } from "../../environment/session";
import { attach, checkConfig, configure, diffConfig, handshake } from "./configuration";
import { toServiceError } from "./failure";
import { connectEngine } from "./engine";
import { invoke } from "./invoke";
import { check, diff } from "./check";
import { create, read, remove, update } from "./lifecycle";
import type { Outside, Run } from "./run";
import { Runs } from "./runs";

const REAL: Outside = { startSession, connectEngine, clock: systemClock };

/** What a plugin answers, and what it has to be told of connections. */
export type Service = ReturnType<typeof startService>;

/** A plugin's service. The engine at `engineAddress` has started its process; without one, somebody did by hand. */
export function startService(engineAddress: string | undefined, outside: Outside = REAL) {
  const runs = new Runs(engineAddress, outside);
  return {
    calls: callsOf(runs),
    /** Notes a connection whose other end is at `peer`. The answer is to be called when it is closed. */
    connect: (peer: string) => runs.open(peer),
    end: () => runs.cancel(),
  };
}

/** The calls of `pulumirpc.ResourceProvider` that this plugin answers; the others are answered with UNIMPLEMENTED. */
function callsOf(runs: Runs) {
  return {
    handshake: unary((request: ProviderHandshakeRequest, peer) => {
      runs.begin(peer, request.getEngineAddress());
      return handshake();
    }),
    attach: unary((request: PluginAttach, peer) => attach(runs.own(peer), request)),
    cancel: within((run, _request: Empty) => {
      // The answer goes out first: the engine waits for it.
      setImmediate(() => run.cancel());
      return new Empty();
    }),
    getPluginInfo: unary((_request: Empty) => {
      const info = new PluginInfo();
      info.setVersion(packageVersion());
      return info;
    }),
    getSchema: unary((_request: GetSchemaRequest) => {
      const response = new GetSchemaResponse();
      response.setSchema(schemaText());
      return response;
    }),
    checkConfig: unary((request: CheckRequest, peer) => telling(runs.own(peer), checkConfig, request)),
    diffConfig: unary(diffConfig),
    configure: unary((request: ConfigureRequest, peer) => configure((source) => runs.configure(peer, source), request)),
    check: spoken(check),
    diff: within(diff),
    create: spoken(create),
    read: spoken(read),
    update: spoken(update),
    delete: spoken(remove),
    invoke: spoken(invoke),
  };

  /** A call that belongs to the run of its connection. */
  function within<Request, Response>(action: Action<Request, Response>) {
    return unary((request: Request, peer) => {
      const run = runs.of(peer);
      return run instanceof Promise ? run.then((found) => action(found, request)) : action(run, request);
    });
  }

  /** A call of that kind that may speak to people. */
  function spoken<Request, Response>(action: Action<Request, Response>) {
    return within((run, request: Request) => telling(run, action, request));
  }
}

type Action<Request, Response> = (run: Run, request: Request) => Response | Promise<Response>;

/** A call is over when people have been told, since the engine takes nothing after its run. */
async function telling<Request, Response>(
  run: Run,
  action: Action<Request, Response>,
  request: Request,
): Promise<Response> {
  try {
    return await action(run, request);
  } finally {
    await run.told();
  }
}

/** Loaded when it is asked for: most runs of the engine never do. */
function schemaText(): string {
  const schema: unknown = require("../../../schema.json");
  return JSON.stringify(schema);
}

/** A call as it came. */
interface Incoming<Request> {
  readonly request: Request;
  /** Address and port of the other end of its connection. */
  getPeer(): string;
}

/** A call with one request and one answer, as gRPC wants it. */
function unary<Request, Response>(action: (request: Request, peer: string) => Response | Promise<Response>) {
  return (call: Incoming<Request>, callback: sendUnaryData<Response>): void =>
    void answer(() => action(call.request, call.getPeer()), callback);
}

async function answer<Response>(
  action: () => Response | Promise<Response>,
  callback: sendUnaryData<Response>,
): Promise<void> {
  try {
    callback(null, await action());
  } catch (error) {
    callback(toServiceError(error));
  }
}

import type { sendUnaryData } from "@grpc/grpc-js";
import { type PluginAttach, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import {
  type CheckRequest,
  type ConfigureRequest,
  type CreateRequest,
  type DeleteRequest,
  type DiffRequest,
  type GetSchemaRequest,
  GetSchemaResponse,
  type InvokeRequest,
  type ProviderHandshakeRequest,
  type ReadRequest,
  type UpdateRequest,
} from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { packageVersion } from "../../client/user-agent";
import { startSession } from "../../core/session";
import { attach, checkConfig, configure, diffConfig, handshake } from "./configuration";
import { toServiceError } from "./failure";
import { connectEngine } from "./engine";
import { invoke } from "./invoke";
import { check, diff } from "./check";
import { create, read, remove, update } from "./lifecycle";
import { type Outside, Run } from "./run";

/** The calls of `pulumirpc.ResourceProvider` that this plugin answers; the others are answered with UNIMPLEMENTED. */
export type Service = ReturnType<typeof startService>;

/** A plugin's service, for the engine at `engineAddress` until a handshake names another one. */
export function startService(engineAddress: string | undefined, outside: Outside = { startSession, connectEngine }) {
  let run = new Run(engineAddress, outside);
  return {
    handshake: unary((request: ProviderHandshakeRequest) => {
      run = new Run(request.getEngineAddress(), outside);
      return handshake();
    }),
    attach: unary((request: PluginAttach) => attach(run, request)),
    cancel: unary((_request: Empty) => {
      const ended = run;
      // The answer goes out first: the engine waits for it.
      setImmediate(() => ended.cancel());
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
    checkConfig: unary((request: CheckRequest) => checkConfig(request)),
    diffConfig: unary((request: DiffRequest) => diffConfig(request)),
    configure: unary((request: ConfigureRequest) => configure(run, request)),
    check: spoken((request: CheckRequest) => check(run, request)),
    diff: unary((request: DiffRequest) => diff(run, request)),
    create: spoken((request: CreateRequest) => create(run, request)),
    read: spoken((request: ReadRequest) => read(run, request)),
    update: spoken((request: UpdateRequest) => update(run, request)),
    delete: spoken((request: DeleteRequest) => remove(run, request)),
    invoke: spoken((request: InvokeRequest) => invoke(run, request)),
    end: () => run.cancel(),
  };

  /** A call that may speak to people: it is over when they have been told, since the engine takes nothing after its run. */
  function spoken<Request, Response>(action: (request: Request) => Response | Promise<Response>) {
    return unary(async (request: Request): Promise<Response> => {
      const { told } = run;
      try {
        return await action(request);
      } finally {
        await told();
      }
    });
  }
}

/** Loaded when it is asked for: most runs of the engine never do. */
function schemaText(): string {
  const schema: unknown = require("../../../schema.json");
  return JSON.stringify(schema);
}

/** A call with one request and one answer, as gRPC wants it. */
function unary<Request, Response>(action: (request: Request) => Response | Promise<Response>) {
  return (call: { readonly request: Request }, callback: sendUnaryData<Response>): void =>
    void answer(() => action(call.request), callback);
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

import type { sendUnaryData, ServerUnaryCall } from "@grpc/grpc-js";
import type { IResourceProviderServer } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { GetSchemaResponse } from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { packageVersion } from "../../client/user-agent";
import { attach, checkConfig, configure, diffConfig, handshake } from "./configuration";
import { toServiceError } from "./failure";
import { invoke } from "./invoke";
import { check, diff } from "./check";
import { create, read, remove, update } from "./lifecycle";
import { Run } from "./run";

/** The calls of `pulumirpc.ResourceProvider` that this plugin answers; the others are answered with UNIMPLEMENTED. */
export type Service = Pick<
  IResourceProviderServer,
  | "handshake"
  | "attach"
  | "cancel"
  | "getPluginInfo"
  | "getSchema"
  | "checkConfig"
  | "diffConfig"
  | "configure"
  | "check"
  | "diff"
  | "create"
  | "read"
  | "update"
  | "delete"
  | "invoke"
>;

/** A plugin's service, for the engine at `engineAddress` until a handshake names another one. */
export function startService(engineAddress: string | undefined): Service & { readonly end: () => void } {
  let run = new Run(engineAddress);
  return {
    handshake: unary((request) => {
      run = new Run(request.getEngineAddress());
      return handshake();
    }),
    attach: unary((request) => attach(run, request)),
    cancel: unary(() => {
      const ended = run;
      // The answer goes out first: the engine waits for it.
      setImmediate(() => ended.cancel());
      return new Empty();
    }),
    getPluginInfo: unary(() => {
      const info = new PluginInfo();
      info.setVersion(packageVersion());
      return info;
    }),
    getSchema: unary(() => {
      const response = new GetSchemaResponse();
      response.setSchema(schemaText());
      return response;
    }),
    checkConfig: unary((request) => checkConfig(request)),
    diffConfig: unary((request) => diffConfig(request)),
    configure: unary((request) => configure(run, request)),
    check: spoken((request) => check(run, request)),
    diff: unary((request) => diff(run, request)),
    create: spoken((request) => create(run, request)),
    read: spoken((request) => read(run, request)),
    update: spoken((request) => update(run, request)),
    delete: spoken((request) => remove(run, request)),
    invoke: spoken((request) => invoke(run, request)),
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
  return (call: ServerUnaryCall<Request, Response>, callback: sendUnaryData<Response>): void =>
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

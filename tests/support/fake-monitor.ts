import * as grpc from "@grpc/grpc-js";
import { type IResourceMonitorServer, ResourceMonitorService } from "@pulumi/pulumi/proto/resource_grpc_pb";
import {
  DeploymentInfo,
  type RegisterResourceOutputsRequest,
  type RegisterResourceRequest,
  RegisterResourceResponse,
  type ResourceInvokeRequest,
  ResourceInvokeResponse,
  ResourceMonitorFeature,
  Result,
} from "@pulumi/pulumi/proto/resource_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";

/** How the engine answers the registration of one resource. */
export interface Registration {
  /** Outputs beside the inputs. */
  readonly outputs?: Record<string, Parameters<typeof Struct.fromJavaScript>[0][string]>;
  /** It failed, and the engine goes on. */
  readonly failed?: boolean;
  /** The engine refuses it. */
  readonly refusal?: string;
  /** It is answered when this resolves. */
  readonly after?: Promise<unknown>;
}

/** The part of the engine that programs and components call. */
export class FakeMonitor {
  readonly address: string;
  /** What was registered, in order. */
  readonly registered: RegisterResourceRequest[] = [];
  readonly outputs: RegisterResourceOutputsRequest[] = [];
  readonly invoked: ResourceInvokeRequest[] = [];
  /** Answers by the name of a resource. */
  readonly answers = new Map<string, Registration>();
  /** What every function answers. */
  found: Parameters<typeof Struct.fromJavaScript>[0] = {};
  readonly #server: grpc.Server;
  readonly #waiting: { readonly name: string; readonly resolve: () => void }[] = [];

  private constructor(server: grpc.Server, port: number) {
    this.#server = server;
    this.address = `127.0.0.1:${port}`;
  }

  /** Listens on a free port of the loopback address. */
  static async start(): Promise<FakeMonitor> {
    const server = new grpc.Server();
    const port = await new Promise<number>((resolve, reject) => {
      const credentials = grpc.ServerCredentials.createInsecure();
      server.bindAsync("127.0.0.1:0", credentials, (error, bound) => (error === null ? resolve(bound) : reject(error)));
    });
    const monitor = new FakeMonitor(server, port);
    server.addService(ResourceMonitorService, monitor.#calls());
    return monitor;
  }

  /** The registration of a resource by its name. @throws when there is none */
  resource(name: string): RegisterResourceRequest {
    const found = this.registered.find((one) => one.getName() === name);
    if (found === undefined) throw new Error(`nothing registered ${name}`);
    return found;
  }

  /** Resolves when a resource of this name is registered. */
  arrival(name: string): Promise<void> {
    return new Promise((resolve) => this.#waiting.push({ name, resolve }));
  }

  close(): void {
    this.#server.forceShutdown();
  }

  #calls(): Pick<
    IResourceMonitorServer,
    "getDeploymentInfo" | "registerResource" | "registerResourceOutputs" | "invoke"
  > {
    return {
      getDeploymentInfo: (_call: unknown, callback: grpc.sendUnaryData<DeploymentInfo>) => {
        const info = new DeploymentInfo();
        const features = Object.values(ResourceMonitorFeature).filter((one) => typeof one === "number");
        info.setSupportedfeaturesList(features);
        callback(null, info);
      },
      registerResource: (
        call: { request: RegisterResourceRequest },
        callback: grpc.sendUnaryData<RegisterResourceResponse>,
      ) => void this.#register(call.request, callback),
      registerResourceOutputs: (
        call: { request: RegisterResourceOutputsRequest },
        callback: grpc.sendUnaryData<Empty>,
      ) => {
        this.outputs.push(call.request);
        callback(null, new Empty());
      },
      invoke: (call: { request: ResourceInvokeRequest }, callback: grpc.sendUnaryData<ResourceInvokeResponse>) => {
        this.invoked.push(call.request);
        const response = new ResourceInvokeResponse();
        response.setReturn(Struct.fromJavaScript(this.found));
        callback(null, response);
      },
    };
  }

  async #register(
    request: RegisterResourceRequest,
    callback: grpc.sendUnaryData<RegisterResourceResponse>,
  ): Promise<void> {
    const name = request.getName();
    const { outputs = {}, failed = false, refusal, after } = this.answers.get(name) ?? {};
    this.registered.push(request);
    for (const { resolve } of this.#waiting.filter((one) => one.name === name)) resolve();
    await after;
    if (refusal !== undefined) return callback({ code: grpc.status.UNKNOWN, details: refusal });
    const response = new RegisterResourceResponse();
    response.setUrn(urnOf(request));
    if (request.getCustom()) response.setId(`id of ${name}`);
    response.setObject(Struct.fromJavaScript({ ...request.getObject()?.toJavaScript(), ...outputs }));
    if (failed) response.setResult(Result.FAIL);
    callback(null, response);
  }
}

function urnOf(request: RegisterResourceRequest): string {
  const [, , types = ""] = request.getParent().split("::");
  const parents = types === "" || types === "pulumi:pulumi:Stack" ? "" : `${types}$`;
  return `urn:pulumi:stack::project::${parents}${request.getType()}::${request.getName()}`;
}

import * as grpc from "@grpc/grpc-js";
import { EngineService, type IEngineServer } from "@pulumi/pulumi/proto/engine_grpc_pb";
import {
  GetRootResourceResponse,
  LogSeverity,
  type LogRequest,
  SetRootResourceResponse,
} from "@pulumi/pulumi/proto/engine_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { LogLine } from "./log-book";

/** What Pulumi's SDK for Node.js tells the engine when a program begins. */
export const STACK_URN = "urn:pulumi:scenario::contract::pulumi:pulumi:Stack::contract-scenario";

/** The engine shows a message later than it comes: meanwhile an answer that does not wait for it arrives. */
const TURNS = 20;

function afterTurns(action: () => void, turns = TURNS): void {
  setImmediate(() => (turns === 0 ? action() : afterTurns(action, turns - 1)));
}

/** The one service of the engine that a provider may call: its log, and the root resource of a program that runs. */
export class FakeEngine {
  readonly address: string;
  /** Kept for a command. Empty: nobody has told of a program. */
  rootResource = "";
  readonly #server: grpc.Server;

  private constructor(address: string, server: grpc.Server) {
    this.address = address;
    this.#server = server;
  }

  /** Listens on a free port of the loopback address. Each line goes to `take`. */
  static async start(take: (line: LogLine) => void): Promise<FakeEngine> {
    const server = new grpc.Server();
    const log: IEngineServer["log"] = ({ request }: grpc.ServerUnaryCall<LogRequest, Empty>, callback) => {
      const severity = request.getSeverity() === LogSeverity.WARNING ? "warning" : "info";
      afterTurns(() => {
        take({ severity, text: request.getMessage(), passing: request.getEphemeral(), urn: request.getUrn() });
        callback(null, new Empty());
      });
    };
    let started: FakeEngine | undefined;
    const getRootResource: IEngineServer["getRootResource"] = (_call, callback) => {
      const response = new GetRootResourceResponse();
      response.setUrn(started?.rootResource ?? "");
      callback(null, response);
    };
    const setRootResource: IEngineServer["setRootResource"] = ({ request }, callback) => {
      if (started !== undefined) started.rootResource = request.getUrn();
      callback(null, new SetRootResourceResponse());
    };
    server.addService(EngineService, { log, getRootResource, setRootResource });
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      );
    });
    started = new FakeEngine(`127.0.0.1:${port}`, server);
    return started;
  }

  close(): void {
    this.#server.forceShutdown();
  }
}

import type { Socket } from "node:net";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import type { Service } from "./service";

/** The limit of Pulumi's own SDKs (`sdk/nodejs/runtime/settings.ts`): thousands of variables fit. */
const MAX_MESSAGE_BYTES = 400 * 1024 * 1024;
/** A call that waits for a build may send nothing for this long. */
const MAX_SILENCE_MS = 24 * 60 * 60 * 1000;

/** What serves the connections of a plugin. */
export interface Serving {
  /** Serves a connection. */
  accept(socket: Socket): void;
  stop(): void;
}

/**
 * Serves the connections that it is given. The plugin accepts connections itself, because gRPC does not report when one is
 * closed.
 */
export function startServer(service: Service): Serving {
  const server = new Server({
    "grpc.max_receive_message_length": MAX_MESSAGE_BYTES,
    "grpc.max_send_message_length": MAX_MESSAGE_BYTES,
    "grpc.server_max_unrequested_time_in_server": MAX_SILENCE_MS,
  });
  server.addService(ResourceProviderService, service.calls);
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  return {
    accept(socket) {
      // In the form that `getPeer` of a call returns.
      const close = service.connect(`${socket.remoteAddress}:${socket.remotePort}`);
      socket.once("close", close);
      injector.injectConnection(socket);
    },
    stop: () => server.forceShutdown(),
  };
}

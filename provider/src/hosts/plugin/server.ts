import { createServer } from "node:net";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import type { Service } from "./service";

/** The limit of Pulumi's own SDKs (`sdk/nodejs/runtime/settings.ts`): thousands of variables fit. */
const MAX_MESSAGE_BYTES = 400 * 1024 * 1024;
/** A call that waits for a build may send nothing for this long. */
const MAX_SILENCE_MS = 24 * 60 * 60 * 1000;

/** Callbacks of a server. */
interface Starting {
  readonly onListening: (port: number) => void;
  readonly onError: (error: Error) => void;
}

/**
 * Serves on a port of the loopback address. It accepts connections itself and passes them to gRPC, because gRPC does not
 * report when a connection is closed.
 */
export function startServer(service: Service, { onListening, onError }: Starting): { readonly stop: () => void } {
  const server = new Server({
    "grpc.max_receive_message_length": MAX_MESSAGE_BYTES,
    "grpc.max_send_message_length": MAX_MESSAGE_BYTES,
    "grpc.server_max_unrequested_time_in_server": MAX_SILENCE_MS,
  });
  server.addService(ResourceProviderService, service.calls);
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const listener = createServer((socket) => {
    // In the form that `getPeer` of a call returns.
    const close = service.connect(`${socket.remoteAddress}:${socket.remotePort}`);
    socket.once("close", close);
    injector.injectConnection(socket);
  });
  listener.on("error", onError);
  listener.listen({ host: "127.0.0.1", port: 0 }, () => {
    const address = listener.address();
    if (address !== null && typeof address === "object") onListening(address.port);
  });
  return { stop: () => server.forceShutdown() };
}

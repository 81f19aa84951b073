import { createServer } from "node:net";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { failComponent } from "./plugin/construct";
import { unexpected } from "../framework/resource-errors";
import { endWithEngine } from "./engine";
import { startService } from "./plugin/service";

/** The limit of Pulumi's own SDKs (`sdk/nodejs/runtime/settings.ts`): thousands of variables fit. */
const MAX_MESSAGE_BYTES = 400 * 1024 * 1024;
/** A call that waits for a build may send nothing for this long. */
const MAX_SILENCE_MS = 24 * 60 * 60 * 1000;

/** Serves the engine that started this process, until the engine ends it. */
function main(): void {
  const engineAddress = process.argv.slice(2).findLast((argument) => !argument.startsWith("-"));
  process.on("uncaughtException", exitWithError);
  process.on("unhandledRejection", (error) => {
    if (!failComponent(error)) exitWithError(error);
  });
  const service = startService(engineAddress);
  const server = new Server({
    "grpc.max_receive_message_length": MAX_MESSAGE_BYTES,
    "grpc.max_send_message_length": MAX_MESSAGE_BYTES,
    "grpc.server_max_unrequested_time_in_server": MAX_SILENCE_MS,
  });
  server.addService(ResourceProviderService, service.calls);
  const stop = (): void => {
    service.end();
    server.forceShutdown();
    process.exit(0);
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  // Without an address the process was started by hand, for engines to attach to.
  if (engineAddress !== undefined) endWithEngine(stop);
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  // The plugin accepts connections itself, because gRPC does not report when one is closed.
  const listener = createServer((socket) => {
    // In the form that `getPeer` of a call returns.
    socket.once("close", service.connect(`${socket.remoteAddress}:${socket.remotePort}`));
    injector.injectConnection(socket);
  });
  listener.on("error", exitWithError);
  listener.listen({ host: "127.0.0.1", port: 0 }, () => {
    const address = listener.address();
    if (address === null || typeof address !== "object") return;
    // The engine reads the port from the first line, and nothing after it.
    process.stdout.write(`${address.port}\n`);
  });
}

/** The engine shows everything that a failing plugin printed: so no message and no stack, which may contain values. */
function exitWithError(error: unknown): void {
  process.stderr.write(`pulumi-resource-previewenv: ${unexpected(error)}\n`, () => process.exit(1));
}

main();

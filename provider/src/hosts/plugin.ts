import { Server, ServerCredentials } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { unexpected } from "./plugin/failure";
import { startService } from "./plugin/service";

/** As Pulumi's own SDKs have it (`sdk/nodejs/runtime/settings.ts`): a stack of thousands of variables fits. */
const LARGEST_MESSAGE_BYTES = 400 * 1024 * 1024;
/** A call may wait for a build this long without a word on the wire. */
const LONGEST_SILENCE_MS = 24 * 60 * 60 * 1000;
const LOOK_FOR_ENGINE_EVERY_MS = 500;

/** Serves the engine that started this process, until it says that it is over. */
function main(): void {
  process.on("uncaughtException", (error) => die(error));
  process.on("unhandledRejection", (error) => die(error));
  const engineAddress = process.argv.slice(2).at(-1);
  const service = startService(engineAddress);
  const server = new Server({
    "grpc.max_receive_message_length": LARGEST_MESSAGE_BYTES,
    "grpc.max_send_message_length": LARGEST_MESSAGE_BYTES,
    "grpc.server_max_unrequested_time_in_server": LONGEST_SILENCE_MS,
  });
  server.addService(ResourceProviderService, service);
  const stop = (): void => {
    service.end();
    server.forceShutdown();
    process.exit(0);
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  // Without an address somebody started it by hand, for engines to attach to.
  if (engineAddress !== undefined) stopWithEngine(stop);
  server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
    if (error !== null) return die(error);
    // The engine counts its seconds from this line, and reads nothing else.
    process.stdout.write(`${port}\n`);
  });
}

/** A killed engine says nothing; its plugins would stay for as long as their last call waits. */
function stopWithEngine(stop: () => void): void {
  const engine = process.ppid;
  setInterval(() => {
    if (process.ppid !== engine) stop();
  }, LOOK_FOR_ENGINE_EVERY_MS).unref();
}

/** What a dying plugin printed, the engine shows in full: so no message and no stack, which may hold values. */
function die(error: unknown): void {
  process.stderr.write(`pulumi-resource-previewenv: ${unexpected(error)}\n`, () => process.exit(1));
}

main();

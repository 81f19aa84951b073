import { unexpected } from "./plugin/failure";
import { startServer } from "./plugin/server";
import { startService } from "./plugin/service";

const LOOK_FOR_ENGINE_EVERY_MS = 500;

/** Serves the engine that started this process, until it says that it is over. */
function main(): void {
  process.on("uncaughtException", (error) => die(error));
  process.on("unhandledRejection", (error) => die(error));
  const engineAddress = process.argv.slice(2).findLast((argument) => !argument.startsWith("-"));
  const service = startService(engineAddress);
  const stop = (): void => {
    service.end();
    server.stop();
    process.exit(0);
  };
  const server = startServer(service, {
    // The engine counts its seconds from this line, and reads nothing else.
    onListening: (port) => process.stdout.write(`${port}\n`),
    onError: die,
  });
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  // Without an address somebody started it by hand, for engines to attach to.
  if (engineAddress !== undefined) stopWithEngine(stop);
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

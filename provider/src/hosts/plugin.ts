import { createServer } from "node:net";
import { failComponent } from "./plugin/construct";
import { startServer } from "./plugin/server";
import { startService } from "./plugin/service";
import { unexpected } from "./plugin/unexpected";

const CHECK_ENGINE_EVERY_MS = 500;

/** Serves the engine that started this process, until the engine ends it. */
function main(): void {
  const engineAddress = process.argv.slice(2).findLast((argument) => !argument.startsWith("-"));
  process.on("uncaughtException", exitWithError);
  process.on("unhandledRejection", (error) => {
    if (!failComponent(error)) exitWithError(error);
  });
  const service = startService(engineAddress);
  const server = startServer(service);
  const stop = (): void => {
    service.end();
    server.stop();
    process.exit(0);
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  // Without an address the process was started by hand, for engines to attach to.
  if (engineAddress !== undefined) stopWithEngine(stop);
  const listener = createServer((socket) => server.accept(socket));
  listener.on("error", exitWithError);
  listener.listen({ host: "127.0.0.1", port: 0 }, () => {
    const address = listener.address();
    if (address === null || typeof address !== "object") return;
    // The engine reads the port from the first line, and nothing after it.
    process.stdout.write(`${address.port}\n`);
  });
}

/** A killed engine does not end its plugins: without this they would run for as long as their last call waits. */
function stopWithEngine(stop: () => void): void {
  const engine = process.ppid;
  setInterval(() => {
    if (process.ppid !== engine) stop();
  }, CHECK_ENGINE_EVERY_MS).unref();
}

/** The engine shows everything that a failing plugin printed: so no message and no stack, which may contain values. */
function exitWithError(error: unknown): void {
  process.stderr.write(`pulumi-resource-previewenv: ${unexpected(error)}\n`, () => process.exit(1));
}

main();

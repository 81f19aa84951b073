import { failComponent } from "./construct";
import { type Serving, startServer } from "./server";
import { startService } from "./service";

export { answeredCalls } from "./service";

/** What serves the calls of an engine. */
export interface Calls extends Serving {
  readonly failComponent: typeof failComponent;
}

/** Serves calls: all that is loaded after the port has been printed. */
export function serveCalls(engineAddress: string | undefined): Calls {
  const service = startService(engineAddress);
  const server = startServer(service);
  const stop = (): void => {
    service.end();
    server.stop();
  };
  return { accept: (socket) => server.accept(socket), stop, failComponent };
}

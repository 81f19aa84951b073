import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { exchange, sendReply, type ExchangeContext, type Target } from "./exchange";
import { limits } from "./limits";

/** Something else that is served beside the service, outside its prefix and its journal. */
export interface Mount {
  /** Whether a path belongs to it. */
  owns(path: string): boolean;
  serve(target: Target, request: IncomingMessage, response: ServerResponse): Promise<void>;
}

/** Where to listen, and what to serve. */
export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  /** Normalised: empty, or with a leading and without a trailing slash. */
  readonly pathPrefix: string;
  readonly mounts: readonly Mount[];
  readonly context: Omit<ExchangeContext, "closing">;
}

/** A server that listens. */
export interface RunningServer {
  /** With the prefix, without a trailing slash. */
  readonly url: string;
  /** Ends every connection at once. */
  close(): Promise<void>;
}

/** Starts listening. Rejects with the system's error when the port is taken. */
export async function listen(options: ServerOptions): Promise<RunningServer> {
  const closing = new AbortController();
  const context = { ...options.context, closing: closing.signal };
  const server = createServer({ keepAliveTimeout: limits.keepAliveMs }, (request, response) => {
    serve(options, context, request, response).catch((error: unknown) => fail(request, response, error));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    url: urlOf(server, options),
    close: () => {
      closing.abort();
      return close(server);
    },
  };
}

async function serve(
  options: ServerOptions,
  context: ExchangeContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const target = toTarget(request.url ?? "/");
  const mount = options.mounts.find((one) => one.owns(target.path));
  if (mount !== undefined) return mount.serve(target, request, response);
  const { pathPrefix } = options;
  if (!target.path.startsWith(`${pathPrefix}/`)) {
    request.resume();
    return sendReply(response, { status: 404, text: `The service is mounted at ${pathPrefix}` });
  }
  return exchange(context, { ...target, path: target.path.slice(pathPrefix.length) }, request, response);
}

/** Mostly the client went away or the sandbox is closing. Otherwise it is a fault's own `match`, headers or `hold`. */
function fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (request.socket.destroyed || response.headersSent || isAbort(error)) return void request.socket.destroy();
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  const reason = error instanceof Error ? error.message : "unknown reason";
  const title = `The sandbox could not carry out this request: ${reason}`;
  sendReply(response, { status: 500, json: { errors: [{ status: 500, title }] } });
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === "AbortError" || error.message === "aborted");
}

/** The address as it was sent: `new URL` would resolve dot segments, which may be names of variables. */
function toTarget(url: string): Target {
  const mark = url.indexOf("?");
  return mark === -1 ? { path: url, query: "" } : { path: url.slice(0, mark), query: url.slice(mark + 1) };
}

function urlOf(server: Server, { host, pathPrefix }: ServerOptions): string {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}${pathPrefix}`;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

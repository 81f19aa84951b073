import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { listen } from "./listen";

/** A request as it came over the wire, with its body: what the sandbox's journal must not keep. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly environmentId: string;
  readonly body: string;
}

const ENVIRONMENT = /\/api\/v1\/environment\/([^/?]+)/u;

/**
 * One address before many sandboxes: an environment's id decides which one answers. For the list of environments it is the
 * one that was routed to last. Keeps what it passed on.
 */
export class Gateway {
  readonly url: string;
  readonly seen: Seen[] = [];
  readonly #server: Server;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #targets = new Map<string, string>();
  #newest: string | undefined;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
    server.on("request", (incoming: IncomingMessage, response: ServerResponse) => this.#pass(incoming, response));
  }

  static async start(): Promise<Gateway> {
    const server = createServer({ keepAliveTimeout: 60_000 });
    return new Gateway(server, `http://127.0.0.1:${await listen(server)}`);
  }

  route(environmentId: string, url: string): void {
    this.#targets.set(environmentId, url);
    this.#newest = url;
  }

  close(): void {
    this.#agent.destroy();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #pass(incoming: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const { method = "", url: path = "" } = incoming;
      const environmentId = ENVIRONMENT.exec(path)?.[1] ?? "";
      const body = Buffer.concat(chunks);
      this.seen.push({ method, path, environmentId, body: body.toString("utf8") });
      const target = environmentId === "" ? this.#newest : this.#targets.get(environmentId);
      if (target === undefined) response.writeHead(404).end();
      else this.#forward(target, incoming, response, body);
    });
  }

  #forward(target: string, incoming: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const { method, url = "" } = incoming;
    const { host: _host, connection: _connection, ...headers } = incoming.headers;
    const onward = request(new URL(url, target), { method: method ?? "GET", headers, agent: this.#agent });
    onward.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    // What the sandbox drops, this end drops too.
    onward.on("error", () => incoming.socket.destroy());
    onward.end(body);
  }
}

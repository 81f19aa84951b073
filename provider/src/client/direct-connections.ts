import * as http from "node:http";
import * as https from "node:https";
import { urlToHttpOptions } from "node:url";
import type { BaseUrl } from "./base-url";
import { type Answer, type Connections, type Exchange, type OutgoingRequest, PendingAnswer } from "./exchange";

/** How long a connection without a request is kept, unless the service announces less. */
const IDLE_MS = 4_000;

/**
 * Connections without a proxy, by Node's own HTTP/1.1 client. Its parser is a part of Node. undici's is WebAssembly, and to
 * compile that costs a process of few requests more than all else that it does with them.
 */
export class DirectConnections implements Connections {
  readonly #agent: http.Agent;
  readonly #service: http.RequestOptions;
  readonly #request: typeof http.request;
  /** The event of a new connection after which the request is written. */
  readonly #opened: "connect" | "secureConnect";

  /** @param maxConnections the most at once */
  constructor({ origin }: BaseUrl, maxConnections: number) {
    const { protocol, hostname, port } = urlToHttpOptions(new URL(origin));
    const isSecure = protocol === "https:";
    const { Agent, request } = isSecure ? https : http;
    this.#agent = new Agent({ keepAlive: true, maxSockets: maxConnections, timeout: IDLE_MS });
    this.#service = { protocol, hostname, port, agent: this.#agent };
    this.#request = request;
    this.#opened = isSecure ? "secureConnect" : "connect";
  }

  async exchange(request: OutgoingRequest, { signal, onSent }: Exchange): Promise<Answer> {
    signal.throwIfAborted();
    const { method, path, headers, body } = request;
    // Without the length, Node would send the body of a DELETE as if it were the next request.
    const length = body === undefined ? undefined : { "content-length": Buffer.byteLength(body) };
    const outgoing = this.#request({ ...this.#service, method, path, headers: { ...headers, ...length } });
    const answer = new PendingAnswer(signal, (reason) => outgoing.destroy(reason));
    let incoming: http.IncomingMessage | undefined;
    outgoing.on("error", (error) => {
      // Bytes after a whole answer end the connection, but change nothing of the answer.
      if (incoming?.complete !== true) answer.end(error);
    });
    outgoing.once("socket", (socket) => {
      if (socket.connecting) socket.once(this.#opened, onSent);
      else onSent();
    });
    outgoing.once("response", (response) => {
      incoming = response;
      answer.start(response.statusCode ?? 0, response.headers);
      response.on("error", (error) => answer.end(error));
      response.once("end", () => answer.end());
      response.on("data", (chunk: Buffer) => {
        const problem = answer.add(chunk);
        if (problem !== undefined) outgoing.destroy(problem);
      });
    });
    // An answer with 101. Without this, Node would close the connection and tell nobody.
    outgoing.once("upgrade", ({ statusCode = 0, headers: answered }, socket) => {
      answer.start(statusCode, answered);
      answer.end();
      socket.destroy();
    });
    outgoing.end(body);
    return answer.whole;
  }

  close(): Promise<void> {
    this.#agent.destroy();
    return Promise.resolve();
  }
}

import { addAbortListener } from "node:events";
import type { IncomingHttpHeaders } from "node:http";
import type { LookupFunction } from "node:net";
import { setImmediate } from "node:timers/promises";
import { Agent, type Dispatcher, EnvHttpProxyAgent } from "undici";
import type { BaseUrl, Proxy } from "./base-url";
import { ConfigError } from "./errors";

/** An answer, whole. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A request as it goes out. */
export interface OutgoingRequest {
  readonly method: string;
  /** With the query, encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** How the sender of a request ends it, and hears of it. */
export interface Exchange {
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Called when the request is about to be written to an open connection: before that it certainly did not reach the service. */
  readonly onSent: () => void;
}

/** The connections to the service. Requests wait when all of them are in use. */
export interface Connections {
  /**
   * Sends a request and reads its answer.
   * @throws what broke the connection before the answer was whole, or the signal's reason
   */
  exchange(request: OutgoingRequest, exchange: Exchange): Promise<Answer>;
  /** Ends all connections. */
  close(): Promise<void>;
}

/** The largest answer that is read: 16 MiB. */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** Stands for the address of a proxy that is none. It is never looked up. */
const NOWHERE = "http://proxy.invalid";
/** A shorter body fits into what the machines between here and the service take in before anybody reads it. */
const LARGE_BODY_BYTES = 64 * 1024;

/** Where connections lead, and their limits. */
export interface ConnectionOptions {
  readonly baseUrl: BaseUrl;
  readonly proxy: Proxy | undefined;
  /** The most at once. */
  readonly maxConnections: number;
  readonly connectTimeoutMs: number;
}

/** The connections of a client, by undici: straight to the service, or through a proxy. */
export class ServiceConnections implements Connections {
  readonly #origin: string;
  readonly #agent: Dispatcher;
  readonly #closing = new AbortController();

  constructor(options: ConnectionOptions) {
    this.#origin = options.baseUrl.origin;
    this.#agent = agentFor(options, this.#closing.signal);
  }

  async exchange(request: OutgoingRequest, exchange: Exchange): Promise<Answer> {
    exchange.signal.throwIfAborted();
    const { method, path, headers } = request;
    const body = request.body === undefined ? null : Buffer.from(request.body);
    // A gateway may refuse a body that it has not read. The rest of it would stand before the next request.
    const reset = body !== null && body.length > LARGE_BODY_BYTES;
    const answer = new PendingAnswer(exchange);
    // The client's own clock limits each attempt, so undici's timeouts are off.
    const limits = { headersTimeout: 0, bodyTimeout: 0 };
    this.#agent.dispatch({ origin: this.#origin, method, path, headers, body, reset, ...limits }, answer);
    using _abort = addAbortListener(exchange.signal, () => answer.abort());
    try {
      return await answer.whole;
    } finally {
      // undici frees a connection one event-loop turn after its answer ended. A request sent before that opens another one.
      await setImmediate();
    }
  }

  async close(): Promise<void> {
    const ended = this.#agent.destroy();
    // undici leaves a connection alone that is not open yet: it would keep the process for as long as opening may take.
    this.#closing.abort();
    await ended;
  }
}

/** The answer to a request, put together piece by piece. */
class PendingAnswer implements Dispatcher.DispatchHandler {
  readonly #exchange: Exchange;
  readonly #result = Promise.withResolvers<Answer>();
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: IncomingHttpHeaders = {};

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  get whole(): Promise<Answer> {
    return this.#result.promise;
  }

  /** Ends the wait at once, also while the connection is being opened. */
  abort(): void {
    this.#result.reject(this.#exchange.signal.reason);
    this.#controller?.abort(new Error("the request was ended"));
  }

  /** The connection is open, and the request is written next. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    // undici then takes it out of its queue.
    this.#exchange.signal.throwIfAborted();
    this.#controller = controller;
    this.#exchange.onSent();
  }

  /** Comes once more after a provisional answer (1xx). */
  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#result.resolve({
      status: this.#status,
      headers: this.#headers,
      // Without a byte order mark, which JSON parsers may ignore (RFC 8259, section 8.1).
      body: new TextDecoder().decode(Buffer.concat(this.#chunks)),
    });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#result.reject(error);
  }
}

function agentFor({ proxy, maxConnections, connectTimeoutMs }: ConnectionOptions, closing: AbortSignal): Dispatcher {
  const options = {
    // HTTP/1.1 only: `connections` then is the number of requests in flight, and each is sent or is not.
    allowH2: false,
    connectTimeout: connectTimeoutMs,
    connections: maxConnections,
    maxResponseSize: MAX_ANSWER_BYTES,
    connect: { signal: closing },
  };
  if (proxy === undefined) return new Agent(options);
  const through = (address: string, lookup?: LookupFunction): Dispatcher =>
    new EnvHttpProxyAgent({
      ...options,
      httpProxy: address,
      httpsProxy: address,
      proxyTls: { allowH2: false, signal: closing, ...(lookup && { lookup }) },
    });
  try {
    return through(proxy.address);
  } catch {
    // Only a request that NO_PROXY does not cover looks for the proxy.
    return through(NOWHERE, (_name, _options, done) => done(unusable(proxy.variable), "", 0));
  }
}

/** Names the variable, and never its value: it may hold a password. */
function unusable(variable: string): ConfigError {
  return new ConfigError(
    `The environment variable ${variable} must be the address of a proxy, such as http://proxy.example.com:8080. ` +
      "Its value is not shown, because it may hold a password.",
  );
}

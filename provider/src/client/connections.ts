import type { LookupFunction } from "node:net";
import { setImmediate } from "node:timers/promises";
import { Agent, type Dispatcher, EnvHttpProxyAgent } from "undici";
import type { BaseUrl } from "./base-url";
import { ConfigError } from "./errors";
import { type Answer, type Connections, type Exchange, type OutgoingRequest, PendingAnswer } from "./exchange";
import type { Proxy } from "./proxy";

/** Statuses below say that the answer is still to come. */
const FINAL = 200;
/** Stands for the address of a proxy that is none. It is never looked up. */
const NOWHERE = "http://proxy.invalid";
/** A shorter body fits into what the machines between here and the service take in before anybody reads it. */
const LARGE_BODY_BYTES = 64 * 1024;

/** What connections need. */
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
    // A gateway may refuse a body that it has not read. What it left of it would stand before the next request.
    const reset = body !== null && body.length > LARGE_BODY_BYTES;
    let controller: Dispatcher.DispatchController | undefined;
    const answer = new PendingAnswer(exchange.signal, (reason) => controller?.abort(reason));
    this.#agent.dispatch(
      // The client's own clock limits each attempt, so undici's timeouts are off.
      { origin: this.#origin, method, path, headers, body, reset, headersTimeout: 0, bodyTimeout: 0 },
      {
        // The connection is open, and the request is written next.
        onRequestStart(started) {
          // undici then takes it out of its queue.
          exchange.signal.throwIfAborted();
          controller = started;
          exchange.onSent();
        },
        onResponseStart(_controller, status, received) {
          if (status >= FINAL) answer.start(status, received);
        },
        onResponseData(_controller, chunk) {
          const problem = answer.add(chunk);
          if (problem !== undefined) controller?.abort(problem);
        },
        onResponseEnd: () => answer.end(),
        onResponseError: (_controller, error) => answer.end(error),
      },
    );
    try {
      return await answer.whole;
    } finally {
      // undici frees a connection one event-loop turn after its answer ended; a request sent before that opens another one.
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

function agentFor({ proxy, maxConnections, connectTimeoutMs }: ConnectionOptions, closing: AbortSignal): Dispatcher {
  const options = {
    // HTTP/1.1 only: `connections` then is the number of requests in flight, and each is sent or is not.
    allowH2: false,
    connectTimeout: connectTimeoutMs,
    connections: maxConnections,
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

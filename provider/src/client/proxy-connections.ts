import { setImmediate } from "node:timers/promises";
import { type Dispatcher, EnvHttpProxyAgent } from "undici";
import type { BaseUrl } from "./base-url";
import { type Answer, type Connections, type Exchange, type OutgoingRequest, PendingAnswer } from "./exchange";

/** Statuses below say that the answer is still to come. */
const FINAL = 200;

/** What a proxy needs. */
export interface ProxyOptions {
  readonly baseUrl: BaseUrl;
  /** Address of the proxy. `NO_PROXY` is applied here. */
  readonly address: string;
  /** The most at once. */
  readonly maxConnections: number;
  readonly connectTimeoutMs: number;
}

/** Connections through a proxy, by undici. */
export class ProxyConnections implements Connections {
  readonly #origin: string;
  readonly #agent: EnvHttpProxyAgent;

  constructor({ baseUrl, address, maxConnections, connectTimeoutMs }: ProxyOptions) {
    this.#origin = baseUrl.origin;
    this.#agent = new EnvHttpProxyAgent({
      // HTTP/1.1 only: `connections` then is the number of requests in flight, and each is sent or is not.
      allowH2: false,
      bodyTimeout: 0,
      headersTimeout: 0,
      connect: { timeout: connectTimeoutMs },
      connections: maxConnections,
      httpProxy: address,
      httpsProxy: address,
    });
  }

  async exchange(request: OutgoingRequest, { signal, onSent }: Exchange): Promise<Answer> {
    signal.throwIfAborted();
    let controller: Dispatcher.DispatchController | undefined;
    const answer = new PendingAnswer(signal, (reason) => controller?.abort(reason));
    this.#agent.dispatch(
      { ...request, origin: this.#origin, body: request.body ?? null },
      {
        onRequestStart(started) {
          if (signal.aborted) return started.abort(signal.reason);
          controller = started;
          onSent();
        },
        onResponseStart(_controller, status, headers) {
          if (status >= FINAL) answer.start(status, headers);
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

  close(): Promise<void> {
    return this.#agent.destroy();
  }
}

import type { Clock } from "./clock";

/**
 * How long 502, 503, 504 and lost connections are borne, for all requests of a client together: so that a thousand requests
 * in an outage do not wait one after the other. It begins with the first such failure after an answer that was none of these,
 * as long as somebody bears it. Once it is over, nobody waits any more until the service has answered otherwise.
 */
export class Outage {
  readonly #clock: Clock;
  readonly #maxMs: number;
  #sinceMs: number | undefined;
  #waiting = 0;
  #end = new AbortController();

  constructor(maxMs: number, clock: Clock) {
    this.#maxMs = maxMs;
    this.#clock = clock;
  }

  /** Aborts when those who wait shall not wait any longer. */
  get end(): AbortSignal {
    return this.#end.signal;
  }

  /** How long it has lasted by now; 0 when there is none. */
  get lastedMs(): number {
    return this.#sinceMs === undefined ? 0 : this.#clock.now() - this.#sinceMs;
  }

  /** A request begins to wait for the service. Once for each request; `leave` ends it. */
  startWaiting(): void {
    this.#waiting += 1;
  }

  /** A request does not wait any more. What nobody has borne for the whole time is forgotten: it was not watched. */
  stopWaiting(): void {
    this.#waiting -= 1;
    if (this.#waiting === 0 && !this.end.aborted) this.#sinceMs = undefined;
  }

  /** A request that bears it has failed. Whether to wait. */
  shouldWait(): boolean {
    this.#sinceMs ??= this.#clock.now();
    if (this.lastedMs >= this.#maxMs) this.#end.abort();
    return !this.end.aborted;
  }

  /** The service has answered, in whatever words. */
  answered(): void {
    this.#sinceMs = undefined;
    if (this.end.aborted) this.#end = new AbortController();
  }
}

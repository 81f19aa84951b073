import type { Clock } from "./clock";

/**
 * The time since the service last answered, for all requests of a client together: so that a thousand requests in an outage
 * do not each wait as long as the first. It begins with the first 502, 503, 504 or lost connection, and counts while some
 * request waits. Once it is longer than `maxMs`, no request waits any more until the service answers again.
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

  /** Aborts when requests must not wait any longer. */
  get end(): AbortSignal {
    return this.#end.signal;
  }

  /** How long it has lasted by now; 0 when there is none. */
  get lastedMs(): number {
    return this.#sinceMs === undefined ? 0 : this.#clock.now() - this.#sinceMs;
  }

  /** A request begins to wait. Once for each request; `stopWaiting` ends it. */
  startWaiting(): void {
    this.#waiting += 1;
  }

  /** A request does not wait any more. When none waits, the start is forgotten: nothing shows whether the service has answered since. */
  stopWaiting(): void {
    this.#waiting -= 1;
    if (this.#waiting === 0 && !this.end.aborted) this.#sinceMs = undefined;
  }

  /** Whether a request that has just failed should wait and try again. */
  shouldWait(): boolean {
    this.#sinceMs ??= this.#clock.now();
    if (this.lastedMs >= this.#maxMs) this.#end.abort();
    return !this.end.aborted;
  }

  /** The service has answered, whatever it said. */
  answered(): void {
    this.#sinceMs = undefined;
    if (this.end.aborted) this.#end = new AbortController();
  }
}

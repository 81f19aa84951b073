import type { Clock } from "./clock";

/** Lets at most `limit` requests be in flight at once, in the order they came, and none during a pause. A 429 starts a pause. */
export class RequestLimiter {
  readonly #limit: number;
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();
  #active = 0;
  #pausedUntilMs = 0;
  #lastSuccessMs = 0;

  constructor(limit: number, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** How long the pause lasts from now on; 0 when there is none. */
  get pauseMs(): number {
    return Math.max(0, this.#pausedUntilMs - this.#clock.now());
  }

  /** When the last request succeeded; 0 before the first success. */
  get lastSuccessMs(): number {
    return this.#lastSuccessMs;
  }

  /** Resolves when a request may go; rejects at once when `signal` aborts. Every request must be ended with `release`. */
  async acquire(signal: AbortSignal): Promise<void> {
    await this.#waitForSlot(signal);
    try {
      await this.#waitForPauseEnd(signal);
    } catch (error) {
      this.release();
      throw error;
    }
  }

  release(): void {
    this.#active -= 1;
    this.#startWaiting();
  }

  /** A request succeeded. */
  succeed(): void {
    this.#lastSuccessMs = this.#clock.now();
  }

  /** The service answered 429: no request is sent for `ms`. */
  rateLimited(ms: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.#clock.now() + ms);
  }

  async #waitForSlot(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#active < this.#limit && this.#waiting.size === 0) {
      this.#active += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const abort = () => {
        this.#waiting.delete(startWaiting);
        reject(signal.reason);
      };
      const startWaiting = () => {
        signal.removeEventListener("abort", abort);
        resolve();
      };
      this.#waiting.add(startWaiting);
      signal.addEventListener("abort", abort, { once: true });
    });
  }

  #startWaiting(): void {
    for (const start of this.#waiting) {
      if (this.#active >= this.#limit) return;
      this.#waiting.delete(start);
      this.#active += 1;
      start();
    }
  }

  async #waitForPauseEnd(signal: AbortSignal): Promise<void> {
    // A pause is over once it was slept through, whatever the clock says then: a test's clock may not move.
    for (let sleptUntilMs = 0; sleptUntilMs < this.#pausedUntilMs;) {
      const untilMs = this.#pausedUntilMs;
      const restMs = untilMs - this.#clock.now();
      if (restMs > 0) await this.#clock.sleep(restMs, signal);
      sleptUntilMs = untilMs;
    }
  }
}

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

  /** Waiting does not help: no request waits any more until the service answers. */
  giveUp(): void {
    this.#end.abort();
  }

  /** The service has answered, whatever it said. */
  answered(): void {
    this.#sinceMs = undefined;
    if (this.end.aborted) this.#end = new AbortController();
  }
}

import type { Clock } from "./clock";

/** Lets at most `limit` requests be in flight at once, in the order they came, and none during a pause. A 429 starts a pause. */
export class RequestLimiter {
  readonly #limit: number;
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();
  #active = 0;
  #pausedUntilMs = 0;

  constructor(limit: number, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** How long the pause lasts from now on. 0 when there is none. */
  get pauseMs(): number {
    return Math.max(0, this.#pausedUntilMs - this.#clock.now());
  }

  /** Resolves when a request may go, and takes a place until the result is disposed. Rejects at once when `signal` aborts. */
  async acquire(signal: AbortSignal): Promise<Disposable> {
    await this.#waitForPlace(signal);
    try {
      while (this.pauseMs > 0) await this.#clock.sleep(this.pauseMs, signal);
      // The request before it may have heard of the abort first, and given its place to this one.
      signal.throwIfAborted();
    } catch (error) {
      this.#release();
      throw error;
    }
    return { [Symbol.dispose]: () => this.#release() };
  }

  /** Gives the place of a request to the one that has waited longest. */
  #release(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#active -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }

  /** The service answered 429: no request is sent for `ms`. */
  rateLimited(ms: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.#clock.now() + ms);
  }

  async #waitForPlace(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#active < this.#limit) {
      this.#active += 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = (): void => {
      this.#waiting.delete(resolve);
      reject(signal.reason);
    };
    this.#waiting.add(resolve);
    signal.addEventListener("abort", abort, { once: true });
    await promise.finally(() => signal.removeEventListener("abort", abort));
  }
}

/** During an outage that is too long. */
const UNSENT_MS = 5_000;

/**
 * Failed attempts in a row, of all requests of a client together, so that a thousand requests in an outage do not each wait as long as
 * the first: 408, 425, 502, 503, 504 and lost connections. Any other answer ends the row, and so does a pause without an attempt. Once it is longer
 * than `maxMs`, whatever waits fails, and others fail unsent for 5 s after a failed attempt. Then one is sent.
 */
export class Outage {
  readonly #clock: Clock;
  readonly #maxMs: number;
  readonly #maxPauseMs: number;
  /** The first failure, and the last one. */
  #failures: { readonly firstMs: number; readonly lastMs: number } | undefined;
  #end = new AbortController();

  /** @param maxPauseMs how long one request and the wait before the next one may take */
  constructor(maxMs: number, maxPauseMs: number, clock: Clock) {
    this.#maxMs = maxMs;
    this.#maxPauseMs = maxPauseMs;
    this.#clock = clock;
  }

  /** Aborts when requests must not wait any longer. */
  get end(): AbortSignal {
    return this.#end.signal;
  }

  /** How long it had lasted when the last attempt failed. */
  get lastedMs(): number {
    return this.#failures === undefined ? 0 : this.#failures.lastMs - this.#failures.firstMs;
  }

  /** Notes that an attempt got no answer, or one that says that the service is away. */
  failed(): void {
    const now = this.#clock.now();
    if (this.#failures !== undefined && now - this.#failures.lastMs > this.#maxPauseMs) this.reset();
    this.#failures = { firstMs: this.#failures?.firstMs ?? now, lastMs: now };
    if (this.lastedMs >= this.#maxMs) this.giveUp();
  }

  /** The outage is over: the service has answered, or nobody has tried for too long. */
  reset(): void {
    this.#failures = undefined;
    if (this.end.aborted) this.#end = new AbortController();
  }

  /** Waiting does not help: no request waits any more until the service answers. */
  giveUp(): void {
    this.#end.abort();
  }

  /** Whether a request may be sent now. */
  shouldSend(): boolean {
    if (this.#failures === undefined || this.lastedMs < this.#maxMs) return true;
    if (this.#clock.now() - this.#failures.lastMs < UNSENT_MS) return false;
    // It counts as failed until it is answered, so that the others wait for what comes of it.
    this.failed();
    return true;
  }
}

import { abortWithAny } from "./concurrency";
import type { Call } from "./call";
import type { Clock } from "./clock";
import { attemptsText, cancelledText, outageText, retryText, unreachableText } from "./error-text";
import {
  ApiError,
  CancelledError,
  ConnectionError,
  type PreviewenvError,
  RateLimitError,
  ResponseShapeError,
  TimeoutError,
  SkippedError,
  UnreachableError,
} from "./errors";
import { Outage, RequestLimiter } from "./request-limiter";
import { retryDelayMs, isOutage, isRetryable, type RetryPolicy } from "./retry";
import { WaitReporter } from "./wait-reporter";

/** Options of {@link Attempts}. */
export interface AttemptsOptions {
  readonly maxConcurrency: number;
  readonly requestTimeoutMs: number;
  readonly retry: RetryPolicy;
  readonly clock: Clock;
}

/** What has happened to a call so far. */
export interface Progress {
  /** Whether this attempt, or an earlier one whose outcome is unknown, may have reached the service. */
  sent: boolean;
  /** Whether an earlier attempt may have taken effect. */
  mayHaveTakenEffect: boolean;
  /** How many attempts were made, and when the first one was. */
  attempts: number;
  firstMs: number;
  retries: number;
  rateLimits: number;
}

/** One attempt, which may set `sent`. */
export type Attempt<T> = (progress: Progress, signal: AbortSignal) => Promise<T>;

const RATE_LIMITED = "it answered 429";

/** Repeats calls where that is safe, within the limits of the settings. One object for all calls of a client. */
export class Attempts {
  readonly limiter: RequestLimiter;
  readonly waitReporter: WaitReporter;
  readonly #options: AttemptsOptions;
  readonly #outage: Outage;
  readonly #closing = new AbortController();
  #isAnswered = false;

  constructor(options: AttemptsOptions) {
    const { maxConcurrency, requestTimeoutMs, clock, retry } = options;
    this.#options = options;
    this.limiter = new RequestLimiter(maxConcurrency, clock);
    this.waitReporter = new WaitReporter(clock);
    const maxOutageMs = retry.maxRetries === undefined ? retry.maxOutageMs : Infinity;
    this.#outage = new Outage(maxOutageMs, requestTimeoutMs + retry.maxRetryAfterMs, clock);
  }

  /** Whether any request was ever answered. */
  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  /** An answer came, whatever it says. With the first one it is certain that the service can be reached. */
  noteAnswer(): void {
    if (!this.#isAnswered) this.#outage.answered();
    this.#isAnswered = true;
  }

  /** Ends all calls with CancelledError. */
  close(): void {
    this.#closing.abort();
  }

  /** Attempts a call until it succeeds or must fail. Throws CancelledError when its signal aborts, else the last attempt's error. */
  async run<T>(call: Call, attempt: Attempt<T>): Promise<T> {
    const progress: Progress = {
      sent: false,
      mayHaveTakenEffect: false,
      attempts: 0,
      firstMs: 0,
      retries: 0,
      rateLimits: 0,
    };
    const scope = new AbortController();
    const release = abortWithAny(scope, call.signal, this.#closing.signal);
    try {
      for (;;) {
        const outcome = await this.#attempt(call, attempt, progress, scope.signal);
        if ("done" in outcome) return outcome.done;
        if (outcome.waitMs > 0) await this.#sleep(outcome.waitMs, outcome.failed, progress, scope.signal);
      }
    } catch (error) {
      if (scope.signal.aborted) throw new CancelledError(cancelledText(call.description, progress.sent), progress.sent);
      throw error;
    } finally {
      release();
    }
  }

  async #attempt<T>(
    call: Call,
    attempt: Attempt<T>,
    progress: Progress,
    signal: AbortSignal,
  ): Promise<{ readonly done: T } | { readonly waitMs: number; readonly failed: PreviewenvError }> {
    await this.#acquire(call, progress, signal);
    try {
      if (call.shouldSend?.() === false)
        throw new SkippedError(`Could not ${call.description}: it was not sent, because it is not needed any more.`);
      if (progress.attempts === 0) progress.firstMs = this.#options.clock.now();
      progress.attempts += 1;
      const done = await attempt(progress, signal);
      this.#outage.answered();
      return { done };
    } catch (error) {
      if (signal.aborted) throw error;
      if (isOutage(error)) this.#outage.failed();
      else if (error instanceof ApiError || error instanceof ResponseShapeError) this.#outage.answered();
      if (error instanceof RateLimitError) {
        this.#afterRateLimit(error, progress);
        return { waitMs: 0, failed: error };
      }
      return this.#delayOrThrow(error, call, progress);
    } finally {
      this.limiter.release();
    }
  }

  /** Fails during an outage that is too long, or becomes so while the request waits for a permit. */
  async #acquire(call: Call, progress: Progress, signal: AbortSignal): Promise<void> {
    const { mayHaveTakenEffect } = progress;
    const unsent = (): Error =>
      new ConnectionError(outageText(call.description, this.#outage.lastedMs, mayHaveTakenEffect), mayHaveTakenEffect);
    if (!this.#outage.shouldSend()) throw unsent();
    const pauseMs = this.limiter.pauseMs;
    if (pauseMs > 0)
      this.waitReporter.note({ reason: RATE_LIMITED, waitedMs: 0, nextMs: pauseMs, attempts: progress.attempts });
    return this.#untilOutageEnds(signal, (ended) => this.limiter.acquire(ended), unsent);
  }

  #sleep(ms: number, failed: PreviewenvError, progress: Progress, signal: AbortSignal): Promise<void> {
    return this.#untilOutageEnds(
      signal,
      (ended) => this.#options.clock.sleep(ms, ended),
      () => this.#withAttempts(failed, progress),
    );
  }

  async #untilOutageEnds<T>(
    signal: AbortSignal,
    wait: (ended: AbortSignal) => Promise<T>,
    toError: () => Error,
  ): Promise<T> {
    const { end } = this.#outage;
    if (end.aborted) return wait(signal);
    const either = new AbortController();
    const release = abortWithAny(either, signal, end);
    try {
      return await wait(either.signal);
    } catch (error) {
      if (signal.aborted || !end.aborted) throw error;
      throw toError();
    } finally {
      release();
    }
  }

  /** 429 holds for every request of this client, so the limiter holds the pause. */
  #afterRateLimit(error: RateLimitError, progress: Progress): void {
    const { clock, retry } = this.#options;
    // A 429 means that this attempt had no effect: a cancellation during the pause is then no ambiguous result.
    progress.sent = progress.mayHaveTakenEffect;
    // Also when this call fails now: the pause holds for other calls too.
    this.limiter.rateLimited(retryDelayMs(progress.rateLimits, error, retry, () => clock.random()));
    const sinceMs = Math.max(progress.firstMs, this.limiter.lastSuccessMs);
    if (clock.now() - sinceMs >= retry.maxRateLimitMs) throw this.#withAttempts(error, progress);
    progress.rateLimits += 1;
    this.#reportWait(RATE_LIMITED, progress, this.limiter.pauseMs);
  }

  #delayOrThrow(
    error: unknown,
    call: Call,
    progress: Progress,
  ): { readonly waitMs: number; readonly failed: PreviewenvError } {
    const { clock, retry } = this.#options;
    if (!isRetryable(error, call.repeatable)) throw error;
    if (!this.#shouldRetry(error, call, progress)) throw this.#withAttempts(error, progress);
    const waitMs = retryDelayMs(progress.retries, error, retry, () => clock.random());
    progress.retries += 1;
    progress.mayHaveTakenEffect ||= progress.sent;
    this.#reportWait(reasonOf(error), progress, waitMs);
    return { waitMs, failed: error };
  }

  #shouldRetry(error: PreviewenvError, { maxRetryMs }: Call, progress: Progress): boolean {
    const { clock, retry } = this.#options;
    if (error instanceof UnreachableError) return this.#shouldRetryUnreachable(progress);
    const triedMs = clock.now() - progress.firstMs;
    if (maxRetryMs !== undefined && triedMs >= maxRetryMs) return false;
    if (retry.maxRetries !== undefined) return progress.retries < retry.maxRetries;
    return !this.#outage.end.aborted && triedMs < retry.maxRequestMs;
  }

  /** Once, for a service that starts at this moment, unless another request has tried that already. */
  #shouldRetryUnreachable({ retries }: Progress): boolean {
    if (retries > 0) this.#outage.giveUp();
    return this.#options.retry.maxRetries !== 0 && !this.#outage.end.aborted;
  }

  #reportWait(reason: string, { firstMs, attempts }: Progress, nextMs: number): void {
    this.waitReporter.note({ reason, waitedMs: this.#options.clock.now() - firstMs, nextMs, attempts });
  }

  /** Adds the number of attempts and their time to the message. */
  #withAttempts(error: PreviewenvError, { attempts, firstMs }: Progress): PreviewenvError {
    const { clock, retry } = this.#options;
    const tried = { attempts, ms: clock.now() - firstMs, outageMs: this.#outage.lastedMs };
    if (error instanceof RateLimitError) error.message += ` ${attemptsText(tried)}.`;
    else if (error instanceof UnreachableError) error.message += ` ${unreachableText(tried)}`;
    else error.message += ` ${retryText(tried, retry.maxRetries)}`;
    return error;
  }
}

function reasonOf(error: PreviewenvError): string {
  if (error instanceof ApiError) return `it answered ${error.status}`;
  return error instanceof TimeoutError ? "no answer in time" : "no answer";
}

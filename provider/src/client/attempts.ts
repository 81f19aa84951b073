import type { Call } from "./call";
import type { Clock } from "./clock";
import { firstOf } from "./concurrency";
import { attemptsText, outageText } from "./error-text";
import {
  ApiError,
  ConnectionError,
  type PreviewenvError,
  RateLimitError,
  ResponseShapeError,
  TimeoutError,
  UnreachableError,
} from "./errors";
import { Outage, RequestLimiter } from "./request-limiter";
import {
  isOutage,
  isRetryable,
  MAX_OUTAGE_MS,
  MAX_RATE_LIMIT_MS,
  MAX_REQUEST_MS,
  MAX_RETRY_AFTER_MS,
  retryDelayMs,
} from "./retry";
import { WaitReporter } from "./wait-reporter";

/** Options of {@link Attempts}. */
export interface AttemptsOptions {
  /** Requests in flight at once. */
  readonly maxConcurrency: number;
  /** For each attempt. */
  readonly requestTimeoutMs: number;
  /** Repetitions after the first attempt; answers with 429 are not counted. Not set: limited by time. */
  readonly maxRetries: number | undefined;
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
  /** How many of them were answered with 429. */
  rateLimits: number;
}

/** An attempt that failed, and how long to wait before the next one. */
export interface Failure {
  readonly error: PreviewenvError;
  readonly waitMs: number;
}

const RATE_LIMITED = "it answered 429";

/** When an attempt of a call may be sent, and whether another one follows. One object for all calls of a client. */
export class Attempts {
  readonly waitReporter: WaitReporter;
  readonly #options: AttemptsOptions;
  readonly #limiter: RequestLimiter;
  readonly #outage: Outage;
  /** When the service last answered anything but 429 and 5xx. */
  #lastSuccessMs = 0;
  #isAnswered = false;

  constructor(options: AttemptsOptions) {
    const { maxConcurrency, requestTimeoutMs, clock, maxRetries } = options;
    this.#options = options;
    this.#limiter = new RequestLimiter(maxConcurrency, clock);
    this.waitReporter = new WaitReporter(clock);
    const maxOutageMs = maxRetries === undefined ? MAX_OUTAGE_MS : Infinity;
    this.#outage = new Outage(maxOutageMs, requestTimeoutMs + MAX_RETRY_AFTER_MS, clock);
  }

  /** Whether any request was ever answered. */
  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  /**
   * Waits until an attempt may be sent. Each one must be ended with `leave`.
   * @throws ConnectionError during an outage that is too long, or becomes so meanwhile; the signal's reason
   */
  async enter(call: Call, { attempts, mayHaveTakenEffect }: Progress, signal: AbortSignal): Promise<void> {
    if (!this.#outage.shouldSend()) throw this.#unsent(call, mayHaveTakenEffect);
    const { pauseMs } = this.#limiter;
    if (pauseMs > 0) this.waitReporter.note({ reason: RATE_LIMITED, waitedMs: 0, nextMs: pauseMs, attempts });
    const { end } = this.#outage;
    using either = firstOf(signal, end.aborted ? undefined : end);
    try {
      await this.#limiter.acquire(either.signal);
    } catch (error) {
      throw !signal.aborted && end.aborted ? this.#unsent(call, mayHaveTakenEffect) : error;
    }
  }

  /** An attempt is over. */
  leave(): void {
    this.#limiter.release();
  }

  /** An answer came, whatever it says. With the first one it is certain that the service can be reached. */
  noteAnswer(isSuccess: boolean): void {
    if (!this.#isAnswered) this.#outage.answered();
    this.#isAnswered = true;
    if (isSuccess) this.#lastSuccessMs = this.#options.clock.now();
  }

  /** An attempt has succeeded. */
  succeeded(): void {
    this.#outage.answered();
  }

  /** An attempt has failed. @throws the error, when no other attempt follows */
  failed(error: unknown, call: Call, progress: Progress): Failure {
    if (isOutage(error)) this.#outage.failed();
    else if (error instanceof ApiError || error instanceof ResponseShapeError) this.#outage.answered();
    if (error instanceof RateLimitError) return this.#rateLimited(error, progress);
    if (!isRetryable(error, call.repeatable)) throw error;
    if (!this.#shouldRetry(error, call, progress)) throw this.#withAttempts(error, progress);
    const waitMs = this.#delayMs(retriesOf(progress), error);
    progress.mayHaveTakenEffect ||= progress.sent;
    this.#reportWait(reasonOf(error), progress, waitMs);
    return { error, waitMs };
  }

  /** Sleeps before the next attempt. @throws the error of the last one when the outage becomes too long meanwhile; the signal's reason */
  async sleep({ error: failed, waitMs }: Failure, progress: Progress, signal: AbortSignal): Promise<void> {
    const { end } = this.#outage;
    using either = firstOf(signal, end.aborted ? undefined : end);
    try {
      if (waitMs > 0) await this.#options.clock.sleep(waitMs, either.signal);
    } catch (error) {
      throw !signal.aborted && end.aborted ? this.#withAttempts(failed, progress) : error;
    }
  }

  #unsent({ description }: Call, mayHaveTakenEffect: boolean): ConnectionError {
    return new ConnectionError(outageText(description, this.#outage.lastedMs, mayHaveTakenEffect), mayHaveTakenEffect);
  }

  /** 429 holds for every request of this client, so the limiter holds the pause. */
  #rateLimited(error: RateLimitError, progress: Progress): Failure {
    const { clock } = this.#options;
    // A 429 means that this attempt had no effect: a cancellation during the pause is then no ambiguous result.
    progress.sent = progress.mayHaveTakenEffect;
    // Also when this call fails now: the pause holds for other calls too.
    this.#limiter.rateLimited(this.#delayMs(progress.rateLimits, error));
    const sinceMs = Math.max(progress.firstMs, this.#lastSuccessMs);
    if (clock.now() - sinceMs >= MAX_RATE_LIMIT_MS) throw this.#withAttempts(error, progress);
    progress.rateLimits += 1;
    this.#reportWait(RATE_LIMITED, progress, this.#limiter.pauseMs);
    return { error, waitMs: 0 };
  }

  #delayMs(retry: number, error: PreviewenvError): number {
    return retryDelayMs(retry, error, this.#options.clock.random());
  }

  #shouldRetry(error: PreviewenvError, { maxRetryMs }: Call, progress: Progress): boolean {
    const { clock, maxRetries } = this.#options;
    if (error instanceof UnreachableError) {
      // Once, for a service that starts at this moment, unless another request has tried that already.
      if (retriesOf(progress) > 0) this.#outage.giveUp();
      return maxRetries !== 0 && !this.#outage.end.aborted;
    }
    const triedMs = clock.now() - progress.firstMs;
    if (maxRetryMs !== undefined && triedMs >= maxRetryMs) return false;
    if (maxRetries !== undefined) return retriesOf(progress) < maxRetries;
    return !this.#outage.end.aborted && triedMs < MAX_REQUEST_MS;
  }

  #reportWait(reason: string, { firstMs, attempts }: Progress, nextMs: number): void {
    this.waitReporter.note({ reason, waitedMs: this.#options.clock.now() - firstMs, nextMs, attempts });
  }

  /** Adds to the message the attempts, their time, and the setting that limits them. */
  #withAttempts(error: PreviewenvError, { attempts, firstMs }: Progress): PreviewenvError {
    const { clock, maxRetries } = this.#options;
    const tried = attemptsText(attempts, clock.now() - firstMs);
    if (error instanceof RateLimitError) error.message += ` ${tried}.`;
    else if (error instanceof UnreachableError) error.message += ` ${tried}: waiting does not help.`;
    else error.message += ` ${tried} (previewenv:maxRetries is ${maxRetries ?? "not set"}).`;
    return error;
  }
}

/** Repetitions before the last attempt, without those after 429. */
function retriesOf({ attempts, rateLimits }: Progress): number {
  return attempts - 1 - rateLimits;
}

function reasonOf(error: PreviewenvError): string {
  if (error instanceof ApiError) return `it answered ${error.status}`;
  return error instanceof TimeoutError ? "no answer in time" : "no answer";
}

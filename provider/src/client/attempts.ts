import type { Call } from "./call";
import type { Clock } from "./clock";
import { seconds } from "./error-text";
import { ApiError, ConnectionError, type PreviewenvError, UnreachableError } from "./errors";
import { Outage, RequestLimiter } from "./request-limiter";
import {
  isOutage,
  isRateLimit,
  isDecision,
  isRetryable,
  isUnavailable,
  MAX_OUTAGE_MS,
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
  /** Repetitions after the first attempt. Answers with 429 are not counted. Not set: limited by time. */
  readonly maxRetries: number | undefined;
  readonly clock: Clock;
}

/** The events of a call so far. */
export class Progress {
  /** Whether this attempt, or an earlier one whose outcome is unknown, may have reached the service. */
  sent = false;
  /** Whether an earlier attempt may have taken effect. */
  mayHaveTakenEffect = false;
  /** How many attempts were made, and when the first one was. */
  attempts = 0;
  firstMs = 0;
  /** How many of them were answered with 429. */
  rateLimits = 0;
  /** Why the last attempt failed, and how long to wait before the next one. */
  lastError: PreviewenvError | undefined;
  waitMs = 0;

  /** Begins another attempt. */
  begin(nowMs: number): void {
    if (this.attempts === 0) this.firstMs = nowMs;
    this.attempts += 1;
    this.noteNoEffect();
  }

  /** This attempt has had no effect: it was not sent yet, or was refused without being acted upon. */
  noteNoEffect(): void {
    this.sent = this.mayHaveTakenEffect;
  }

  /** Repetitions before the last attempt, without those after 429. */
  get retries(): number {
    return this.attempts - 1 - this.rateLimits;
  }
}

const RATE_LIMITED = "it answered 429";

/** When an attempt of a call may be sent, and whether another one follows. One object for all calls of a client. */
export class Attempts {
  readonly waitReporter: WaitReporter;
  readonly #options: AttemptsOptions;
  readonly #limiter: RequestLimiter;
  readonly #outage: Outage;
  /** When the service last accepted or refused a request, for a reason other than its load. */
  #lastAnswerMs = 0;
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
   * Waits until the next attempt may be sent. The result is disposed when the attempt is over.
   * @throws the error of the last attempt, or ConnectionError, when an outage becomes too long. The signal's reason
   */
  async enter(call: Call, progress: Progress, signal: AbortSignal): Promise<Disposable> {
    const { attempts, waitMs } = progress;
    if (!this.#outage.shouldSend()) throw this.#endedBy(call, progress);
    const { end } = this.#outage;
    const either = end.aborted ? signal : AbortSignal.any([signal, end]);
    try {
      if (waitMs > 0) await this.#options.clock.sleep(waitMs, either);
      const { pauseMs } = this.#limiter;
      if (pauseMs > 0) this.waitReporter.note({ reason: RATE_LIMITED, waitedMs: 0, nextMs: pauseMs, attempts });
      return await this.#limiter.acquire(either);
    } catch (error) {
      throw !signal.aborted && end.aborted ? this.#endedBy(call, progress) : error;
    }
  }

  /** Notes an answer. With the first one it is certain that the service can be reached. */
  noteAnswer(status: number): void {
    if (!this.#isAnswered || !isUnavailable(status)) this.#outage.reset();
    this.#isAnswered = true;
    if (isDecision(status)) this.#lastAnswerMs = this.#options.clock.now();
  }

  /** Decides about another attempt after a failed one. @throws the error when none follows */
  retryOrThrow(error: unknown, call: Call, progress: Progress): void {
    if (isOutage(error)) this.#outage.failed();
    if (!isRetryable(error, call.repeatable)) throw error;
    const isLimited = isRateLimit(error);
    const retries = isLimited ? progress.rateLimits : progress.retries;
    const delayMs = retryDelayMs(retries, error, this.#options.clock.random());
    if (isLimited) this.#pause(delayMs, progress);
    if (!this.#shouldRetry(error, call, progress)) throw this.#withAttempts(error, progress);
    progress.lastError = error;
    progress.waitMs = isLimited ? 0 : delayMs;
    progress.mayHaveTakenEffect ||= progress.sent;
    this.#reportWait(error, progress, isLimited ? this.#limiter.pauseMs : delayMs);
  }

  /** The error of a call that an outage ends. */
  #endedBy({ description }: Call, progress: Progress): PreviewenvError {
    if (progress.lastError !== undefined) return this.#withAttempts(progress.lastError, progress);
    const why = `the service has answered no request for ${seconds(this.#outage.lastedMs)}`;
    return new ConnectionError(`Could not ${description}: ${why}. Run the command again later.`, false);
  }

  /** 429 holds for every request of this client, also when this call fails now. So the limiter holds the pause. */
  #pause(ms: number, progress: Progress): void {
    // A 429 means that this attempt had no effect: a cancellation during the pause is then no ambiguous result.
    progress.noteNoEffect();
    progress.rateLimits += 1;
    this.#limiter.rateLimited(ms);
  }

  #shouldRetry(error: PreviewenvError, { maxRetryMs }: Call, { firstMs, retries }: Progress): boolean {
    const { clock, maxRetries } = this.#options;
    const triedMs = clock.now() - firstMs;
    if (isRateLimit(error)) return Math.min(triedMs, clock.now() - this.#lastAnswerMs) < MAX_REQUEST_MS;
    if (error instanceof UnreachableError) {
      // Once, for a service that starts at this moment, unless another request has tried that already.
      if (retries > 0) this.#outage.giveUp();
      return maxRetries !== 0 && !this.#outage.end.aborted;
    }
    if (maxRetryMs !== undefined && triedMs >= maxRetryMs) return false;
    if (maxRetries !== undefined) return retries < maxRetries;
    return !this.#outage.end.aborted && triedMs < MAX_REQUEST_MS;
  }

  #reportWait(error: PreviewenvError, { firstMs, attempts }: Progress, nextMs: number): void {
    const reason = error instanceof ApiError ? `it answered ${error.status}` : "no answer";
    this.waitReporter.note({ reason, waitedMs: this.#options.clock.now() - firstMs, nextMs, attempts });
  }

  /** The error with the attempts, their time, and the setting that limits them. */
  #withAttempts(error: PreviewenvError, { attempts, firstMs }: Progress): PreviewenvError {
    const { clock, maxRetries } = this.#options;
    const time = seconds(clock.now() - firstMs);
    // Where the time is the limit, the number differs from request to request, and tells nobody anything.
    const often = maxRetries === undefined ? `for ${time}` : `${attempts} times in ${time}`;
    const tried = attempts === 1 ? "Tried once" : `Tried ${often}`;
    if (isRateLimit(error)) return error.withMore(` ${tried}.`);
    if (error instanceof UnreachableError) return error.withMore(` ${tried}. Waiting longer does not help.`);
    return error.withMore(` ${tried} (previewenv:maxRetries is ${maxRetries ?? "not set"}).`);
  }
}

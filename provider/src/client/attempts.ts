import { follow } from "./abort";
import type { Call } from "./call";
import type { Clock } from "./clock";
import { attemptsText, cancelledText, notSentText, triedText } from "./error-text";
import {
  ApiError,
  CancelledError,
  ConnectionError,
  type PreviewenvError,
  RateLimitError,
  ResponseShapeError,
  ServerError,
  TimeoutError,
  toApiError,
  WithdrawnError,
} from "./errors";
import { Gate, type Pass } from "./gate";
import { Outage } from "./outage";
import { delayFor, isOutage, mayRetry, patienceIsOver, type RetryPolicy } from "./retry";
import { Waits } from "./waits";

/** What attempts need to know. */
export interface AttemptsOptions {
  readonly maxConcurrency: number;
  readonly retry: RetryPolicy;
  readonly clock: Clock;
}

/** How far a call came. */
export interface Progress {
  readonly startedMs: number;
  /** Whether this attempt, or an earlier one whose outcome is unknown, may have reached the service. */
  sent: boolean;
  /** Whether an earlier attempt may have been acted on. */
  uncertain: boolean;
  /** How often it was tried, whatever came of it, and when first. */
  attempts: number;
  firstMs: number;
  retries: number;
  rateLimits: number;
  /** Whether it is one of those that wait in an outage. */
  isBearing: boolean;
}

/** One attempt, which may set `sent`. */
export type Attempt<T> = (progress: Progress, signal: AbortSignal) => Promise<T>;

const LIMITED = "it answered 429, too many requests";

/** Repeats calls where that is safe, as long and as often as the settings say. One for all calls of a client. */
export class Attempts {
  readonly gate: Gate;
  readonly waits: Waits;
  readonly #options: AttemptsOptions;
  readonly #outage: Outage;
  readonly #closing = new AbortController();

  constructor(options: AttemptsOptions) {
    const { maxConcurrency, clock, retry } = options;
    this.#options = options;
    this.gate = new Gate(maxConcurrency, clock);
    this.waits = new Waits(clock);
    this.#outage = new Outage(retry.outagePatienceMs, clock);
  }

  /** Ends all calls with CancelledError. */
  close(): void {
    this.#closing.abort();
  }

  /** Tries until there is an end. Throws CancelledError when the call's signal aborts, and what the last attempt threw. */
  async run<T>(call: Call, attempt: Attempt<T>): Promise<T> {
    const startedMs = this.#options.clock.now();
    const progress: Progress = {
      startedMs,
      sent: false,
      uncertain: false,
      attempts: 0,
      firstMs: startedMs,
      retries: 0,
      rateLimits: 0,
      isBearing: false,
    };
    const scope = new AbortController();
    const release = follow(scope, call.signal, this.#closing.signal);
    try {
      for (;;) {
        const outcome = await this.#try(call, attempt, progress, scope.signal);
        if ("done" in outcome) return outcome.done;
        if (outcome.waitMs > 0) await this.#sleep(outcome.waitMs, outcome.failed, progress, scope.signal);
      }
    } catch (error) {
      if (scope.signal.aborted) throw new CancelledError(cancelledText(call.doing, progress.sent), progress.sent);
      throw error;
    } finally {
      release();
      if (progress.isBearing) this.#outage.leave();
    }
  }

  async #try<T>(
    call: Call,
    attempt: Attempt<T>,
    progress: Progress,
    signal: AbortSignal,
  ): Promise<{ readonly done: T } | { readonly waitMs: number; readonly failed: PreviewenvError }> {
    const pass = await this.#enter(call, progress, signal);
    try {
      if (call.isWanted?.() === false) throw new WithdrawnError(`Not sent any more: ${call.doing}.`);
      if (progress.attempts === 0) progress.firstMs = this.#options.clock.now();
      progress.attempts += 1;
      const done = await attempt(progress, signal);
      this.#outage.succeed();
      return { done };
    } catch (error) {
      if (signal.aborted) throw error;
      if (error instanceof RateLimitError) {
        this.#outage.succeed();
        this.#slowDown(pass, error, progress);
        return { waitMs: 0, failed: error };
      }
      return this.#waitOrThrow(error, call, progress);
    } finally {
      this.gate.leave();
    }
  }

  /** Those who wait for their turn when patience ends have waited long enough; those who come later try once. */
  async #enter(call: Call, progress: Progress, signal: AbortSignal): Promise<Pass> {
    const pauseMs = this.gate.pauseMs;
    if (pauseMs > 0) this.waits.note({ reason: LIMITED, waitedMs: 0, nextMs: pauseMs, attempts: progress.attempts });
    return this.#untilPatienceEnds(
      signal,
      (ended) => this.gate.enter(ended),
      (lastedMs) => new ConnectionError(notSentText(call.doing, lastedMs, progress.uncertain), progress.uncertain),
    );
  }

  #sleep(ms: number, failed: PreviewenvError, progress: Progress, signal: AbortSignal): Promise<void> {
    return this.#untilPatienceEnds(
      signal,
      (ended) => this.#options.clock.sleep(ms, ended),
      () => this.#tired(failed, progress),
    );
  }

  async #untilPatienceEnds<T>(
    signal: AbortSignal,
    wait: (ended: AbortSignal) => Promise<T>,
    toError: (lastedMs: number) => Error,
  ): Promise<T> {
    const { end } = this.#outage;
    if (end.aborted) return wait(signal);
    const either = new AbortController();
    const release = follow(either, signal, end);
    try {
      return await wait(either.signal);
    } catch (error) {
      if (signal.aborted || !end.aborted) throw error;
      throw toError(this.#outage.lastedMs);
    } finally {
      release();
    }
  }

  /** 429 holds for every request of this client, so the wait is the gate's. */
  #slowDown(pass: Pass, error: RateLimitError, progress: Progress): void {
    const { clock, retry } = this.#options;
    // The service did not act on this attempt: a cancellation during the pause leaves nothing behind.
    progress.sent = progress.uncertain;
    // Also when this call gives up: others, or the same one later, have to bear the pause.
    this.gate.slowDown(
      pass,
      delayFor(progress.rateLimits, error, retry, () => clock.random()),
    );
    const sinceMs = Math.max(progress.startedMs, this.gate.lastSuccessMs);
    if (patienceIsOver(clock.now() - sinceMs, retry)) throw this.#tired(error, progress);
    progress.rateLimits += 1;
    this.#tell(LIMITED, progress, this.gate.pauseMs);
  }

  #waitOrThrow(
    error: unknown,
    call: Call,
    progress: Progress,
  ): { readonly waitMs: number; readonly failed: PreviewenvError } {
    const { clock, retry } = this.#options;
    if (!isOutage(error) && (error instanceof ApiError || error instanceof ResponseShapeError)) this.#outage.succeed();
    if (!mayRetry(error, call.repeatable)) throw error;
    if (!this.#hasPatience(call, progress)) throw this.#tired(error, progress);
    const waitMs = delayFor(progress.retries, error, retry, () => clock.random());
    progress.retries += 1;
    progress.uncertain ||= progress.sent;
    this.#tell(reasonOf(error), progress, waitMs);
    return { waitMs, failed: error };
  }

  #hasPatience({ patienceMs }: Call, progress: Progress): boolean {
    const { clock, retry } = this.#options;
    const triedMs = clock.now() - progress.firstMs;
    if (patienceMs !== undefined && triedMs >= patienceMs) return false;
    if (retry.maxRetries !== undefined) return progress.retries < retry.maxRetries;
    if (!progress.isBearing) this.#outage.enter();
    progress.isBearing = true;
    return this.#outage.isBearable() && triedMs < retry.requestPatienceMs;
  }

  #tell(reason: string, { firstMs, attempts }: Progress, nextMs: number): void {
    this.waits.note({ reason, waitedMs: this.#options.clock.now() - firstMs, nextMs, attempts });
  }

  /** The error with what was done against it. */
  #tired(error: PreviewenvError, { attempts, firstMs }: Progress): PreviewenvError {
    const { clock, retry } = this.#options;
    const tried = { attempts, ms: clock.now() - firstMs, outageMs: this.#outage.lastedMs };
    if (error instanceof RateLimitError) return toApiError(`${error.message} ${attemptsText(tried)}.`, error);
    const text = `${error.message} ${triedText(tried, retry.maxRetries)}`;
    if (error instanceof ServerError) return toApiError(text, error);
    if (error instanceof TimeoutError) return new TimeoutError(text, error.sent);
    return error instanceof ConnectionError ? new ConnectionError(text, error.sent) : error;
  }
}

function reasonOf(error: PreviewenvError): string {
  if (error instanceof ApiError) return `it answered ${error.exchange.status}`;
  return error instanceof TimeoutError ? "no answer in time" : "no answer";
}

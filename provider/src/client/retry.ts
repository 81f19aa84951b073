import { ApiError, ConnectionError, PreviewenvError, RateLimitError, ServerError } from "./errors";

/** How often and how patiently a request is repeated. */
export interface RetryPolicy {
  /** Repetitions after the first attempt; answers with 429 are not counted. Not set: by time, `outagePatienceMs`. */
  readonly maxRetries: number | undefined;
  readonly baseMs: number;
  readonly capMs: number;
  /** The longest that a Retry-After header is believed. */
  readonly retryAfterCapMs: number;
  /** How long 429 is borne without any success in between. */
  readonly rateLimitPatienceMs: number;
  /** How long 502, 503, 504 and lost connections are borne without any other answer in between, by all requests together. */
  readonly outagePatienceMs: number;
  /** The same for one request, when only others are answered. */
  readonly requestPatienceMs: number;
}

/** Backoff of every client; `maxRetries` is the user's setting. */
export const RETRY_TIMES = {
  baseMs: 250,
  capMs: 8_000,
  retryAfterCapMs: 60_000,
  rateLimitPatienceMs: 600_000,
  outagePatienceMs: 60_000,
  requestPatienceMs: 600_000,
} as const;

/**
 * Whether the same request may be sent again. A request that is not repeatable (it queues a build) goes out again
 * only when the service surely did not act on it: nothing was sent, or it answered 429.
 */
export function mayRetry(error: unknown, repeatable: boolean): error is PreviewenvError {
  if (!(error instanceof PreviewenvError) || !error.retryable) return false;
  if (repeatable || error instanceof RateLimitError) return true;
  return error instanceof ConnectionError && !error.sent;
}

/** Whether the service was not there: 502, 503, 504, or no complete answer. */
export function isOutage(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof ServerError && error.retryable);
}

/**
 * Milliseconds to wait before repetition number `retry` (from 0): the service's word when it gave one, else
 * exponential backoff with full jitter. Retry-After of 0 falls back to backoff, or a client would spin.
 */
export function delayFor(retry: number, error: unknown, policy: RetryPolicy, random: () => number): number {
  const askedMs = error instanceof ApiError ? error.retryAfterMs : undefined;
  if (askedMs !== undefined && askedMs > 0) return Math.min(askedMs, policy.retryAfterCapMs);
  return random() * Math.min(policy.capMs, policy.baseMs * 2 ** retry);
}

/** Whether a call that keeps being answered 429 should stop: no request has succeeded for too long. */
export function patienceIsOver(waitedMs: number, policy: RetryPolicy): boolean {
  return waitedMs >= policy.rateLimitPatienceMs;
}

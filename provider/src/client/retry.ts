import { ApiError, ConnectionError, PreviewenvError, RateLimitError, ServerError } from "./errors";

/** How often and how patiently a request is repeated. */
export interface RetryPolicy {
  /** Repetitions after the first attempt; answers with 429 are not counted. Not set: by time, `maxOutageMs`. */
  readonly maxRetries: number | undefined;
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
  /** The longest that a Retry-After header is believed. */
  readonly maxRetryAfterMs: number;
  /** How long 429 is borne without any success in between. */
  readonly maxRateLimitMs: number;
  /** How long 502, 503, 504 and lost connections are borne without any other answer in between, by all requests together. */
  readonly maxOutageMs: number;
  /** The same for one request, when only others are answered. */
  readonly maxRequestMs: number;
}

/** Backoff of every client; `maxRetries` is the user's setting. */
export const RETRY_LIMITS = {
  firstDelayMs: 250,
  maxDelayMs: 8_000,
  maxRetryAfterMs: 60_000,
  maxRateLimitMs: 600_000,
  maxOutageMs: 60_000,
  maxRequestMs: 600_000,
} as const;

/**
 * Whether the same request may be sent again. A request that is not repeatable (it queues a build) goes out again
 * only when the service surely did not act on it: nothing was sent, or it answered 429.
 */
export function isRetryable(error: unknown, repeatable: boolean): error is PreviewenvError {
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
export function retryDelayMs(retry: number, error: unknown, policy: RetryPolicy, random: () => number): number {
  const askedMs = error instanceof ApiError ? error.retryAfterMs : undefined;
  if (askedMs !== undefined && askedMs > 0) return Math.min(askedMs, policy.maxRetryAfterMs);
  return random() * Math.min(policy.maxDelayMs, policy.firstDelayMs * 2 ** retry);
}

/** Whether a call that keeps being answered 429 should stop: no request has succeeded for too long. */
export function isRateLimitedTooLong(waitedMs: number, policy: RetryPolicy): boolean {
  return waitedMs >= policy.maxRateLimitMs;
}

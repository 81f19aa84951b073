import { MS_PER_SECOND } from "./clock";
import { ApiError, ConnectionError, PreviewenvError, RateLimitError, ServerError, UnreachableError } from "./errors";

/** How often, and for how long, a request is repeated. */
export interface RetryPolicy {
  /** Repetitions after the first attempt; answers with 429 are not counted. Not set: limited by time, `maxOutageMs`. */
  readonly maxRetries: number | undefined;
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
  /** The longest wait that a Retry-After header can ask for. */
  readonly maxRetryAfterMs: number;
  /** How long requests are repeated after 429 without a success of any request. */
  readonly maxRateLimitMs: number;
  /** How long all requests together are repeated after 502, 503, 504 and lost connections, without any other answer. */
  readonly maxOutageMs: number;
  /** The same for one request, when only others are answered. */
  readonly maxRequestMs: number;
  /** The wait before the only repetition of a request that cannot reach the service. */
  readonly unreachableDelayMs: number;
}

/** Backoff of every client; `maxRetries` is the user's setting. */
export const RETRY_LIMITS = {
  firstDelayMs: 250,
  maxDelayMs: 8_000,
  maxRetryAfterMs: 60_000,
  maxRateLimitMs: 600_000,
  maxOutageMs: 60_000,
  maxRequestMs: 600_000,
  unreachableDelayMs: 2_000,
} as const;

/**
 * Whether the same request may be sent again. A request that is not repeatable (it queues a build) goes out again
 * only when it certainly had no effect: nothing was sent, or the answer was 429.
 */
export function isRetryable(error: unknown, repeatable: boolean): error is PreviewenvError {
  if (!(error instanceof PreviewenvError)) return false;
  if (!error.retryable && !(error instanceof UnreachableError)) return false;
  if (repeatable || error instanceof RateLimitError) return true;
  return error instanceof ConnectionError && !error.sent;
}

/** Whether the service was not reachable: 502, 503, 504, or no complete answer. */
export function isOutage(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof ServerError && error.retryable);
}

/**
 * Milliseconds to wait before repetition number `retry` (from 0): Retry-After when the service sent it, else
 * exponential backoff with full jitter; always the same for a service that cannot be reached. Retry-After of 0 counts as not sent, or the client would repeat without a pause.
 */
export function retryDelayMs(retry: number, error: unknown, policy: RetryPolicy, random: () => number): number {
  if (error instanceof UnreachableError) return policy.unreachableDelayMs;
  const askedMs = error instanceof ApiError ? error.retryAfterMs : undefined;
  if (askedMs !== undefined && askedMs > 0) return Math.min(askedMs, policy.maxRetryAfterMs);
  return random() * Math.min(policy.maxDelayMs, policy.firstDelayMs * 2 ** retry);
}

const SECONDS = /^\d+(\.\d+)?$/u;
/** RFC 9110: a date begins with the day's name. Without this check `Date.parse` would accept nearly any text. */
const HTTP_DATE = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .*\d/iu;

/** Milliseconds from `nowMs` on that a Retry-After header asks to wait; a date in the past is 0; `undefined` for anything else. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? "";
  if (SECONDS.test(text)) return Number(text) * MS_PER_SECOND;
  if (!HTTP_DATE.test(text)) return undefined;
  const dateMs = Date.parse(text);
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}

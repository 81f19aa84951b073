import { MS_PER_SECOND } from "./clock";
import {
  ApiError,
  ConnectionError,
  isUnavailable,
  type PreviewenvError,
  TOO_MANY_REQUESTS,
  UnreachableError,
} from "./errors";

const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 8_000;
/** The wait before the only repetition of a request that cannot reach the service. */
const UNREACHABLE_DELAY_MS = 2_000;
/** The longest wait that a Retry-After header can ask for. */
export const MAX_RETRY_AFTER_MS = 60_000;
/** How long all requests together are repeated after 502, 503, 504 and lost connections, without any other answer. */
export const MAX_OUTAGE_MS = 60_000;
/** How long one request is repeated when only others are answered, or when every answer is 429. */
export const MAX_REQUEST_MS = 600_000;

/**
 * Whether the same request may be sent again. A request that is not repeatable (it queues a build) goes out again
 * only when it certainly had no effect: nothing was sent, or the answer was 429.
 */
export function isRetryable(error: PreviewenvError, repeatable: boolean): boolean {
  if (error instanceof ConnectionError) return repeatable || !error.sent;
  return isRateLimit(error) || (repeatable && error.retryable);
}

/** Whether the service allows fewer requests. */
export function isRateLimit(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === TOO_MANY_REQUESTS;
}

/** Whether the service was not reachable: 502, 503, 504, or no whole answer. */
export function isOutage(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof ApiError && isUnavailable(error.status));
}

/**
 * Milliseconds to wait before repetition number `retry` (from 0): Retry-After when the service sent it, else
 * exponential backoff with full jitter, for which `random` is a number from 0 to 1. Always the same for a service that cannot be reached.
 * Retry-After of 0 counts as not sent, or the client would repeat without a pause.
 */
export function retryDelayMs(retry: number, error: PreviewenvError, random: number): number {
  if (error instanceof UnreachableError) return UNREACHABLE_DELAY_MS;
  const askedMs = error instanceof ApiError ? error.retryAfterMs : undefined;
  if (askedMs !== undefined && askedMs > 0) return Math.min(askedMs, MAX_RETRY_AFTER_MS);
  return random * Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** retry);
}

const SECONDS = /^\d+(\.\d+)?$/u;
/** RFC 9110: a date begins with the day's name. Without this check `Date.parse` would accept nearly any text. */
const HTTP_DATE = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .*\d/iu;

/** Milliseconds from `nowMs` on that a Retry-After header asks to wait. A date in the past is 0. `undefined` for anything else. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? "";
  if (SECONDS.test(text)) return Number(text) * MS_PER_SECOND;
  if (!HTTP_DATE.test(text)) return undefined;
  const dateMs = Date.parse(text);
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}

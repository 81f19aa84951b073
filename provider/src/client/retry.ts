import { SERVER_ERRORS_FROM } from "./error-text";
import { MS_PER_SECOND } from "./clock";
import {
  ApiError,
  ConnectionError,
  type PreviewenvError,
  ResponseShapeError,
  ServerError,
  UnreachableError,
} from "./errors";

// Which failures allow another attempt, after which wait, and the limits of time. `attempts.ts` applies these rules: it knows the time and
// the number of the attempts, and decides when a request is given up.

const TOO_MANY_REQUESTS = 429;

const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 8_000;
/** The wait before the only repetition of a request that cannot reach the service. */
const UNREACHABLE_DELAY_MS = 2_000;
/** The longest wait that a Retry-After header can ask for. */
export const MAX_RETRY_AFTER_MS = 60_000;
/** How long all requests together are repeated after 408, 425, 502, 503, 504 and lost connections, without any other answer. */
export const MAX_OUTAGE_MS = 60_000;
/** How long one request is repeated when only others are answered, or when every answer is 429. */
export const MAX_REQUEST_MS = 600_000;

/**
 * Whether the same request may be sent again. A request that is not repeatable (it queues a build) goes out again
 * only when it certainly had no effect: nothing was sent, or the answer was 429.
 */
export function isRetryable(error: unknown, repeatable: boolean): error is PreviewenvError {
  if (error instanceof ConnectionError && !error.sent) return true;
  return isRateLimit(error) || (repeatable && isOutage(error));
}

/** Whether the service allows fewer requests. */
export function isRateLimit(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === TOO_MANY_REQUESTS;
}

/** Whether the service has not handled the request: 408, 425, 502, 503, 504, or no whole answer. */
export function isOutage(error: unknown): error is PreviewenvError {
  return error instanceof ConnectionError || (error instanceof ApiError && isUnavailable(error.status));
}

/** Whether a status accepts a request, or refuses it for a reason other than the load: none of 408, 425, 429 and 5xx. */
export function isDecision(status: number): boolean {
  return status < SERVER_ERRORS_FROM && status !== TOO_MANY_REQUESTS && !isUnavailable(status);
}

/** Whether a status says that the service, or its gateway, is away for a while, or has not waited for the request (408, 425). */
export function isUnavailable(status: number): boolean {
  return [408, 425, 502, 503, 504].includes(status);
}

/**
 * Whether a failed request says nothing about what is waited for, so that the wait goes on: 5xx, 408, 425, 429, no answer, or an answer
 * that is not as documented (an undocumented 404 answer too). All waits go by it. Whether one request is repeated, `isRetryable` decides.
 * 401, 403 and other refusals of the service end a wait, and so do an environment that is gone and a service that cannot be reached.
 */
export function isTransient(error: unknown): error is PreviewenvError {
  if (error instanceof ConnectionError) return !(error instanceof UnreachableError);
  return isRateLimit(error) || isOutage(error) || error instanceof ServerError || error instanceof ResponseShapeError;
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

/**
 * Milliseconds that a Retry-After header asks to wait. A date counts from the answer's own date on, because the clocks of service and machine
 * may differ, and without that from `nowMs` on. A date in the past is 0. `undefined` for anything else.
 */
export function parseRetryAfter(
  header: string | undefined,
  answeredAt: string | undefined,
  nowMs: number,
): number | undefined {
  const text = header?.trim() ?? "";
  if (SECONDS.test(text)) return Number(text) * MS_PER_SECOND;
  const dateMs = parseHttpDate(text);
  return dateMs === undefined ? undefined : Math.max(0, dateMs - (parseHttpDate(answeredAt) ?? nowMs));
}

function parseHttpDate(text = ""): number | undefined {
  const dateMs = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(dateMs) ? undefined : dateMs;
}

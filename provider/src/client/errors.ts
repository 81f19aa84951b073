/** What an {@link ApiError} carries beside its message. */
export interface ApiErrorDetails {
  readonly status: number;
  readonly titles: readonly string[];
  readonly retryAfterMs?: number | undefined;
  /** Whether an earlier attempt of the same request may have taken effect. Default false. */
  readonly afterAmbiguousAttempt?: boolean;
}

/** Root of every error this package throws on purpose. */
export abstract class PreviewenvError extends Error {
  override get name(): string {
    return this.constructor.name;
  }

  /** Whether the same request may succeed later, unchanged. */
  get retryable(): boolean {
    return false;
  }
}

/** A setting is missing or wrong; the message names it. */
export class ConfigError extends PreviewenvError {}

/** A value handed to the client cannot be sent, such as an id that is not a UUID; nothing was sent. */
export class ArgumentError extends PreviewenvError {}

/** The service answered, and refused (or redirected, which is never followed). */
export class ApiError extends PreviewenvError {
  readonly status: number;
  /** The titles in the answer, ready for display; empty when it has none. */
  readonly titles: readonly string[];
  /** How long the service asked to wait. */
  readonly retryAfterMs: number | undefined;
  readonly afterAmbiguousAttempt: boolean;

  constructor(message: string, details: ApiErrorDetails) {
    super(message);
    this.status = details.status;
    this.titles = details.titles;
    this.retryAfterMs = details.retryAfterMs;
    this.afterAmbiguousAttempt = details.afterAmbiguousAttempt ?? false;
  }
}

/** 400 or 422: the request is invalid, or the environment is not in a state that allows it. */
export class InvalidRequestError extends ApiError {}

/** 401: the token is missing or wrong. */
export class AuthenticationError extends ApiError {}

/** The documented 404 answer: the environment or the variable does not exist for this organization. */
export class NotFoundError extends ApiError {}

/** 413: too many variables, or too large, for one request. */
export class PayloadTooLargeError extends ApiError {}

/** 429: too many requests, for longer than the client retries. */
export class RateLimitError extends ApiError {
  override get retryable(): boolean {
    return true;
  }
}

const RETRYABLE_STATUSES: readonly number[] = [502, 503, 504];

/** 5xx: the service failed; 502, 503 and 504 are retryable. */
export class ServerError extends ApiError {
  override get retryable(): boolean {
    return RETRYABLE_STATUSES.includes(this.status);
  }
}

/** No complete answer came: refused, reset, name not found, connection lost. */
export class ConnectionError extends PreviewenvError {
  /** Whether the request may have reached the service. */
  readonly sent: boolean;

  constructor(message: string, sent: boolean) {
    super(message);
    this.sent = sent;
  }

  override get retryable(): boolean {
    return true;
  }
}

/** No answer came, and none ever did in this process, for a reason that waiting does not change: a wrong address, certificate, proxy. */
export class UnreachableError extends ConnectionError {
  override get retryable(): boolean {
    return false;
  }
}

/** No complete answer came within the request timeout. */
export class TimeoutError extends ConnectionError {}

/** The caller's signal aborted, or the client was closed. */
export class CancelledError extends PreviewenvError {
  /** Whether the request may have reached the service. */
  readonly sent: boolean;

  constructor(message: string, sent: boolean) {
    super(message);
    this.sent = sent;
  }
}

/** `shouldSend` of the call answered `false`: nothing was sent. */
export class SkippedError extends PreviewenvError {}

/** The answer does not have the documented shape. */
export class ResponseShapeError extends PreviewenvError {}

/**
 * An undocumented 404 answer: a gateway, a proxy or a login page may have answered in the service's place. It does not tell
 * what exists.
 */
export class UndocumentedNotFoundError extends ResponseShapeError {}

const SERVER_ERRORS_FROM = 500;
const classes: ReadonlyMap<number, typeof ApiError> = new Map<number, typeof ApiError>([
  [400, InvalidRequestError],
  [401, AuthenticationError],
  [404, NotFoundError],
  [413, PayloadTooLargeError],
  [422, InvalidRequestError],
  [429, RateLimitError],
]);

/** The one place that turns a status into a class. */
export function toApiError(message: string, details: ApiErrorDetails): ApiError {
  const { status } = details;
  const Class = classes.get(status) ?? (status >= SERVER_ERRORS_FROM ? ServerError : ApiError);
  return new Class(message, details);
}

/** Whether the service may have acted on a request that failed. */
export function mayHaveActed(error: unknown): error is PreviewenvError {
  if (error instanceof ConnectionError || error instanceof CancelledError) return error.sent;
  // A page of a gateway does not say whether the service got the request.
  return error instanceof ServerError || error instanceof ResponseShapeError;
}

/**
 * Whether a failed request says nothing about what is waited for, so that the wait goes on: 5xx, 429, no answer, or an answer
 * that is not as documented (an undocumented 404 answer too). The one place that decides it.
 * 401, 403 and other refusals of the service end a wait, and so does an environment that is gone.
 */
export function isTransient(error: unknown): error is PreviewenvError {
  if (!(error instanceof PreviewenvError)) return false;
  return error.retryable || error instanceof ServerError || error instanceof ResponseShapeError;
}

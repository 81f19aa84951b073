/** A request and its status, safe to print: no query, no headers, no bodies; names in the path stay percent-encoded. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

/** What an {@link ApiError} carries beside its message. */
export interface ApiErrorDetails {
  readonly exchange: Exchange;
  readonly titles: readonly string[];
  readonly retryAfterMs?: number | undefined;
  /** Default false. */
  readonly afterUnanswered?: boolean | undefined;
}

const BRAND: unique symbol = Symbol.for("pulumi-previewenv.error");

/** Root of every error this package throws on purpose. */
export abstract class PreviewenvError extends Error {
  /** Stable: callers and tests match on it, never on the text. */
  abstract readonly code: string;

  constructor(message: string) {
    super(message);
    // Not enumerable, so that printing an error does not show it.
    Object.defineProperty(this, BRAND, { value: classNames(new.target) });
  }

  override get name(): string {
    return this.constructor.name;
  }

  /** Whether the same request may succeed later, unchanged. */
  get retryable(): boolean {
    return false;
  }

  /** Like `instanceof`, and true as well for an error made by another copy of this package. */
  static isInstance<T>(this: abstract new (...args: never[]) => T, value: unknown): value is T {
    if (typeof value !== "object" || value === null || !(BRAND in value)) return false;
    const names = value[BRAND];
    return Array.isArray(names) && names.includes(this.name);
  }
}

/** Names of a class and its ancestors up to PreviewenvError. */
function classNames(start: { readonly name: string }): readonly string[] {
  const names: string[] = [];
  for (let at: unknown = start; typeof at === "function" && at !== Error; at = Object.getPrototypeOf(at)) {
    if (at.name !== "") names.push(at.name);
  }
  return names;
}

/** A setting is missing or wrong; the message names it. */
export class ConfigError extends PreviewenvError {
  readonly code = "config";
}

/** A value handed to the client cannot be sent, such as an id that is not a UUID; nothing was sent. */
export class ArgumentError extends PreviewenvError {
  readonly code = "invalid_argument";
}

/** The service answered, and refused (or redirected, which is never followed). */
export class ApiError extends PreviewenvError {
  readonly code: string = "api_error";
  readonly exchange: Exchange;
  /** The titles in the answer, ready for display; empty when it has none. */
  readonly titles: readonly string[];
  /** How long the service asked to wait. */
  readonly retryAfterMs: number | undefined;
  /** Whether an earlier attempt of the same request may have taken effect. */
  readonly afterAmbiguousAttempt: boolean;

  constructor(message: string, details: ApiErrorDetails) {
    super(message);
    this.exchange = details.exchange;
    this.titles = details.titles;
    this.retryAfterMs = details.retryAfterMs;
    this.afterAmbiguousAttempt = details.afterUnanswered ?? false;
  }
}

/** 400 or 422: the request is invalid, or the environment is not in a state that allows it. */
export class InvalidRequestError extends ApiError {
  override readonly code = "invalid_request";
}

/** 401: the token is missing or wrong. */
export class AuthenticationError extends ApiError {
  override readonly code = "authentication";
}

/** 403: the token may not do this. */
export class PermissionError extends ApiError {
  override readonly code = "permission";
}

/** The documented 404 answer: the environment or the variable does not exist for this organization. */
export class NotFoundError extends ApiError {
  override readonly code = "not_found";
}

/** 405: the service does not know this method on this path. */
export class MethodNotAllowedError extends ApiError {
  override readonly code = "method_not_allowed";
}

/** 409: something else changed it meanwhile. */
export class ConflictError extends ApiError {
  override readonly code = "conflict";
}

/** 413: too many variables, or too large, for one request. */
export class PayloadTooLargeError extends ApiError {
  override readonly code = "payload_too_large";
}

/** 429: too many requests, for longer than the client retries. */
export class RateLimitError extends ApiError {
  override readonly code = "rate_limited";
  override get retryable(): boolean {
    return true;
  }
}

const RETRYABLE_STATUSES: readonly number[] = [502, 503, 504];

/** 5xx: the service failed; 502, 503 and 504 are retryable. */
export class ServerError extends ApiError {
  override readonly code = "server_error";
  override get retryable(): boolean {
    return RETRYABLE_STATUSES.includes(this.exchange.status);
  }
}

/** No complete answer came: refused, reset, name not found, connection lost. */
export class ConnectionError extends PreviewenvError {
  readonly code: string = "no_answer";
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
export class TimeoutError extends ConnectionError {
  override readonly code = "timeout";
}

/** The caller's signal aborted, or the client was closed. */
export class CancelledError extends PreviewenvError {
  readonly code = "cancelled";
  /** Whether the request may have reached the service. */
  readonly sent: boolean;

  constructor(message: string, sent: boolean) {
    super(message);
    this.sent = sent;
  }
}

/** `shouldSend` of the call answered `false`: nothing was sent; or `shouldRepeat` did: nothing was sent again. */
export class SkippedError extends PreviewenvError {
  readonly code = "skipped";
}

/** The answer does not have the documented shape. */
export class ResponseShapeError extends PreviewenvError {
  readonly code = "unexpected_response";
}

/**
 * An undocumented 404 answer: a gateway, a proxy or a login page may have answered in the service's place. It does not tell
 * what exists.
 */
export class UndocumentedNotFoundError extends ResponseShapeError {}

const SERVER_ERRORS_FROM = 500;
const classes: ReadonlyMap<number, typeof ApiError> = new Map<number, typeof ApiError>([
  [400, InvalidRequestError],
  [401, AuthenticationError],
  [403, PermissionError],
  [404, NotFoundError],
  [405, MethodNotAllowedError],
  [409, ConflictError],
  [413, PayloadTooLargeError],
  [422, InvalidRequestError],
  [429, RateLimitError],
]);

/** The one place that turns a status into a class. */
export function toApiError(message: string, details: ApiErrorDetails): ApiError {
  const { status } = details.exchange;
  const Class = classes.get(status) ?? (status >= SERVER_ERRORS_FROM ? ServerError : ApiError);
  return new Class(message, details);
}

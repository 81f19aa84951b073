import { NOT_IMPLEMENTED, REFUSED_FROM, SERVER_ERRORS_FROM } from "./error-text";

/** The facts that an {@link ApiError} carries beside its message. */
export interface ApiErrorDetails {
  readonly status: number;
  readonly titles: readonly string[];
  readonly retryAfterMs?: number | undefined;
  /** Whether an earlier attempt of the same request may have taken effect. Default false. */
  readonly afterAmbiguousAttempt?: boolean;
}

/** Root of every error this package throws on purpose. All who share a request get the same object, so nobody may change it. */
export abstract class PreviewenvError extends Error {
  declare readonly message: string;

  override get name(): string {
    return this.constructor.name;
  }

  /** The same error, which says more: a new object. */
  withMore(text: string): this {
    return this.withMessage(this.message + text);
  }

  /** The same error in other words: a new object. */
  withMessage(message: string): this {
    const { message: _message, stack: _stack, ...rest } = Object.getOwnPropertyDescriptors(this);
    const copy: this = Reflect.construct(Error, [message], this.constructor);
    return Object.defineProperties(copy, rest);
  }
}

/** Settings are missing or wrong: one text names each. */
export class ConfigError extends PreviewenvError {
  readonly problems: readonly string[];

  constructor(...problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

/** The texts of settings that are missing or wrong. @throws any other error */
export function settingProblems(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.problems;
  throw error;
}

/** A value handed to the client cannot be sent, such as an id that is not a UUID. Nothing was sent. */
export class ArgumentError extends PreviewenvError {}

/** The service answered, and refused (or redirected, which is never followed). */
export class ApiError extends PreviewenvError {
  readonly status: number;
  /** The titles in the answer, ready for display. Empty when it has none. */
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

/** 401: the token is refused. */
export class UnauthorizedError extends ApiError {}

/** The documented 404 answer: the environment or the variable does not exist for this organization. */
export class NotFoundError extends ApiError {}

/** 5xx: the service failed. */
export class ServerError extends ApiError {}

/** No whole answer came: refused, reset, name not found, connection lost, too late. */
export class ConnectionError extends PreviewenvError {
  /** Whether the request may have reached the service. */
  readonly sent: boolean;

  constructor(message: string, sent: boolean) {
    super(message);
    this.sent = sent;
  }
}

/** No answer came, and none ever did in this process, for a reason that waiting does not change: a wrong address, certificate, proxy. */
export class UnreachableError extends ConnectionError {}

/** The caller's signal aborted, or the client was closed. Its `cause` is the error of the last attempt, when one had failed. */
export class CancelledError extends PreviewenvError {
  /** Whether the request may have reached the service. */
  readonly sent: boolean;

  constructor(message: string, sent: boolean, cause?: PreviewenvError) {
    super(message, { cause });
    this.sent = sent;
  }
}

/** The answer does not have the documented shape. */
export class ResponseShapeError extends PreviewenvError {}

/**
 * An undocumented 404 answer: a gateway, a proxy or a login page may have answered instead of the service. It does not show
 * what exists.
 */
export class UndocumentedNotFoundError extends ResponseShapeError {}

/** The one place that turns a status into a class. */
export function toApiError(message: string, details: ApiErrorDetails): ApiError {
  const { status } = details;
  if (status >= SERVER_ERRORS_FROM) return new ServerError(message, details);
  if (status === 401) return new UnauthorizedError(message, details);
  if (status === 404) return new NotFoundError(message, details);
  return status === 400 || status === 422 ? new InvalidRequestError(message, details) : new ApiError(message, details);
}

/** Whether the service may have acted on a request that failed. */
export function mayHaveActed(error: unknown): error is PreviewenvError {
  if (error instanceof ConnectionError || error instanceof CancelledError) return error.sent;
  // Many services redirect once they have acted. A page of a gateway does not say whether the service got the request.
  const isRedirect = error instanceof ApiError && error.status < REFUSED_FROM;
  const hasFailed = error instanceof ServerError && error.status !== NOT_IMPLEMENTED;
  return isRedirect || hasFailed || error instanceof ResponseShapeError;
}

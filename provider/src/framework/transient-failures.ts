import { seconds } from "../client/error-text";
import {
  ApiError,
  PreviewenvError,
  ResponseShapeError,
  ServerError,
  TimeoutError,
  UndocumentedNotFoundError,
} from "../client/errors";

/** Two answers of the service contradict each other: asking again tells which one is right. */
export class ContradictionError extends PreviewenvError {
  override get retryable(): boolean {
    return true;
  }
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

/** Failed requests in a row. */
export interface TransientFailures {
  readonly error: PreviewenvError;
  /** When the first of them began, in milliseconds since the wait began. */
  readonly sinceMs: number;
  readonly times: number;
}

/** What the service does instead of a good answer, for a line of progress: `the service answers 500`. */
export function describeFailures({ error }: TransientFailures): string {
  if (error instanceof UndocumentedNotFoundError) return "the answer is 404, but not the documented one";
  if (error instanceof ContradictionError) return "the service's answers contradict each other";
  if (error instanceof ApiError) return `the service answers ${error.status}`;
  if (error instanceof ResponseShapeError) return "the service's answers are not as documented";
  return error instanceof TimeoutError ? "the service does not answer in time" : "the service does not answer";
}

/** The same for an error that ends a wait, to be appended to its message: since when, and the last failure in full. */
export function lastFailureText(failures: TransientFailures | undefined, elapsedMs: number): string {
  if (failures === undefined) return "";
  return ` For the last ${seconds(elapsedMs - failures.sinceMs)} the service gave no good answer: ${failures.error.message}`;
}

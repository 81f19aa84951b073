import { ArgumentError } from "./errors";
import { isEnvironmentId, isSegment } from "./text-rules";

/** One request to the service. */
export interface Call extends Omit<CallOptions, "repeatable"> {
  /** The action, for messages: "stop environment <id>". */
  readonly description: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Encoded, without query. */
  readonly path: string;
  /** Undefined values are not sent. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  /** Whether sending it twice has the same effect as sending it once. */
  readonly repeatable: boolean;
  /** What to do about a 404, when it does not say that an environment or a variable is missing. */
  readonly notFoundAdvice?: string;
  /** Values in the body, or secrets in the query: they are taken out of every text of the service before it is shown. */
  readonly sentValues?: readonly string[];
}

/** The last parameter of every method of the client. */
export interface CallOptions {
  /** Ends the call at once with CancelledError. */
  readonly signal?: AbortSignal | undefined;
  /** `false`: not repeated once it may have reached the service, though a repetition would do no harm. */
  readonly repeatable?: false;
  /** How long the request is repeated after 408, 425, 502, 503, 504 and lost connections, for a caller that polls by itself. */
  readonly maxRetryMs?: number | undefined;
  /**
   * A filter is a secret. The names of the environments that are found may show it: no message names them by this answer. No text of the
   * service is shown with a filter in it.
   */
  readonly isAskedWithSecret?: boolean | undefined;
}

/** A path template: every interpolated value becomes exactly one encoded segment. Throws ArgumentError for what cannot be one. */
export function path(strings: TemplateStringsArray, ...values: readonly string[]): string {
  return strings.reduce((done, literal, index) => done + segment(values[index - 1] ?? "") + literal);
}

function segment(value: string): string {
  if (isSegment(value)) return encodeURIComponent(value);
  throw new ArgumentError(
    `${JSON.stringify(value)} cannot be a name in a request: its path would be that of another resource, or have no encoding.`,
  );
}

/** The path of an environment, followed by `rest`. Throws ArgumentError when `id` is not a UUID. */
export function environmentPath(id: string, rest = ""): string {
  if (!isEnvironmentId(id)) throw new ArgumentError("The environment id is not a UUID. Nothing was sent.");
  return path`/api/v1/environment/${id}` + rest;
}

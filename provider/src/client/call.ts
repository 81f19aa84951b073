import type { CallOptions } from "./call-options";

/** One request to the service. */
export interface Call extends Omit<CallOptions, "repeatable"> {
  /** What is attempted, for messages: "stop environment <id>". */
  readonly description: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Encoded, without query. */
  readonly path: string;
  readonly query?: URLSearchParams;
  readonly body?: unknown;
  /** Whether sending it twice does no more than sending it once. */
  readonly repeatable: boolean;
  /** The one status that says success; default: every one from 200 to 299. */
  readonly success?: number;
  /** Values in the body, which a text of the service must not show. */
  readonly sentValues?: readonly string[];
}

import type { CallOptions } from "./call-options";

/** One request to the service. */
export interface Call extends Omit<CallOptions, "repeatable"> {
  /** The action, for messages: "stop environment <id>". */
  readonly description: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Encoded, without query. */
  readonly path: string;
  readonly query?: URLSearchParams;
  readonly body?: unknown;
  /** Whether sending it twice has the same effect as sending it once. */
  readonly repeatable: boolean;
  /** The one status that says success; default: every one from 200 to 299. */
  readonly success?: number;
  /** Values in the body: they are taken out of every text of the service before it is shown. */
  readonly sentValues?: readonly string[];
}

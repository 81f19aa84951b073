import type { Clock } from "./clock";
import type { Connections } from "./connections";

/** Options of a client. */
export interface ClientOptions {
  readonly baseUrl: string;
  readonly apiToken: string;
  /** For each attempt. Default 30 000. */
  readonly requestTimeoutMs?: number | undefined;
  /**
   * Repetitions of each request after 502, 503, 504 or a lost connection. Default: until the service has answered
   * nothing else for 60 s.
   */
  readonly maxRetries?: number | undefined;
  /** Requests in flight at once. Default 8. */
  readonly maxConcurrency?: number | undefined;
  /** Allows plain http to other machines. Default false. */
  readonly allowInsecureHttp?: boolean | undefined;
  /** Default: the machine's. */
  readonly clock?: Clock | undefined;
  /** Carries requests instead of the client's own connections, in tests. */
  readonly connections?: Connections | undefined;
}

/** The defaults, which are those of the provider's settings too. */
export const CLIENT_DEFAULTS = { requestTimeoutMs: 30_000, maxConcurrency: 8 } as const;

/** The last parameter of every method of the client. */
export interface CallOptions {
  /** Ends the call at once with CancelledError. */
  readonly signal?: AbortSignal | undefined;
  /** `false`: not repeated once it may have reached the service, though a repetition would do no harm. */
  readonly repeatable?: false;
  /** Called right before the request is sent, which may be long after the call. `false`: it fails with SkippedError. */
  readonly shouldSend?: () => boolean;
  /** How long the request is repeated after 502, 503, 504 and lost connections, for a caller that polls by itself. */
  readonly maxRetryMs?: number | undefined;
}

/** What every method of the client takes last. */
export interface CallOptions {
  /** Ends the call at once with CancelledError. */
  readonly signal?: AbortSignal | undefined;
  /** `false`: not sent again once it may have reached the service, though a repetition would do no harm. */
  readonly repeatable?: false;
  /** Asked right before the request leaves, which may be long after the call: `false` fails it with SkippedError. */
  readonly shouldSend?: () => boolean;
  /** How long 502, 503, 504 and lost connections are borne at most, for a caller that looks again by itself. */
  readonly maxRetryMs?: number | undefined;
}

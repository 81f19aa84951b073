/** What every method of the client takes last. */
export interface CallOptions {
  /** Ends the call at once with CancelledError. */
  readonly signal?: AbortSignal | undefined;
}

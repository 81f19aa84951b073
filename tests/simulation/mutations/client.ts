import type { Mutation } from "./mutation";

/** Bugs in how requests are sent, repeated and given up. */
export const client: readonly Mutation[] = [
  {
    title: "Retry-After is ignored",
    from: "if (askedMs !== undefined && askedMs > 0) return Math.min(askedMs, MAX_RETRY_AFTER_MS);",
    to: "if (askedMs !== undefined && askedMs < 0) return 0;",
    breaks: "paused",
  },
  {
    title: "429 pauses only the request that met it",
    from: "this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.#clock.now() + ms);",
    to: "this.#pausedUntilMs = ms < 0 ? 0 : this.#pausedUntilMs;",
    breaks: "paused",
  },
  {
    title: "a cancellation is not heard by requests that wait",
    from: "const signal = AbortSignal.any([this.#closing.signal, ...(call.signal === undefined ? [] : [call.signal])]);",
    to: "const { signal } = this.#closing;",
    breaks: "cancelled",
  },
  {
    title: "503 is given up at once",
    from: "this.#row = { firstMs: this.#row?.firstMs ?? now, lastMs: now };",
    to: "this.#row = { firstMs: this.#row?.firstMs ?? now - this.#maxMs, lastMs: now };",
    breaks: "outlasts",
  },
];

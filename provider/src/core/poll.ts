import { PreviewenvError } from "../client/errors";
import type { Context } from "./context";

const FIRST_DELAY_MS = 1_000;
const GROWTH = 1.5;
const LONGEST_DELAY_MS = 10_000;
/** While nothing changes, a line of progress is shown this often at most. */
const PROGRESS_EVERY_MS = 30_000;

/** What one look found: the end, or a word for people on what is being waited for. */
export type Look<T> = { readonly done: T } | { readonly waiting: string };

/** How long to wait, and what for. */
export interface Polling<T> {
  readonly timeoutMs: number;
  /** Looks once. Throwing ends the waiting, but for errors that may pass (`retryable`). */
  readonly look: (elapsedMs: number) => Promise<Look<T>>;
  /** The error when the time is up. */
  readonly late: (elapsedMs: number) => Error;
}

/** Looks again and again until there is an end, the time is up, or the context's signal aborts the sleep. */
export async function poll<T>(ctx: Context, { timeoutMs, look, late }: Polling<T>): Promise<T> {
  const start = ctx.clock.now();
  const elapsed = (): number => ctx.clock.now() - start;
  let delay = FIRST_DELAY_MS;
  let shown = { text: "", at: 0 };
  for (;;) {
    const found = await look(elapsed()).catch(passing);
    if ("done" in found) return found.done;
    const remaining = timeoutMs - elapsed();
    if (remaining <= 0) throw late(elapsed());
    if (found.waiting !== shown.text || elapsed() - shown.at >= PROGRESS_EVERY_MS) {
      shown = { text: found.waiting, at: elapsed() };
      ctx.log.status(`${found.waiting} (${Math.round(elapsed() / 1000)} s)`);
    }
    await ctx.clock.sleep(Math.min(delay, remaining), ctx.signal);
    delay = Math.min(delay * GROWTH, LONGEST_DELAY_MS);
  }
}

/** A service that does not answer for a while does not end a wait of half an hour. */
function passing(error: unknown): { readonly waiting: string } {
  if (error instanceof PreviewenvError && error.retryable)
    return { waiting: "the service does not answer, still waiting" };
  throw error;
}

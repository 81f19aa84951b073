import { PreviewenvError } from "../client/errors";
import type { FunctionContext } from "./function";

const FIRST_DELAY_MS = 1_000;
const GROWTH = 1.5;
const LONGEST_DELAY_MS = 5_000;
/** A line of progress is shown this often at most. */
const PROGRESS_EVERY_MS = 30_000;
const MS_PER_SECOND = 1_000;

/** How long to look for something, and what that is for people. */
export interface Patience {
  readonly waitSeconds: number;
  /** Such as `an environment that matches name "web"`. */
  readonly what: string;
}

/**
 * Looks until something is there or the time is up, then gives `undefined`. What throws ends it, but for failures that
 * may pass while there is time left.
 */
export async function lookUntil<T>(
  { clock, log, signal }: FunctionContext,
  { waitSeconds, what }: Patience,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const start = clock.now();
  const remaining = (): number => start + waitSeconds * MS_PER_SECOND - clock.now();
  let shownAt: number | undefined;
  for (let delay = FIRST_DELAY_MS; ; delay = Math.min(delay * GROWTH, LONGEST_DELAY_MS)) {
    const found = await look().catch((error: unknown) => {
      if (remaining() > 0 && error instanceof PreviewenvError && error.retryable) return undefined;
      throw error;
    });
    if (found !== undefined || remaining() <= 0) return found;
    if (shownAt === undefined || clock.now() - shownAt >= PROGRESS_EVERY_MS) {
      shownAt = clock.now();
      log.status(`waiting for ${what} (${Math.round((shownAt - start) / MS_PER_SECOND)} s)`);
    }
    await clock.sleep(Math.min(delay, remaining()), signal);
  }
}

import { PreviewenvError } from "../client/errors";
import { poll } from "../core/poll";
import type { FunctionContext } from "./function";

const LONGEST_DELAY_MS = 5_000;
const MS_PER_SECOND = 1_000;

/** How long to look for something, and what that is for people. */
export interface Patience {
  readonly waitSeconds: number;
  /** Such as `an environment that matches name "web"`. */
  readonly what: string;
}

class TimeIsUpError extends PreviewenvError {
  readonly code = "time_is_up";
}

/**
 * Looks until something is there or the time is up, then gives `undefined`. What throws ends it, but for failures that
 * may pass while there is time left.
 */
export async function lookUntil<T>(
  context: FunctionContext,
  { waitSeconds, what }: Patience,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  try {
    return await poll(context, {
      timeoutMs: waitSeconds * MS_PER_SECOND,
      longestDelayMs: LONGEST_DELAY_MS,
      look: async () => {
        const found = await look();
        return found === undefined ? { waiting: `waiting for ${what}` } : { done: found };
      },
      late: () => new TimeIsUpError(what),
    });
  } catch (error) {
    if (error instanceof TimeIsUpError) return undefined;
    throw error;
  }
}

import { MS_PER_SECOND } from "../client/clock";
import { PreviewenvError } from "../client/errors";
import { poll } from "../framework/poll";
import type { FunctionContext } from "../framework/function";

const MAX_DELAY_MS = 5_000;

/** How long to look for something, and what that is for people. */
export interface WaitOptions {
  readonly waitSeconds: number;
  /** Such as `an environment that matches name "web"`. */
  readonly what: string;
}

/** Its message is the trouble at the end of the wait. */
class TimeIsUpError extends PreviewenvError {
  readonly code = "time_is_up";
}

/** What came of looking for something. */
export interface WaitResult<T> {
  readonly found: T | undefined;
  /** What went wrong at the end of the wait, to be appended to a message that says that nothing was found; may be empty. */
  readonly trouble: string;
}

/**
 * Looks until something is there or the time is up. What throws ends it, but for failures that may pass: only without any
 * time to wait do they end it as well.
 */
export async function waitFor<T>(
  context: FunctionContext,
  { waitSeconds, what }: WaitOptions,
  look: () => Promise<T | undefined>,
): Promise<WaitResult<T>> {
  if (waitSeconds === 0) return { found: await look(), trouble: "" };
  try {
    const found = await poll(context, {
      timeoutMs: waitSeconds * MS_PER_SECOND,
      timeoutName: "waitSeconds",
      maxDelayMs: MAX_DELAY_MS,
      look: async () => {
        const seen = await look();
        return seen === undefined ? { waiting: `waiting for ${what}` } : { done: seen };
      },
      onTimeout: ({ trouble }) => new TimeIsUpError(trouble),
    });
    return { found, trouble: "" };
  } catch (error) {
    if (error instanceof TimeIsUpError) return { found: undefined, trouble: error.message };
    throw error;
  }
}

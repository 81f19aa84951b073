import { MS_PER_SECOND } from "../client/clock";
import type { CallOptions } from "../client/call";
import { PreviewenvError } from "../client/errors";
import { poll, POLL_CALL } from "../framework/poll";
import type { FunctionContext } from "../framework/function";

const MAX_DELAY_MS = 5_000;

/** How long to wait for something, and its name for people. */
export interface WaitOptions {
  readonly waitSeconds: number;
  /** Such as `an environment that matches name "web"`. */
  readonly what: string;
}

/** Its message says which requests failed at the end of the wait. */
class TimeIsUpError extends PreviewenvError {}

/** The result of a wait. */
export interface WaitResult<T> {
  readonly found: T | undefined;
  /** What went wrong at the end of the wait, to be appended to a message that says that nothing was found; may be empty. */
  readonly lastFailure: string;
}

/**
 * Asks until something exists or the time is up. An error ends the wait, unless it is transient. Without any time to wait every
 * error does.
 */
export async function waitFor<T>(
  context: FunctionContext,
  { waitSeconds, what }: WaitOptions,
  look: (call: CallOptions) => Promise<T | undefined>,
): Promise<WaitResult<T>> {
  const { signal } = context;
  if (waitSeconds === 0) return { found: await look({ signal }), lastFailure: "" };
  try {
    const found = await poll(context, {
      timeoutMs: waitSeconds * MS_PER_SECOND,
      timeoutName: "waitSeconds",
      maxDelayMs: MAX_DELAY_MS,
      look: async () => {
        const seen = await look({ signal, ...POLL_CALL });
        return seen === undefined ? { waiting: `waiting for ${what}` } : { done: seen };
      },
      onTimeout: ({ lastFailure }) => new TimeIsUpError(lastFailure),
    });
    return { found, lastFailure: "" };
  } catch (error) {
    if (error instanceof TimeIsUpError) return { found: undefined, lastFailure: error.message };
    throw error;
  }
}

import { MS_PER_SECOND } from "../client/clock";
import type { CallOptions } from "../client/call";
import { POLL_CALL, Wait } from "../framework/poll";
import type { FunctionContext } from "../framework/function";

const MAX_DELAY_MS = 5_000;

/** How long to wait for something, and its name for people. */
export interface WaitOptions {
  readonly waitSeconds: number;
  /** Such as `an environment that matches name "web"`. */
  readonly what: string;
}

/** The result of a wait. */
export interface WaitResult<T> {
  readonly result: T | undefined;
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
  if (waitSeconds === 0) return { result: await look({ signal }), lastFailure: "" };
  const wait = new Wait(context, {
    timeoutMs: waitSeconds * MS_PER_SECOND,
    timeoutName: "waitSeconds",
    maxDelayMs: MAX_DELAY_MS,
  });
  do {
    const result = await wait.look(look({ signal, ...POLL_CALL }));
    if (result !== undefined) return { result, lastFailure: "" };
  } while (await wait.pause(`waiting for ${what}`));
  return { result: undefined, lastFailure: wait.lastFailure };
}

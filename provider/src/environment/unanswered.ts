import { CancelledError, ConnectionError, PreviewenvError, ResponseShapeError, ServerError } from "../client/errors";
import type { Context } from "../framework/context";
import { pause } from "../framework/poll";

/** How often, and after how long, the service is asked whether it acted on a request that got no answer. */
const LOOK_AFTER_MS = [1_000, 2_000, 4_000];

/** A request that may have reached the service, of which nothing can be seen. */
export class UnansweredError extends PreviewenvError {
  readonly code = "unanswered";
}

/** Whether a request may have reached the service although it was not answered as it should: look before repeating. */
export function isUnanswered(error: unknown): error is PreviewenvError {
  if (error instanceof ConnectionError || error instanceof CancelledError) return error.sent;
  // A page of a gateway does not say whether the service got the request.
  return error instanceof ServerError || error instanceof ResponseShapeError;
}

/**
 * Looks for what an unanswered request should have changed, a few times. False: nothing can be seen, or no more time. A
 * look that fails, however, says nothing about the request: its sender must still hear that nothing is known of it.
 */
export async function leftTrace(ctx: Context, shows: () => Promise<boolean>): Promise<boolean> {
  for (const delay of LOOK_AFTER_MS) {
    try {
      await pause(ctx, delay);
      if (await shows()) return true;
    } catch (error) {
      if (error instanceof CancelledError) return false;
      if (!(error instanceof PreviewenvError)) throw error;
    }
  }
  return false;
}

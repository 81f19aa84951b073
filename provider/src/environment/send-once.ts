import type { Environment } from "../client";
import { CancelledError, ConnectionError, PreviewenvError, ResponseShapeError, ServerError } from "../client/errors";
import type { Context } from "../framework/context";
import { pause } from "../framework/poll";

/** The pauses before the effect of a request whose result is ambiguous is looked for. */
const LOOK_AFTER_MS = [1_000, 2_000, 4_000];

/** The service may or may not have acted on a request, and shows no effect of it. */
export class AmbiguousResultError extends PreviewenvError {}

/** A request that changes an environment. */
export interface ChangeRequest {
  /** Whether it makes the service start a build. */
  readonly startsBuild: boolean;
  /** Sends it. The client must not repeat it once it may have reached the service. */
  readonly send: () => Promise<void>;
}

/** A request that must not be sent twice. */
export interface OnceRequest extends ChangeRequest {
  readonly environmentId: string;
  /**
   * Whether the environment as it is now leaves nothing to ask for: what nobody else can have caused, or what a repetition could
   * not add anything to. Left out: the service shows nothing of that kind.
   */
  readonly isFulfilled?: (now: Environment) => boolean | Promise<boolean>;
  /** What happens next, as a sentence for the person who reads the error. */
  readonly advice: string;
}

/**
 * Sends a request once. When the result is ambiguous, its effect is looked for three times, within seven seconds, as far as the
 * service shows one; the request is not repeated, because a repetition could start a second build.
 * @throws AmbiguousResultError when no effect is seen.
 */
export async function sendOnce(ctx: Context, request: OnceRequest): Promise<void> {
  const { environmentId, isFulfilled, advice } = request;
  const error = await trySend(ctx, environmentId, request);
  if (error === undefined) return;
  const unknown = `${error.message} It is not known whether the service acted on it, and`;
  if (isFulfilled === undefined)
    throw new AmbiguousResultError(`${unknown} nothing that the service shows can tell. ${advice}`);
  if (await lookForEffect(ctx, environmentId, isFulfilled)) return;
  throw new AmbiguousResultError(`${unknown} no effect of it can be seen. ${advice}`);
}

/** Sends a request once. Returns the error when the result is ambiguous, for a caller that looks for the effect itself. */
export async function trySend(
  ctx: Context,
  environmentId: string,
  { startsBuild, send }: ChangeRequest,
): Promise<PreviewenvError | undefined> {
  if (startsBuild) ctx.environment(environmentId).builds.note();
  try {
    await send();
    return undefined;
  } catch (error) {
    if (isAmbiguous(error)) return error;
    throw error;
  }
}

/** Whether a request that failed may have reached the service. */
function isAmbiguous(error: unknown): error is PreviewenvError {
  if (error instanceof ConnectionError || error instanceof CancelledError) return error.sent;
  // A page of a gateway does not say whether the service got the request.
  return error instanceof ServerError || error instanceof ResponseShapeError;
}

/** A look that fails, for whatever reason, says nothing about the request. So does a cancelled one, and it is the last. */
async function lookForEffect(
  ctx: Context,
  environmentId: string,
  isFulfilled: NonNullable<OnceRequest["isFulfilled"]>,
): Promise<boolean> {
  for (const delay of LOOK_AFTER_MS) {
    try {
      await pause(ctx, delay);
      const now = await ctx.client.environments.get(environmentId, { signal: ctx.signal });
      if (await isFulfilled(now)) return true;
    } catch (error) {
      if (error instanceof CancelledError) return false;
      if (!(error instanceof PreviewenvError)) throw error;
    }
  }
  return false;
}

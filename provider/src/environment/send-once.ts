import type { Environment } from "../client";
import { CancelledError, ConnectionError, PreviewenvError, ResponseShapeError, ServerError } from "../client/errors";
import type { Context } from "../framework/context";
import { pause } from "../framework/poll";
import { buildsSince, unlessHidden } from "./build-history";

/** The pauses before the effect of a request whose result is ambiguous is looked for. */
const LOOK_AFTER_MS = [1_000, 2_000, 4_000];

/** The service may or may not have acted on a request, and shows no effect of it. */
export class AmbiguousResultError extends PreviewenvError {
  readonly code = "ambiguous_result";
}

/** A request that changes an environment. */
export interface ChangeRequest {
  /** Whether it makes the service start a build. */
  readonly startsBuild: boolean;
  /** Sends it. The client must not repeat it once it may have reached the service. */
  readonly send: () => Promise<void>;
}

/** A request that must not be sent twice. */
export interface OnceRequest extends ChangeRequest {
  /** The environment as it was read before the request. */
  readonly before: Environment;
  /** Ids of the builds in history before the request; left out: history shows nothing of its effect. */
  readonly buildsBefore?: ReadonlySet<string> | undefined;
  /** Whether the environment as it is now shows the effect. A build that started shows it too, if it `startsBuild`. */
  readonly tookEffect?: (now: Environment) => boolean;
  /** What happens next, as a sentence for the person who reads the error. */
  readonly advice: string;
}

/**
 * Sends a request once. When the result is ambiguous, the effect is looked for three times, within seven seconds; the
 * request is not repeated, because a repetition could start a second build.
 * @throws AmbiguousResultError when no effect is seen.
 */
export async function sendOnce(ctx: Context, request: OnceRequest): Promise<void> {
  const error = await trySend(ctx, request.before.id, request);
  if (error === undefined || (await lookForEffect(ctx, request))) return;
  throw new AmbiguousResultError(
    `${error.message} It is not known whether the service acted on it, and no effect of it can be seen. ${request.advice}`,
  );
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
async function lookForEffect(ctx: Context, request: OnceRequest): Promise<boolean> {
  for (const delay of LOOK_AFTER_MS) {
    try {
      await pause(ctx, delay);
      if (await showsEffect(ctx, request)) return true;
    } catch (error) {
      if (error instanceof CancelledError) return false;
      if (!(error instanceof PreviewenvError)) throw error;
    }
  }
  return false;
}

async function showsEffect(
  ctx: Context,
  { before, buildsBefore, startsBuild, tookEffect }: OnceRequest,
): Promise<boolean> {
  const { id: environmentId } = before;
  const now = await ctx.client.environments.get(environmentId, { signal: ctx.signal });
  if (tookEffect?.(now) === true) return true;
  // A build that started may belong to another request of this run.
  if (!startsBuild || !ctx.environment(environmentId).builds.isSingle) return false;
  if (now.processing && !before.processing) return true;
  if (buildsBefore === undefined) return false;
  return (await unlessHidden(buildsSince(ctx, { environmentId, before: buildsBefore }), [])).length > 0;
}

import type { Environment } from "../client/environments";
import { mayHaveActed, PreviewenvError } from "../client/errors";
import type { Context } from "../framework/context";
import { see } from "../client/troubleshooting";

/** The service may or may not have acted on a request, and shows no effect of it. */
export class AmbiguousResultError extends PreviewenvError {
  /**
   * @param unansweredText What was requested and went unanswered, as a sentence.
   * @param advice What happens next, as a sentence.
   * @param isVisible Whether the service shows the effect of such a request.
   */
  constructor(unansweredText: string, advice: string, isVisible = true) {
    const sight = isVisible ? "no effect of it can be seen" : "nothing that the service shows can tell";
    super(
      `${unansweredText} It is not known whether the service acted on it, and ${sight}. ${advice} ${see("no-answer")}`,
    );
  }
}

/** A request that must not be sent twice. */
export interface OnceRequest {
  readonly environmentId: string;
  /** The request on its way. The client must not repeat it once it may have reached the service. */
  readonly sending: Promise<void>;
  /**
   * Whether the environment as it is now leaves nothing to ask for: what nobody else can have caused, or what a repetition could
   * not add anything to. Left out: the service shows nothing of that kind.
   */
  readonly isFulfilled?: (now: Environment) => boolean;
  /** The next step, as a sentence for the person who reads the error. */
  readonly advice: string;
}

/**
 * A request that is sent once. When its result is ambiguous, one reading tells its effect, as far as the service shows one. The request
 * is not repeated, because a repetition could start a second build.
 * @throws AmbiguousResultError when no effect is seen.
 */
export async function sendOnce(ctx: Context, request: OnceRequest): Promise<void> {
  const { environmentId, sending, isFulfilled, advice } = request;
  const error = await ambiguousErrorOf(sending);
  if (error === undefined) return;
  if (isFulfilled === undefined) throw new AmbiguousResultError(error.message, advice, false);
  const now = await readOrUndefined(ctx, environmentId);
  if (now === undefined || !isFulfilled(now)) throw new AmbiguousResultError(error.message, advice);
}

/** Waits for the answer to a request. Returns the error when the result is ambiguous. */
export async function ambiguousErrorOf(sending: Promise<void>): Promise<PreviewenvError | undefined> {
  try {
    await sending;
    return undefined;
  } catch (error) {
    if (mayHaveActed(error)) return error;
    throw error;
  }
}

/** A reading that fails, for whatever reason, says nothing about the request. */
async function readOrUndefined(ctx: Context, environmentId: string): Promise<Environment | undefined> {
  try {
    return await ctx.client.environments.get(environmentId, { signal: ctx.signal });
  } catch (error) {
    if (!(error instanceof PreviewenvError)) throw error;
    return undefined;
  }
}

import type { Environment } from "../client";
import { CancelledError, NotFoundError, PreviewenvError, UndocumentedNotFoundError } from "../client/errors";
import type { Context } from "../framework/context";
import { MissingError } from "../framework/partial-failure";
import { isListed } from "./environment-list";

/**
 * One environment, or `undefined` when it is gone: its own GET has the documented 404 answer, or an undocumented one
 * and no list of environments has it.
 * @throws UndocumentedNotFoundError when the 404 may be of a gateway: taking it for gone would drop what exists.
 */
export async function getUnlessGone(ctx: Context, environmentId: string): Promise<Environment | undefined> {
  try {
    return await ctx.client.environments.get(environmentId, { signal: ctx.signal });
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    if (!(error instanceof UndocumentedNotFoundError)) throw error;
    await refuseUnlessUnlisted(ctx, environmentId, error);
    return undefined;
  }
}

/** The error for an environment that is gone. `outcome` is what was done by now, as a sentence. */
export function missingEnvironment(environmentId: string, outcome?: string): MissingError {
  const advice = "Check the id, and that the token belongs to the same organization.";
  return new MissingError(
    [`environment ${environmentId} does not exist (any more).`, outcome, advice].filter(Boolean).join(" "),
  );
}

async function refuseUnlessUnlisted(
  ctx: Context,
  environmentId: string,
  error: UndocumentedNotFoundError,
): Promise<void> {
  let listed: boolean;
  try {
    listed = await isListed(ctx, environmentId);
  } catch (failure) {
    if (failure instanceof CancelledError || !(failure instanceof PreviewenvError)) throw failure;
    throw new UndocumentedNotFoundError(
      `${error.message} The list of environments could not be read to see whether it is gone: ${failure.message}`,
    );
  }
  if (listed)
    throw new UndocumentedNotFoundError(`${error.message} The list of environments has it, so it is not gone.`);
}

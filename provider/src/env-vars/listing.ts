import { NotFoundError, UndocumentedNotFoundError } from "../client/errors";
import type { EnvVar } from "../client/env-vars";
import type { Context } from "../framework/context";
import { getUnlessGone } from "../environment/gone";

/**
 * Lists an environment's variables, or `undefined` when the environment is gone: as its own GET tells, or because that
 * says `deleted: true` while `/env-vars` has the documented 404 answer. Any other 404 for the variables of an
 * environment that exists is an error, because taking it for "gone" would drop resources from state.
 */
export async function listUnlessGone(ctx: Context, environmentId: string): Promise<readonly EnvVar[] | undefined> {
  try {
    return (await ctx.client.envVars.list(environmentId, { signal: ctx.signal })).variables;
  } catch (error) {
    if (!(error instanceof NotFoundError || error instanceof UndocumentedNotFoundError)) throw error;
    const environment = await getUnlessGone(ctx, environmentId);
    if (environment === undefined || (environment.deleted && error instanceof NotFoundError)) return undefined;
    throw error;
  }
}

import type { EnvVarList } from "../client/env-vars";
import { NotFoundError, UndocumentedNotFoundError } from "../client/errors";
import type { Context } from "../framework/context";
import { getUnlessGone } from "./gone";

/**
 * An environment's variables, or why it has none. It is gone when its own GET tells so, and deleted when that says
 * `deleted: true` while `/env-vars` has the documented 404 answer. Any other 404 for the variables of an
 * environment that exists is an error, because taking it for "gone" would drop resources from state.
 */
export async function listVariables(ctx: Context, environmentId: string): Promise<EnvVarList | "gone" | "deleted"> {
  try {
    return await ctx.client.envVars.list(environmentId, { signal: ctx.signal });
  } catch (error) {
    if (!(error instanceof NotFoundError || error instanceof UndocumentedNotFoundError)) throw error;
    const environment = await getUnlessGone(ctx, environmentId);
    if (environment === undefined) return "gone";
    if (environment.deleted && error instanceof NotFoundError) return "deleted";
    throw error;
  }
}

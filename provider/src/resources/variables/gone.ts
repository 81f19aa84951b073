import { NotFoundError } from "../../client/errors";
import type { EnvVar } from "../../client/env-vars";
import type { Context } from "../../core/context";
import { getUnlessGone } from "../gone";

/**
 * Lists an environment's variables, or `undefined` when the environment is gone: its own GET answers 404, or says
 * `deleted: true` while `/env-vars` answers 404. A 404 for the variables of an environment that exists is an error,
 * because taking it for "gone" would drop resources from state.
 */
export async function listUnlessGone(ctx: Context, environmentId: string): Promise<readonly EnvVar[] | undefined> {
  try {
    return (await ctx.client.envVars.list(environmentId, { signal: ctx.signal })).variables;
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const environment = await getUnlessGone(ctx, environmentId);
    if (environment === undefined || environment.deleted) return undefined;
    throw error;
  }
}

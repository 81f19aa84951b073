import { NotFoundError } from "../../client/errors";
import type { EnvVar } from "../../client/env-vars";
import type { Context } from "../../core/context";

/**
 * Lists an environment's variables, or `undefined` when the environment is gone: its own GET answers 404, or says
 * `deleted: true` while `/env-vars` answers 404. A 404 for the variables of an environment that exists is an error,
 * because taking it for "gone" would drop resources from state.
 */
export async function listUnlessGone(ctx: Context, environmentId: string): Promise<readonly EnvVar[] | undefined> {
  const call = { signal: ctx.signal };
  try {
    return (await ctx.client.envVars.list(environmentId, call)).variables;
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const environment = await ctx.client.environments.get(environmentId, call).catch((reason: unknown) => {
      if (reason instanceof NotFoundError) return undefined;
      throw reason;
    });
    if (environment === undefined || environment.deleted) return undefined;
    throw error;
  }
}

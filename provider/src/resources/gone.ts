import type { Environment } from "../client";
import { NotFoundError } from "../client/errors";
import type { Context } from "../core/context";

/** One environment, or `undefined` when its own GET answers 404: only that means that it is gone. */
export async function getUnlessGone(ctx: Context, environmentId: string): Promise<Environment | undefined> {
  try {
    return await ctx.client.environments.get(environmentId, { signal: ctx.signal });
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

import type { Build } from "../client/builds";
import type { CallOptions } from "../client/call-options";
import { NotFoundError } from "../client/errors";
import type { Context } from "../core/context";
import { ContradictionError } from "../core/trouble";

/**
 * The newest builds of an environment that has just been read.
 * @throws ContradictionError when the service does not know it here: whether it is gone, its own GET tells.
 */
export async function recentBuilds(
  ctx: Context,
  environmentId: string,
  options: CallOptions = {},
): Promise<readonly Build[]> {
  try {
    const { builds } = await ctx.client.builds.page(environmentId, {}, { signal: ctx.signal, ...options });
    return builds;
  } catch (error) {
    if (error instanceof NotFoundError) throw new ContradictionError(error.message);
    throw error;
  }
}

/** Ids of the newest builds that history shows now. Throws as {@link recentBuilds}. */
export async function buildIds(ctx: Context, environmentId: string): Promise<ReadonlySet<string>> {
  const builds = await recentBuilds(ctx, environmentId);
  return new Set(builds.map(({ id }) => id));
}

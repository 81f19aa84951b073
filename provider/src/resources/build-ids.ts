import type { Context } from "../core/context";

/** Ids of the builds that history shows now. */
export async function buildIds(ctx: Context, environmentId: string): Promise<ReadonlySet<string>> {
  const { builds } = await ctx.client.builds.page(environmentId, {}, { signal: ctx.signal });
  return new Set(builds.map(({ id }) => id));
}

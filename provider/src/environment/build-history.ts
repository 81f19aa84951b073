import type { Build } from "../client/builds";
import type { CallOptions } from "../client/call";
import { NotFoundError, ResponseShapeError } from "../client/errors";
import type { Context } from "../framework/context";

/** At least so many builds are read, if there are as many, and so many ids are kept. */
const KEPT = 20;
/** Fewer ids are those of the whole history. A caller may have left out one: the build that runs. */
const WHOLE_BELOW = KEPT - 1;

/**
 * The newest builds of an environment, the newest first: one page, where the service gives the newest first. The environment
 * has just been read.
 * @throws an error that is transient when the history's answer is 404: whether the environment is gone, its own GET tells.
 */
export function recentBuilds(ctx: Context, environmentId: string): Promise<readonly Build[]> {
  return readUntil(ctx, environmentId, (builds) => builds.length >= KEPT);
}

/** Ids of the first 20 of these builds. The newest build comes first. */
export function newestIds(builds: readonly Build[]): ReadonlySet<string> {
  return new Set(builds.slice(0, KEPT).map(({ id }) => id));
}

/**
 * Builds whose ids were not in `knownBuildIds`, the newest first, whatever their times say: the service's clock may have been
 * set back. Pages are read until one has a build of `knownBuildIds`. What stands behind all of those was on a page that was not read
 * then, and is not new. When `knownBuildIds` was the whole history, there was no such page, and all of the history is read.
 * @throws an error that is transient when the history's answer is 404
 */
export async function buildsSince(
  ctx: Context,
  { environmentId, knownBuildIds }: { readonly environmentId: string; readonly knownBuildIds: ReadonlySet<string> },
  options: CallOptions = {},
): Promise<readonly Build[]> {
  const isKnown = ({ id }: Build): boolean => knownBuildIds.has(id);
  const isWhole = knownBuildIds.size < WHOLE_BELOW;
  const isEnough = (builds: readonly Build[]): boolean => !isWhole && builds.some(isKnown);
  const builds = await readUntil(ctx, environmentId, isEnough, options);
  const lastKnown = isWhole ? -1 : builds.findLastIndex(isKnown);
  return builds.filter((build, index) => !isKnown(build) && (lastKnown === -1 || index < lastKnown));
}

async function readUntil(
  ctx: Context,
  environmentId: string,
  isEnough: (builds: readonly Build[]) => boolean,
  options: CallOptions = {},
): Promise<readonly Build[]> {
  const builds: Build[] = [];
  try {
    for await (const piece of ctx.client.builds.newest(environmentId, {}, { signal: ctx.signal, ...options })) {
      builds.push(...piece);
      if (isEnough(builds)) break;
    }
    return builds;
  } catch (error) {
    // It contradicts the answer about the environment: asking again tells which one is right.
    if (error instanceof NotFoundError) throw new ResponseShapeError(error.message);
    throw error;
  }
}

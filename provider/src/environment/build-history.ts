import type { Environment } from "../client/environments";
import type { Build } from "../client/builds";
import type { CallOptions } from "../client/call";
import { NotFoundError, ResponseShapeError } from "../client/errors";
import type { Context } from "../framework/context";

/** A mark reads at least this many builds, if there are that many, and keeps this many ids. */
const KEPT = 20;
/** A mark with fewer ids has the whole history, perhaps without the running build. */
const WHOLE_BELOW = KEPT - 1;

/** The end of a build history at some moment: a build that comes after it is new. */
export interface HistoryMark {
  /** Ids of the builds that were listed then, without the newest, unless that was over. */
  readonly before?: readonly string[] | undefined;
  /** A build was running then. It may be somebody's, and be listed later: so the oldest new build does not count. */
  readonly busy?: true | undefined;
}

/**
 * Marks the end of an environment's history. The environment has just been read.
 * @throws an error that is transient when the history's answer is 404: whether the environment is gone, its own GET tells.
 */
export async function markHistory(ctx: Context, environment: Environment): Promise<HistoryMark> {
  const builds = await keptBuilds(ctx, environment);
  if (!environment.processing) return { before: idsOf(builds) };
  // A build without success is taken for the one that runs.
  const [newest, ...earlier] = builds;
  if (newest?.successfullyBuilt !== true) return { before: idsOf(earlier), busy: true };
  // A service may list a build only once that has ended. Or it has ended since the environment was read: then it is listed now.
  const now = await ctx.client.environments.get(environment.id, { signal: ctx.signal });
  return now.processing ? { before: idsOf(builds), busy: true } : { before: idsOf(await keptBuilds(ctx, now)) };
}

function keptBuilds(ctx: Context, environment: Environment): Promise<readonly Build[]> {
  return readUntil(ctx, environment, (all) => all.length >= KEPT);
}

function idsOf(builds: readonly Build[]): readonly string[] {
  return builds.slice(0, KEPT).map((build) => build.id);
}

/** The newest build of an environment. @throws an error that is transient when the history's answer is 404 */
export async function newestBuild(ctx: Context, environment: Environment): Promise<Build | undefined> {
  const [newest] = await readUntil(ctx, environment, () => true);
  return newest;
}

/** An environment, and builds of it, the newest first. */
export interface BuildReading {
  readonly environment: Environment;
  readonly builds: readonly Build[];
}

/**
 * Reads an environment, and its builds since a mark, none without one. The environment first: the other way round, a build that ends in
 * between would be taken for failed.
 */
export async function readBuilds(
  ctx: Context,
  environmentId: string,
  mark: HistoryMark | undefined,
  options: CallOptions = {},
): Promise<BuildReading> {
  const environment = await ctx.client.environments.get(environmentId, { signal: ctx.signal, ...options });
  return { environment, builds: mark === undefined ? [] : await buildsSince(ctx, environment, mark, options) };
}

/**
 * Builds since the mark that count, the newest first, whatever their times say: the service's clock may have been set back. Pages are
 * read until one has a build of the mark. A build older than all of these was on a page that was not read then, and is not new. When the
 * mark has the whole history, there was no such page, and all of the history is read.
 * @throws an error that is transient when the history's answer is 404
 */
export async function buildsSince(
  ctx: Context,
  environment: Environment,
  { before, busy }: HistoryMark,
  options: CallOptions = {},
): Promise<readonly Build[]> {
  const known = new Set(before);
  const isKnown = ({ id }: Build): boolean => known.has(id);
  const isWhole = known.size < WHOLE_BELOW;
  const isEnough = (builds: readonly Build[]): boolean => !isWhole && builds.some(isKnown);
  const builds = await readUntil(ctx, environment, isEnough, options);
  const lastKnown = isWhole ? -1 : builds.findLastIndex(isKnown);
  const since = builds.filter((build, index) => !isKnown(build) && (lastKnown === -1 || index < lastKnown));
  return busy === true ? since.slice(0, -1) : since;
}

async function readUntil(
  ctx: Context,
  { id, deleted }: Environment,
  isEnough: (builds: readonly Build[]) => boolean,
  options: CallOptions = {},
): Promise<readonly Build[]> {
  const builds: Build[] = [];
  // It is not specified whether a deleted environment has a history.
  if (deleted) return builds;
  try {
    for await (const piece of ctx.client.builds.pages(id, {}, { signal: ctx.signal, ...options })) {
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

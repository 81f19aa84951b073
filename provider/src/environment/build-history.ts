import type { Build } from "../client/builds";
import type { CallOptions } from "../client/call";
import { queuedMicros } from "../client/newest-builds";
import { NotFoundError, UndocumentedNotFoundError } from "../client/errors";
import type { Context } from "../framework/context";
import { ContradictionError } from "../framework/transient-failures";

/** At least so many builds are read, if there are as many: in a history with the oldest first, the last page may have only one. */
const MIN_READ = 8;
/** So many ids are kept when the whole history was read. A build that is older than all of these is not new. */
const MAX_KEPT = 20;

/**
 * The newest builds of an environment, the newest first: one page, where the service gives the newest first. The environment
 * has just been read.
 * @throws ContradictionError when the history's answer is 404: whether the environment is gone, its own GET tells.
 */
export function recentBuilds(ctx: Context, environmentId: string): Promise<readonly Build[]> {
  return readUntil(ctx, environmentId, { isEnough: (builds) => builds.length >= MIN_READ });
}

/** Ids of the newest builds that history shows now. Throws as {@link recentBuilds}. */
export async function buildIds(ctx: Context, environmentId: string): Promise<ReadonlySet<string>> {
  return newestIds(await recentBuilds(ctx, environmentId));
}

/** Ids of the first 20 of these builds, and of all that may be as new. The newest build comes first. */
export function newestIds(builds: readonly Build[]): ReadonlySet<string> {
  const oldest = oldestMicros(builds.slice(0, MAX_KEPT));
  return new Set(builds.filter((build) => (queuedMicros(build) ?? Infinity) >= oldest).map(({ id }) => id));
}

/**
 * Builds that history did not show before, the newest first. Pages are read until one has a build of `before`. A build that
 * is older than all of those is not new either: it was on a page that was not read then.
 * Throws as {@link recentBuilds}.
 */
export async function buildsSince(
  ctx: Context,
  { environmentId, before }: { readonly environmentId: string; readonly before: ReadonlySet<string> },
  options: CallOptions = {},
): Promise<readonly Build[]> {
  const isKnown = ({ id }: Build): boolean => before.has(id);
  const builds = await readUntil(ctx, environmentId, { isEnough: (found) => found.some(isKnown), options });
  const oldest = oldestMicros(builds.filter(isKnown));
  return builds.filter((build) => !isKnown(build) && (queuedMicros(build) ?? Infinity) >= oldest);
}

/** The history, or `otherwise` when the service shows none: it is not specified whether a deleted environment has one. */
export async function unlessHidden<T, U>(history: Promise<T>, otherwise: U): Promise<T | U> {
  return history.catch((error: unknown) => {
    if (error instanceof ContradictionError || error instanceof UndocumentedNotFoundError) return otherwise;
    throw error;
  });
}

/** The oldest time among builds; -Infinity when none can be read. */
function oldestMicros(builds: readonly Build[]): number {
  const stamps = builds.map(queuedMicros).filter((stamp) => stamp !== undefined);
  return stamps.length === 0 ? -Infinity : stamps.reduce((oldest, stamp) => Math.min(oldest, stamp));
}

async function readUntil(
  ctx: Context,
  environmentId: string,
  until: { readonly isEnough: (builds: readonly Build[]) => boolean; readonly options?: CallOptions },
): Promise<readonly Build[]> {
  const builds: Build[] = [];
  try {
    for await (const piece of ctx.client.builds.newest(environmentId, {}, { signal: ctx.signal, ...until.options })) {
      builds.push(...piece);
      if (until.isEnough(builds)) break;
    }
    return builds;
  } catch (error) {
    if (error instanceof NotFoundError) throw new ContradictionError(error.message);
    throw error;
  }
}

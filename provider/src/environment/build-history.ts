import type { Build } from "../client/builds";
import type { CallOptions } from "../client/call-options";
import { queuedMicros } from "../client/build-order";
import { NotFoundError, UndocumentedNotFoundError } from "../client/errors";
import type { Context } from "../framework/context";
import { ContradictionError } from "../framework/trouble";

/** So many builds are looked at, if there are as many: the last page of a history that begins with the oldest may have one. */
const FEW = 8;
/** So many are remembered of a history that had to be read as a whole: what is older than they are is not new. */
const MOST = 20;

/**
 * The newest builds of an environment that has just been read, the newest first: a page of them, where the service gives
 * these first.
 * @throws ContradictionError when the service does not know it here: whether it is gone, its own GET tells.
 */
export function recentBuilds(ctx: Context, environmentId: string): Promise<readonly Build[]> {
  return readUntil(ctx, environmentId, { isEnough: (builds) => builds.length >= FEW });
}

/** Ids of the newest builds that history shows now. Throws as {@link recentBuilds}. */
export async function buildIds(ctx: Context, environmentId: string): Promise<ReadonlySet<string>> {
  return newestIds(await recentBuilds(ctx, environmentId));
}

/** Ids of the first 20 builds, the newest first, and of those that may be as new. */
export function newestIds(builds: readonly Build[]): ReadonlySet<string> {
  const oldest = oldestMicros(builds.slice(0, MOST));
  return new Set(builds.filter((build) => (queuedMicros(build) ?? Infinity) >= oldest).map(({ id }) => id));
}

/**
 * Builds that history did not show before, the newest first: pages are read until one has a build that was there then. What
 * is older than all of these is not new either: somebody may have deleted one, or a page may have grown.
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

/** What a history shows, or `otherwise` when the service shows none: whether a deleted environment has one is not specified. */
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

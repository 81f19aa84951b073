import type { Build } from "./builds";
import { eachPage, type FetchPage } from "./pages";

/**
 * Gives a build history page by page, the newest builds first, each build once. The specification does not show whether the service
 * lists the newest builds first or the oldest: most steps between the times on a page tell it, so that a clock of the service that
 * was set back does not. When the times on the first page do not fall, the page that `links.last` names is read as well.
 *
 * Throws as `eachPage`.
 */
export async function* newestBuilds(fetchPage: FetchPage<Build>): AsyncGenerator<readonly Build[]> {
  const first = await fetchPage(undefined);
  const { items, next, last = next } = first;
  if (last === undefined || next === undefined) {
    yield trend(items) > 0 ? items.toReversed() : items;
    return;
  }
  const end = trend(items) < 0 ? [] : await readEnd(fetchPage, last);
  const isNewestLast = trend([...items, ...end]) > 0;
  const forwards: FetchPage<Build> = async (page = 1) => (page === 1 ? first : fetchPage(page));
  const backwards: FetchPage<Build> = async (page = last) => {
    const builds = page === last ? end : (await forwards(page)).items;
    return { items: builds.toReversed(), ...(page > 1 && { next: page - 1 }) };
  };
  yield* isNewestLast ? eachPage(backwards, last) : eachPage(forwards);
}

/** The last page, and those that have come behind it since the first one was read. */
async function readEnd(fetchPage: FetchPage<Build>, last: number): Promise<readonly Build[]> {
  return (await Array.fromAsync(eachPage(fetchPage, last))).flat();
}

/** How many more of the steps from build to build go up in time than down. */
function trend(builds: readonly Build[]): number {
  const timed = builds.filter((build) => queuedMs(build) !== undefined);
  return timed.slice(1).reduce((sum, build, index) => sum + step(timed[index] ?? build, build), 0);
}

/** 1 when the second build was queued later, -1 when earlier. Within one millisecond the texts tell: their last digits are microseconds. */
function step(first: Build, second: Build): number {
  const ms = (queuedMs(second) ?? 0) - (queuedMs(first) ?? 0);
  return Math.sign(ms === 0 ? Number(second.queuedAt > first.queuedAt) - Number(second.queuedAt < first.queuedAt) : ms);
}

/** When a build was queued, in milliseconds since 1970. `undefined` when the service does not say, or not readably. */
function queuedMs({ queuedAt }: Pick<Build, "queuedAt">): number | undefined {
  const ms = Date.parse(queuedAt);
  return Number.isNaN(ms) ? undefined : ms;
}

import { type BuildOrder, newestFirst, newestMicros, orderOf } from "./build-order";
import type { Build } from "./builds";
import { eachPage, type Page } from "./pages";

/** A page of a history in the service's order. */
export interface HistoryPage extends Page<Build> {
  /** The number of the last page, when the service names it. */
  readonly last?: number;
}

/** Reads a page by its number; without one, the first. */
export type FetchPage = (page: number | undefined) => Promise<HistoryPage>;

/**
 * Gives a build history piece by piece, the newest builds first, each build once. The specification does not show in which
 * order the service gives builds; it is taken to sort all of a history, or nothing of it. Pages are read as they are needed:
 *
 * - There is one page only: nothing more is read.
 * - The times on the first page fall: the newest come first. One page is read for each piece.
 * - They rise: the page that `links.last` names is read, and then those before it. When it is not newer than the first
 *   page, or the service names none, all pages are read.
 * - They rise and fall: all pages are read.
 * - They show no order: one more page is read, until they do.
 *
 * Throws as `eachPage`.
 */
export async function* newestBuilds(fetchPage: FetchPage): AsyncGenerator<readonly Build[]> {
  let order: BuildOrder = "unknown";
  let builds: readonly Build[] = [];
  let number = 1;
  for await (const { items, next, last } of eachPage<Build, HistoryPage>(fetchPage)) {
    builds = builds.concat(items);
    if (next !== undefined && order === "unknown") order = orderOf(builds);
    if (order === "newestFirst") {
      yield newestFirst(builds, order);
      builds = [];
    }
    if (next !== undefined && order === "oldestFirst") {
      const end = last === undefined ? [] : await readEnd(fetchPage, last);
      if (last !== undefined && newestMicros(end) > newestMicros(builds)) {
        yield* backwards(fetchPage, { builds, number }, { builds: end, number: last });
        return;
      }
      order = "none";
    }
    number = next ?? number;
  }
  if (builds.length > 0) yield newestFirst(builds, order);
}

/** Builds of some pages, and the number of one of them. */
interface Stretch {
  readonly builds: readonly Build[];
  readonly number: number;
}

/** From the last page to the first one; those up to `first.number` and from `end.number` on have been read. */
async function* backwards(fetchPage: FetchPage, first: Stretch, end: Stretch): AsyncGenerator<readonly Build[]> {
  const ids = new Set<string>();
  const unseen = (builds: readonly Build[]): readonly Build[] => {
    const found = builds.filter(({ id }) => !ids.has(id));
    for (const { id } of found) ids.add(id);
    return newestFirst(found, "oldestFirst");
  };
  yield unseen(end.builds);
  for (let page = end.number - 1; page > first.number; page -= 1) yield unseen((await fetchPage(page)).items);
  yield unseen(first.builds);
}

/** The last page, and those that have come behind it since the first one was read. */
async function readEnd(fetchPage: FetchPage, last: number): Promise<readonly Build[]> {
  const builds: Build[] = [];
  for await (const { items } of eachPage<Build, HistoryPage>(fetchPage, last)) builds.push(...items);
  return builds;
}

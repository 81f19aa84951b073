import type { Build } from "./builds";
import { eachPage, type Page } from "./pages";

/** A page of a history in the service's order. */
export interface HistoryPage extends Page<Build> {
  /** The number of the last page, when the service names it. */
  readonly last?: number;
}

/** Reads a page by its number; without one, the first. */
type FetchPage = (page: number | undefined) => Promise<HistoryPage>;

/**
 * Gives a build history piece by piece, the newest builds first, each build once. The specification does not show in which
 * order the service gives builds; it is taken to sort all of a history, or nothing of it. Pages are read as they are needed:
 *
 * - There is one page only: nothing more is read.
 * - The times on the first page fall, but for few: the newest come first. One page is read for each piece.
 * - They rise, but for few: the page that `links.last` names is read, and then those before it. When it is not newer than the first
 *   page, or the service names none, all pages are read.
 * - They rise and fall: all pages are read, and sorted by time.
 * - They show no order: one more page is read, until they do.
 *
 * Where there is an order, it stands, whatever a single time says: the service's clock may have been set back.
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
  if (builds.length > 0) yield newestFirst(builds, order === "unknown" ? orderOf(builds) : order);
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

/** How a history is sorted. `none`: by something else than time. `unknown`: too little of it was read. */
type BuildOrder = "newestFirst" | "oldestFirst" | "none" | "unknown";

/** So many builds of different times show an order: of 8 builds in random order, one list in 20,000 looks sorted. */
const MIN_BUILDS = 8;
/** For each step against the order, so many others, and at least {@link MIN_BESIDE_WRONG}. A clock that was set back makes one such step. */
const STEPS_FOR_ONE_WRONG = 6;
const MIN_BESIDE_WRONG = 10;
/** With fewer steps nobody can say that there is no order: a clock may have been set back among the newest builds. */
const MIN_STEPS_WITHOUT_ORDER = 16;
/** ISO 8601. The specification: "UTC timestamp with microseconds and a trailing Z". Other fractions and zones are read, too. */
const STAMP = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)?$/u;
const MICRO_DIGITS = 6;
const MICROS_PER_MS = 1_000;

/** When a build was queued, in microseconds since 1970; `undefined` when the service does not say, or not readably. */
export function queuedMicros({ queuedAt }: Pick<Build, "queuedAt">): number | undefined {
  const [, date = "", time = "", fraction = "", zone = "Z"] = STAMP.exec(queuedAt) ?? [];
  const ms = Date.parse(`${date}T${time}${zone}`);
  if (Number.isNaN(ms)) return undefined;
  return ms * MICROS_PER_MS + Number(fraction.slice(0, MICRO_DIGITS).padEnd(MICRO_DIGITS, "0"));
}

/** The order in which the service gave these builds. Those of one time, or of a time that cannot be read, show nothing. */
function orderOf(builds: readonly Build[]): BuildOrder {
  const { rises, falls } = stepsOf(builds);
  const [few, many] = rises < falls ? [rises, falls] : [falls, rises];
  if (few * STEPS_FOR_ONE_WRONG > many) return few + many < MIN_STEPS_WITHOUT_ORDER ? "unknown" : "none";
  if (many < (few === 0 ? MIN_BUILDS - 1 : MIN_BESIDE_WRONG)) return "unknown";
  return falls > rises ? "newestFirst" : "oldestFirst";
}

/**
 * Builds of a history with this order, the newest first. Without an order they are sorted by time: those of one time keep the
 * service's order, reversed where all others rise; one whose time cannot be read stays behind the one before it.
 */
function newestFirst(builds: readonly Build[], order: BuildOrder): readonly Build[] {
  if (order === "newestFirst") return builds;
  if (order === "oldestFirst") return builds.toReversed();
  const { rises, falls } = stepsOf(builds);
  const isRising = order === "unknown" && rises > 0 && falls === 0;
  let last = Infinity;
  const stamped = (isRising ? builds.toReversed() : builds).map((build) => {
    last = queuedMicros(build) ?? last;
    return { build, stamp: last };
  });
  // Two infinite times differ by what is no number: they count as one time.
  return stamped.toSorted((one, other) => other.stamp - one.stamp || 0).map(({ build }) => build);
}

/** The newest time among builds; -Infinity when none can be read. */
function newestMicros(builds: readonly Build[]): number {
  return builds.reduce((newest, build) => Math.max(newest, queuedMicros(build) ?? newest), -Infinity);
}

function stepsOf(builds: readonly Build[]): { readonly rises: number; readonly falls: number } {
  const stamps = builds.map(queuedMicros).filter((stamp) => stamp !== undefined);
  const steps = stamps.slice(1).map((stamp, index) => stamp - (stamps[index] ?? stamp));
  return { rises: steps.filter((step) => step > 0).length, falls: steps.filter((step) => step < 0).length };
}

import type { Build } from "./builds";

/** How a history is sorted. `none`: by something else than time. `unknown`: too little of it was read. */
export type BuildOrder = "newestFirst" | "oldestFirst" | "none" | "unknown";

/** So many builds of different times show an order: of 8 builds in random order, one list in 20,000 looks sorted. */
const MIN_BUILDS = 8;
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
export function orderOf(builds: readonly Build[]): BuildOrder {
  const { rises, falls } = stepsOf(builds);
  if (rises > 0 && falls > 0) return "none";
  if (rises + falls < MIN_BUILDS - 1) return "unknown";
  return falls > 0 ? "newestFirst" : "oldestFirst";
}

/**
 * Sorts builds of a history with this order, the newest first. Those of one time keep the service's order, reversed where
 * it gives the oldest first; one whose time cannot be read stays behind the one before it.
 */
export function newestFirst(builds: readonly Build[], order: BuildOrder): readonly Build[] {
  const { rises, falls } = stepsOf(builds);
  const isRising = order === "oldestFirst" || (order === "unknown" && rises > 0 && falls === 0);
  let last = Infinity;
  const stamped = (isRising ? builds.toReversed() : builds).map((build) => {
    last = queuedMicros(build) ?? last;
    return { build, stamp: last };
  });
  // Two infinite times differ by what is no number: they count as one time.
  return stamped.toSorted((one, other) => other.stamp - one.stamp || 0).map(({ build }) => build);
}

/** The newest time among builds; -Infinity when none can be read. */
export function newestMicros(builds: readonly Build[]): number {
  return builds.reduce((newest, build) => Math.max(newest, queuedMicros(build) ?? newest), -Infinity);
}

function stepsOf(builds: readonly Build[]): { readonly rises: number; readonly falls: number } {
  const stamps = builds.map(queuedMicros).filter((stamp) => stamp !== undefined);
  const steps = stamps.slice(1).map((stamp, index) => stamp - (stamps[index] ?? stamp));
  return { rises: steps.filter((step) => step > 0).length, falls: steps.filter((step) => step < 0).length };
}

import { table } from "./markdown";

/** A cost of something of a size. */
export interface Point {
  /** What was measured, and how. */
  readonly shape: string;
  readonly operation: string;
  readonly size: number;
  readonly cpuMs: number;
}

/** How a cost grows with the size. */
export interface Growth {
  readonly shape: string;
  readonly operation: string;
  /** Milliseconds of CPU for each further one, between one size and the next. */
  readonly steps: readonly number[];
  /** 1: twice the size costs twice as much; 2: four times. Of what is above the smallest size. */
  readonly exponent: number;
}

/** The fewest sizes that tell how a cost grows: the smallest one stands for what it costs to do anything at all. */
const FEWEST = 3;

/** The growth of each operation, in the order of the samples; sizes must grow. */
export function growthOf(samples: readonly Point[]): readonly Growth[] {
  const groups = new Map<string, Point[]>();
  for (const one of samples) {
    const key = JSON.stringify([one.shape, one.operation]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].flatMap((group) => {
    const [smallest, ...others] = group;
    if (smallest === undefined || group.length < FEWEST) return [];
    const { shape, operation } = smallest;
    const steps = others.map((one, index) => perItem(group[index] ?? smallest, one));
    return [{ shape, operation, steps, exponent: exponentOf(smallest, others) }];
  });
}

function perItem(less: Point, more: Point): number {
  return (more.cpuMs - less.cpuMs) / (more.size - less.size);
}

/** The slope of the logarithms of what is above the smallest size. */
function exponentOf(smallest: Point, others: readonly Point[]): number {
  const points = others.map(
    ({ size, cpuMs }) => [Math.log(size - smallest.size), Math.log(Math.max(1, cpuMs - smallest.cpuMs))] as const,
  );
  const mean = (pick: (point: readonly [number, number]) => number) =>
    points.reduce((sum, point) => sum + pick(point), 0) / points.length;
  const [meanX, meanY] = [mean(([x]) => x), mean(([, y]) => y)];
  const covariance = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return covariance / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}

/** Above this a cost is named as one that grows faster than what causes it; busy machines scatter. */
const STEEPEST = 1.35;

/** How the CPU time grows, as Markdown. */
export function growthTable(points: readonly Point[], item: string): string {
  return table(
    ["", "operation", `CPU for each further ${item}`, "exponent", ""],
    growthOf(points).map(({ shape, operation, steps, exponent }) => [
      shape,
      operation,
      steps.map((step) => `${step.toFixed(2)} ms`).join(", "),
      exponent.toFixed(2),
      exponent <= STEEPEST ? "linear" : "steeper than linear",
    ]),
  );
}

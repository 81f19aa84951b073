import type { Shape } from "./plan";

/** What one operation with that many variables cost. */
export interface LoadSample {
  readonly shape: Shape;
  readonly size: number;
  readonly operation: string;
  readonly cpuMs: number;
  readonly wallMs: number;
  /** Largest memory of the provider process so far. */
  readonly peakBytes: number;
  readonly requests: number;
  /** Most variables that a PUT carried. */
  readonly mostInRequest: number;
}

/** How a cost grows with the size. */
export interface Growth {
  readonly shape: Shape;
  readonly operation: string;
  /** Milliseconds of CPU for each further variable, between one size and the next. */
  readonly steps: readonly number[];
  /** 1: twice the variables cost twice as much; 2: four times. Of what is above the cost of the smallest size. */
  readonly exponent: number;
}

/** The fewest sizes that tell how a cost grows: the smallest one stands for what it costs to do anything at all. */
const FEWEST = 3;

/** The growth of each operation, in the order of the samples; sizes must grow. */
export function growthOf(samples: readonly LoadSample[]): readonly Growth[] {
  const groups = new Map<string, LoadSample[]>();
  for (const one of samples) {
    const key = JSON.stringify([one.shape, one.operation]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].flatMap((group) => {
    const [smallest, ...others] = group;
    if (smallest === undefined || group.length < FEWEST) return [];
    const { shape, operation } = smallest;
    const steps = others.map((one, index) => perVariable(group[index] ?? smallest, one));
    return [{ shape, operation, steps, exponent: exponentOf(smallest.cpuMs, others) }];
  });
}

function perVariable(less: LoadSample, more: LoadSample): number {
  return (more.cpuMs - less.cpuMs) / (more.size - less.size);
}

/** The slope of the logarithms. */
function exponentOf(baseMs: number, group: readonly LoadSample[]): number {
  const points = group.map(({ size, cpuMs }) => [Math.log(size), Math.log(Math.max(1, cpuMs - baseMs))] as const);
  const mean = (pick: (point: readonly [number, number]) => number) =>
    points.reduce((sum, point) => sum + pick(point), 0) / points.length;
  const [meanX, meanY] = [mean(([x]) => x), mean(([, y]) => y)];
  const covariance = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return covariance / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}

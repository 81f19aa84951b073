import { type Contender, contenders, type Operation, operations } from "./contenders";
import type { Cost } from "./measure";
import type { Traffic } from "./requests";

/** One run of the CLI. */
export interface Sample {
  readonly latencyMs: number;
  readonly size: number;
  readonly contender: Contender;
  readonly operation: Operation;
  /** Counts from 0. */
  readonly round: number;
  readonly cost: Cost;
  readonly traffic: Traffic;
}

/** Size of a contender's state after a create. */
export interface StateSize {
  readonly size: number;
  readonly contender: Contender;
  /** Bytes of each variable in the backend's file, and in what `pulumi stack export` writes. */
  readonly fileBytes: number;
  readonly exportedBytes: number;
}

/** What one contender's operation costs: medians over its runs. */
export interface Figure extends Cost {
  readonly runs: number;
  readonly traffic: Traffic;
}

/** One operation at one size, contender by contender. */
export interface Comparison {
  readonly latencyMs: number;
  readonly size: number;
  readonly operation: Operation;
  readonly figures: Readonly<Partial<Record<Contender, Figure>>>;
  /** CPU of a contender, of the least that its program can cost: the median of the ratios of single rounds. */
  readonly ratios: Readonly<Partial<Record<Contender, number>>>;
}

/** What a contender is compared with. */
export const floorOf: Readonly<Partial<Record<Contender, Contender>>> = {
  ours: "floor",
  native: "floor",
  single: "nothing",
};

/** Medians of every operation, in the order in which they were measured. */
export function compare(samples: readonly Sample[]): readonly Comparison[] {
  const groups = new Map<string, Sample>();
  for (const sample of samples) groups.set(`${sample.latencyMs} ${sample.size}`, sample);
  return [...groups.values()].flatMap(({ latencyMs, size }) => {
    const mine = samples.filter((sample) => sample.latencyMs === latencyMs && sample.size === size);
    return operations.flatMap((operation) => {
      const same = mine.filter((sample) => sample.operation === operation);
      return same.length === 0 ? [] : { latencyMs, size, operation, figures: figuresOf(same), ratios: ratiosOf(same) };
    });
  });
}

function figuresOf(samples: readonly Sample[]): Partial<Record<Contender, Figure>> {
  const figures: Partial<Record<Contender, Figure>> = {};
  for (const contender of contenders) {
    const counted = countedOf(samples, contender);
    const [first] = counted;
    if (first !== undefined) figures[contender] = figureOf(first, counted);
  }
  return figures;
}

/** The first round warms caches up; a contender that is too slow for a second one has nothing else. */
function countedOf(samples: readonly Sample[], contender: Contender): readonly Sample[] {
  const all = samples.filter((sample) => sample.contender === contender);
  return all.some(({ round }) => round > 0) ? all.filter(({ round }) => round > 0) : all;
}

function ratiosOf(samples: readonly Sample[]): Partial<Record<Contender, number>> {
  const ratios: Partial<Record<Contender, number>> = {};
  for (const contender of contenders) {
    const floor = floorOf[contender];
    if (floor === undefined) continue;
    const floors = new Map(countedOf(samples, floor).map(({ round, cost }) => [round, cost.cpuMs]));
    const pairs = countedOf(samples, contender).flatMap(({ round, cost }) => {
      const least = floors.get(round);
      return least === undefined ? [] : [cost.cpuMs / least];
    });
    if (pairs.length > 0) ratios[contender] = median(pairs);
  }
  return ratios;
}

function figureOf({ traffic }: Sample, samples: readonly Sample[]): Figure {
  const of = (field: keyof Cost) => median(samples.map(({ cost }) => cost[field]));
  return {
    runs: samples.length,
    traffic,
    cpuMs: of("cpuMs"),
    wallMs: of("wallMs"),
    treeBytes: of("treeBytes"),
    providerBytes: of("providerBytes"),
  };
}

/** The value in the middle; the mean of both for an even number of them. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length / 2;
  const around = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1);
  return around.reduce((sum, value) => sum + value, 0) / around.length;
}

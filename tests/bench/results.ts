import { type Contender, contenders, floorOf, type Operation, operations } from "./contenders";
import type { Cost } from "./measure";
import type { Traffic } from "./requests";

/** One run of the CLI. */
export interface Sample {
  readonly size: number;
  readonly contender: Contender;
  readonly operation: Operation;
  readonly round: number;
  readonly cost: Cost;
  readonly traffic: Traffic;
  /** Of the whole state in the backend's file, afterwards. */
  readonly stateBytes: number;
}

/** What one contender's operation costs: medians over its runs. */
export interface Figure extends Cost {
  readonly traffic: Traffic;
  readonly stateBytes: number;
}

/** One operation at one size, contender by contender. */
export interface Comparison {
  readonly size: number;
  readonly operation: Operation;
  readonly figures: Readonly<Partial<Record<Contender, Figure>>>;
  /** CPU of a contender, of the least that its program can cost: the median of the ratios of single rounds. */
  readonly ratios: Readonly<Partial<Record<Contender, number>>>;
}

/** Medians of every operation, in the order in which they were measured. */
export function compare(samples: readonly Sample[]): readonly Comparison[] {
  const sizes = [...new Set(samples.map(({ size }) => size))];
  return sizes.flatMap((size) =>
    operations.flatMap((operation) => {
      const same = samples.filter((sample) => sample.size === size && sample.operation === operation);
      return same.length === 0 ? [] : { size, operation, figures: figuresOf(same), ratios: ratiosOf(same) };
    }),
  );
}

function figuresOf(samples: readonly Sample[]): Partial<Record<Contender, Figure>> {
  const figures: Partial<Record<Contender, Figure>> = {};
  for (const contender of contenders) {
    const own = samples.filter((sample) => sample.contender === contender);
    const [first] = own;
    if (first === undefined) continue;
    const of = (field: keyof Cost) => median(own.map(({ cost }) => cost[field]));
    figures[contender] = {
      traffic: first.traffic,
      stateBytes: first.stateBytes,
      cpuMs: of("cpuMs"),
      wallMs: of("wallMs"),
      treeBytes: of("treeBytes"),
      providerBytes: of("providerBytes"),
    };
  }
  return figures;
}

function ratiosOf(samples: readonly Sample[]): Partial<Record<Contender, number>> {
  const ratios: Partial<Record<Contender, number>> = {};
  for (const contender of contenders) {
    const pairs = samples.flatMap((sample) => {
      const floor = samples.find((one) => one.contender === floorOf[contender] && one.round === sample.round);
      return sample.contender !== contender || floor === undefined ? [] : [sample.cost.cpuMs / floor.cost.cpuMs];
    });
    if (pairs.length > 0) ratios[contender] = median(pairs);
  }
  return ratios;
}

/** The value in the middle. The mean of both for an even number of them. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length / 2;
  const around = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1);
  return around.reduce((sum, value) => sum + value, 0) / around.length;
}

import { type Contender, contenders, type Operation } from "./contenders";
import type { Comparison, StateSize } from "./results";

const MEGABYTE = 1_000_000;
const MAX_EXTRA_BYTES = 40 * MEGABYTE;
const MAX_STATE_BYTES = 500;

type Goals = ReadonlyMap<number, number>;

const goals = (one: number, hundred: number, thousand: number): Goals =>
  new Map([
    [1, one],
    [100, hundred],
    [1000, thousand],
  ]);

const ofUpdates = goals(1.02, 1.03, 1.07);

/** CPU at most, as a ratio of the floor's, by number of variables. */
const mostOfFloor: Readonly<Partial<Record<Contender, Readonly<Partial<Record<Operation, Goals>>>>>> = {
  ours: {
    create: ofUpdates,
    preview: goals(1.02, 1.03, 1.05),
    refresh: goals(1.06, 1.06, 1.08),
    "change 1": ofUpdates,
    "change all": ofUpdates,
    destroy: goals(1.05, 1.12, 1.2),
  },
  native: {
    create: goals(0.78, 0.8, 0.85),
    preview: goals(0.78, 0.8, 0.85),
    refresh: goals(0.55, 0.58, 0.7),
  },
};

/** CPU of a create, as a ratio of what one resource a variable costs. */
const mostOfPerVariable: Goals = new Map([
  [100, 0.45],
  [1000, 0.03],
]);

/** A figure beside what it is meant to be at most. */
export interface Verdict {
  readonly subject: string;
  readonly found: number;
  readonly most: number;
  readonly unit: "ratio" | "MB" | "KB";
}

/** Every target that the measured sizes have. */
export function verdicts(comparisons: readonly Comparison[], states: readonly StateSize[]): readonly Verdict[] {
  return [
    ...comparisons.flatMap(ratiosOf),
    ...comparisons.flatMap(memoryOf),
    ...comparisons.flatMap(perVariableOf),
    ...states.flatMap(stateOf),
  ];
}

function ratiosOf(comparison: Comparison): readonly Verdict[] {
  const { operation, size, ratios } = comparison;
  return contenders.flatMap((contender): readonly Verdict[] => {
    const [found, most] = [ratios[contender], mostOfFloor[contender]?.[operation]?.get(size)];
    if (found === undefined || most === undefined) return [];
    return [{ subject: `CPU, ${contender} / floor: ${whereOf(comparison)}`, found, most, unit: "ratio" }];
  });
}

function memoryOf(comparison: Comparison): readonly Verdict[] {
  const { ours, floor, native } = comparison.figures;
  if (ours === undefined) return [];
  const extra = (subject: string, found: number, most: number): Verdict => ({
    subject: `provider's memory, ${subject}: ${whereOf(comparison)}`,
    found: found / MEGABYTE,
    most: most / MEGABYTE,
    unit: "MB",
  });
  return [
    ...(floor === undefined ? [] : [extra("ours - floor", ours.providerBytes - floor.providerBytes, MAX_EXTRA_BYTES)]),
    ...(native === undefined ? [] : [extra("native - ours", native.providerBytes - ours.providerBytes, 0)]),
  ];
}

function perVariableOf(comparison: Comparison): readonly Verdict[] {
  const { size, operation, figures } = comparison;
  const { ours, "per-variable": other } = figures;
  const most = mostOfPerVariable.get(size);
  if (operation !== "create" || ours === undefined || other === undefined || most === undefined) return [];
  const subject = `CPU, ours / per variable: ${whereOf(comparison)}`;
  return [{ subject, found: ours.cpuMs / other.cpuMs, most, unit: "ratio" }];
}

function stateOf({ size, contender, fileBytes }: StateSize): readonly Verdict[] {
  if (contender !== "ours" || size === 1) return [];
  const subject = `state of a variable, N = ${size}`;
  return [{ subject, found: fileBytes / 1000, most: MAX_STATE_BYTES / 1000, unit: "KB" }];
}

function whereOf({ operation, size, latencyMs }: Comparison): string {
  return `${operation}, N = ${size}, ${latencyMs} ms`;
}

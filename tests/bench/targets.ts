import type { Operation } from "./contenders";
import type { Comparison, StateSize } from "./results";

const LARGE = 1000;
const MEGABYTE = 1_000_000;
const MAX_EXTRA_BYTES = 40 * MEGABYTE;
const MAX_STATE_BYTES = 550;
const MAX_AT_LARGE = 1.15;
/** CPU, as a ratio of the floor's. */
const mostOfFloor: Readonly<Record<Operation, number>> = {
  create: 1.1,
  preview: 1.05,
  refresh: 1.2,
  "change 1": 1.1,
  "change all": 1.1,
  destroy: 1.6,
};
/** CPU of the native plugin, as a ratio of the floor's. */
const mostOfFloorNative: Readonly<Partial<Record<Operation, number>>> = {
  create: 0.8,
  preview: 0.78,
  refresh: 0.6,
  "change 1": 0.8,
  "change all": 0.8,
};
/** CPU of a create, as a ratio of what one resource a variable costs. */
const mostOfPerVariable: ReadonlyMap<number, number> = new Map([
  [100, 0.45],
  [LARGE, 0.03],
]);

/** A figure beside what it is meant to be at most. */
export interface Verdict {
  readonly subject: string;
  readonly found: number;
  readonly most: number;
  readonly unit: "ratio" | "MB" | "KB";
}

/** Every target that the measured sizes have. Latency is not among them: waiting costs no CPU. */
export function verdicts(comparisons: readonly Comparison[], states: readonly StateSize[]): readonly Verdict[] {
  return [
    ...comparisons.flatMap(verdictsOf),
    ...comparisons.flatMap(verdictsOfNative),
    ...states.flatMap(verdictOfState),
  ];
}

function verdictsOf({ size, latencyMs, operation, figures }: Comparison): readonly Verdict[] {
  const { ours, floor } = figures;
  if (ours === undefined) return [];
  const where = `${operation}, N = ${size}, ${latencyMs} ms`;
  const found: Verdict[] = [];
  if (floor !== undefined) {
    found.push({
      subject: `CPU, ours / floor: ${where}`,
      found: ours.cpuMs / floor.cpuMs,
      most: operation !== "destroy" && size >= LARGE ? MAX_AT_LARGE : mostOfFloor[operation],
      unit: "ratio",
    });
    found.push({
      subject: `provider's memory, ours - floor: ${where}`,
      found: (ours.providerBytes - floor.providerBytes) / MEGABYTE,
      most: MAX_EXTRA_BYTES / MEGABYTE,
      unit: "MB",
    });
  }
  const most = mostOfPerVariable.get(size);
  const other = figures["per-variable"];
  if (operation === "create" && other !== undefined && most !== undefined)
    found.push({ subject: `CPU, ours / per variable: ${where}`, found: ours.cpuMs / other.cpuMs, most, unit: "ratio" });
  return found;
}

function verdictsOfNative({ size, latencyMs, operation, figures }: Comparison): readonly Verdict[] {
  const { native, floor, ours } = figures;
  if (native === undefined) return [];
  const where = `${operation}, N = ${size}, ${latencyMs} ms`;
  const most = mostOfFloorNative[operation];
  const found: Verdict[] = [];
  if (floor !== undefined && most !== undefined)
    found.push({
      subject: `CPU, native / floor: ${where}`,
      found: native.cpuMs / floor.cpuMs,
      most,
      unit: "ratio",
    });
  if (ours !== undefined)
    found.push({
      subject: `provider's memory, native - ours: ${where}`,
      found: (native.providerBytes - ours.providerBytes) / MEGABYTE,
      most: 0,
      unit: "MB",
    });
  return found;
}

function verdictOfState({ size, contender, fileBytes }: StateSize): readonly Verdict[] {
  if (contender !== "ours" || size === 1) return [];
  const subject = `state of a variable, N = ${size}`;
  return [{ subject, found: fileBytes / 1000, most: MAX_STATE_BYTES / 1000, unit: "KB" }];
}

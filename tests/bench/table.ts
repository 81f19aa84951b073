import { MS_PER_SECOND } from "../../provider/src/client/clock";
import { type Contender, contenders } from "./contenders";
import { table } from "./markdown";
import { describeRequests } from "./requests";
import type { Comparison, Figure, StateSize } from "./results";
import type { Verdict } from "./targets";

const MEGABYTE = 1_000_000;
const KILOBYTE = 1000;
const NOTHING = "-";

/** CPU time, with ratios. */
export function cpuTable(comparisons: readonly Comparison[]): string {
  const rows = comparisons.map(({ latencyMs, size, operation, figures }) => [
    `${size}`,
    `${latencyMs} ms`,
    operation,
    ...contenders.map((contender) => seconds(figures[contender], "cpuMs")),
    ratio(figures.ours, figures.floor),
    ratio(figures.native, figures.floor),
    ratio(figures.ours, figures["per-variable"]),
  ]);
  return table(
    ["N", "latency", "operation", ...contenders, "ours / floor", "native / floor", "ours / per variable"],
    rows,
  );
}

/** Wall time. */
export function wallTable(comparisons: readonly Comparison[]): string {
  const rows = comparisons.map(({ latencyMs, size, operation, figures }) => [
    `${size}`,
    `${latencyMs} ms`,
    operation,
    ...contenders.map((contender) => seconds(figures[contender], "wallMs")),
  ]);
  return table(["N", "latency", "operation", ...contenders], rows);
}

/** Memory of the provider process and of all processes. */
export function memoryTable(comparisons: readonly Comparison[]): string {
  const rows = comparisons.map(({ latencyMs, size, operation, figures }) => [
    `${size}`,
    `${latencyMs} ms`,
    operation,
    ...contenders.map((contender) => megabytes(figures[contender], "providerBytes")),
    ...contenders.map((contender) => megabytes(figures[contender], "treeBytes")),
  ]);
  const heads = contenders.flatMap((contender) => [`provider: ${contender}`]);
  return table(["N", "latency", "operation", ...heads, ...contenders.map((one) => `all: ${one}`)], rows);
}

/** Requests, most of them in flight at once, and connections. */
export function requestTable(comparisons: readonly Comparison[]): string {
  const traffic = (figure: Figure | undefined): string => {
    if (figure === undefined) return NOTHING;
    const { counts, mostInFlight, connections } = figure.traffic;
    return `${describeRequests(counts)}${mostInFlight > 0 ? ` (${mostInFlight} at once, ${connections} conn.)` : ""}`;
  };
  const shown = ["ours", "native", "per-variable"] as const satisfies readonly Contender[];
  const rows = comparisons.map(({ latencyMs, size, operation, figures }) => [
    `${size}`,
    `${latencyMs} ms`,
    operation,
    ...shown.map((contender) => traffic(figures[contender])),
  ]);
  return table(["N", "latency", "operation", ...shown], rows);
}

/** Bytes of state for each variable. */
export function stateTable(states: readonly StateSize[]): string {
  const rows = states.map(({ size, contender, fileBytes, exportedBytes }) => [
    `${size}`,
    contender,
    `${(fileBytes / KILOBYTE).toFixed(2)} KB`,
    `${(exportedBytes / KILOBYTE).toFixed(2)} KB`,
  ]);
  return table(["N", "", "backend file, a variable", "stack export, a variable"], rows);
}

/** Targets and whether they are met. */
export function targetTable(verdicts: readonly Verdict[]): string {
  const digits = { ratio: 3, KB: 3, MB: 0 };
  const rows = verdicts.map(({ subject, found, most, unit }) => [
    subject,
    `${found.toFixed(digits[unit])}${unit === "ratio" ? "" : ` ${unit}`}`,
    `${most}`,
    found <= most ? "met" : "missed",
  ]);
  return table(["target", "found", "at most", ""], rows);
}

function seconds(figure: Figure | undefined, field: "cpuMs" | "wallMs"): string {
  return figure === undefined ? NOTHING : `${(figure[field] / MS_PER_SECOND).toFixed(2)} s`;
}

function megabytes(figure: Figure | undefined, field: "treeBytes" | "providerBytes"): string {
  return figure === undefined || figure[field] === 0 ? NOTHING : `${Math.round(figure[field] / MEGABYTE)} MB`;
}

function ratio(one: Figure | undefined, other: Figure | undefined): string {
  return one === undefined || other === undefined ? NOTHING : (one.cpuMs / other.cpuMs).toFixed(3);
}

import { MS_PER_SECOND } from "../../provider/src/client/clock";
import { type Contender, contenders } from "./contenders";
import { table } from "./markdown";
import { describeRequests } from "./requests";
import { type Comparison, type Figure, floorOf, type StateSize } from "./results";
import type { Verdict } from "./targets";

const MEGABYTE = 1_000_000;
const KILOBYTE = 1000;
const NOTHING = "-";
const RATIO_DIGITS = 3;

/** CPU time, with ratios: the table of docs/guides/costs.md. */
export function cpuTable(comparisons: readonly Comparison[]): string {
  const shown = shownIn(comparisons);
  const compared = shown.filter((contender) => floorOf[contender] !== undefined);
  const rows = comparisons.map(({ latencyMs, size, operation, figures, ratios }) => [
    `${size}`,
    `${latencyMs} ms`,
    operation,
    ...shown.map((contender) => seconds(figures[contender], "cpuMs")),
    ...compared.map((contender) => ratios[contender]?.toFixed(RATIO_DIGITS) ?? NOTHING),
    ...(shown.includes("per-variable") ? [ratio(figures.ours, figures["per-variable"])] : []),
  ]);
  const heads = [...shown, ...compared.map((contender) => `${contender} / ${floorOf[contender]}`)];
  const last = shown.includes("per-variable") ? ["ours / per variable"] : [];
  return table(["variables", "latency", "operation", ...heads, ...last], rows);
}

/** The contenders that were measured. */
function shownIn(comparisons: readonly Comparison[]): readonly Contender[] {
  return contenders.filter((contender) => comparisons.some(({ figures }) => figures[contender] !== undefined));
}

/** Wall time. */
export function wallTable(comparisons: readonly Comparison[]): string {
  const rows = comparisons.map(({ latencyMs, size, operation, figures }) => [
    `${size}`,
    `${latencyMs} ms`,
    operation,
    ...shownIn(comparisons).map((contender) => seconds(figures[contender], "wallMs")),
  ]);
  return table(["N", "latency", "operation", ...shownIn(comparisons)], rows);
}

/** Memory of the provider process and of all processes. */
export function memoryTable(comparisons: readonly Comparison[]): string {
  const shown = shownIn(comparisons);
  const rows = comparisons.map(({ latencyMs, size, operation, figures }) => [
    `${size}`,
    `${latencyMs} ms`,
    operation,
    ...shown.map((contender) => megabytes(figures[contender], "providerBytes")),
    ...shown.map((contender) => megabytes(figures[contender], "treeBytes")),
  ]);
  const heads = shown.map((contender) => `provider: ${contender}`);
  return table(["N", "latency", "operation", ...heads, ...shown.map((one) => `all: ${one}`)], rows);
}

/** Requests, most of them in flight at once, and connections. */
export function requestTable(comparisons: readonly Comparison[]): string {
  const traffic = (figure: Figure | undefined): string => {
    if (figure === undefined) return NOTHING;
    const { counts, mostInFlight, connections } = figure.traffic;
    return `${describeRequests(counts)}${mostInFlight > 0 ? ` (${mostInFlight} at once, ${connections} conn.)` : ""}`;
  };
  const shown = shownIn(comparisons).filter((contender) => contender !== "floor" && contender !== "nothing");
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
  return one === undefined || other === undefined ? NOTHING : (one.cpuMs / other.cpuMs).toFixed(RATIO_DIGITS);
}

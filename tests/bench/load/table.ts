import { MS_PER_SECOND } from "../../../provider/src/client/clock";
import { type Growth, growthOf, type LoadSample } from "./sample";

const MIB = 1024 * 1024;
/** Above this a cost is named as one that grows faster than what causes it; busy machines scatter. */
const STEEPEST = 1.35;

/** Every figure, and how the CPU time grows. */
export function loadReport(title: string, samples: readonly LoadSample[]): string {
  const figures = samples.map(({ shape, size, operation, cpuMs, wallMs, peakBytes, requests }) =>
    row([shape, size, operation, seconds(cpuMs), seconds(wallMs), `${Math.round(peakBytes / MIB)} MiB`, requests]),
  );
  const growth = growthOf(samples).map(({ shape, operation, steps, exponent }) =>
    row([
      shape,
      operation,
      steps.map((step) => `${step.toFixed(2)} ms`).join(", "),
      exponent.toFixed(2),
      verdict(exponent),
    ]),
  );
  return [
    `## ${title}`,
    [
      row(["shape", "variables", "operation", "CPU", "wall", "peak memory", "requests"]),
      row(Array(7).fill("---")),
      ...figures,
    ].join("\n"),
    [
      row(["shape", "operation", "CPU for each further variable", "exponent", ""]),
      row(Array(5).fill("---")),
      ...growth,
    ].join("\n"),
  ].join("\n\n");
}

/** What carried more variables than one request may; empty when nothing did. */
export function tooLarge(samples: readonly LoadSample[], batchSize: number): readonly string[] {
  return samples
    .filter(({ mostInRequest }) => mostInRequest > batchSize)
    .map(
      ({ shape, size, operation, mostInRequest }) =>
        `${shape} of ${size}, ${operation}: ${mostInRequest} variables in one PUT`,
    );
}

function verdict(exponent: Growth["exponent"]): string {
  return exponent <= STEEPEST ? "linear" : "steeper than linear";
}

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.join(" | ")} |`;
}

function seconds(ms: number): string {
  return `${(ms / MS_PER_SECOND).toFixed(2)} s`;
}

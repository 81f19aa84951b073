import { growthTable } from "../growth";
import { inMiB, inSeconds, table } from "../markdown";
import type { LoadSample } from "./sample";

/** Every figure, and how the CPU time grows. */
export function loadReport(title: string, samples: readonly LoadSample[]): string {
  const figures = table(
    ["shape", "variables", "operation", "CPU", "wall", "peak memory", "requests"],
    samples.map(({ shape, size, operation, cpuMs, wallMs, peakBytes, requests }) => [
      shape,
      size,
      operation,
      inSeconds(cpuMs),
      inSeconds(wallMs),
      inMiB(peakBytes),
      requests,
    ]),
  );
  return [`## ${title}`, figures, growthTable(samples, "variable")].join("\n\n");
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

import { MS_PER_SECOND } from "../../provider/src/client/clock";

const MIB = 1024 * 1024;

/** What a measurement has found. */
export interface Report {
  /** How it was measured. */
  readonly introduction: string;
  /** In Markdown. */
  readonly sections: readonly (readonly [title: string, body: string])[];
  /** Requests that were not promised, or are missing: they fail the benchmark. Without it, nothing is promised. */
  readonly brokenPromises?: readonly string[];
}

/** A Markdown table with aligned columns. */
export function table(heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const texts = rows.map((row) => row.map(String));
  const widths = heads.map((head, column) => Math.max(head.length, ...texts.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(heads), line(widths.map((width) => "-".repeat(width))), ...texts.map(line)].join("\n");
}

/** Milliseconds as seconds. */
export function inSeconds(ms: number): string {
  return `${(ms / MS_PER_SECOND).toFixed(2)} s`;
}

/** Bytes as MiB. */
export function inMiB(bytes: number): string {
  return `${Math.round(bytes / MIB)} MiB`;
}

/** Requests in words: `1 GET, 10 PUT`. */
export function describeRequests(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([kind, count]) => `${count} ${kind}`);
  return parts.length === 0 ? "none" : parts.toSorted().join(", ");
}

/** How many entries have each key. */
export function countBy<T>(entries: Iterable<T>, keyOf: (entry: T) => string): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const entry of entries) counts[keyOf(entry)] = (counts[keyOf(entry)] ?? 0) + 1;
  return counts;
}

import { MS_PER_SECOND } from "../../provider/src/client/clock";

const MIB = 1024 * 1024;

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

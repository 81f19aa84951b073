import { MS_PER_SECOND } from "../../provider/src/client/clock";
import type { Sample } from "./lives";
import type { Cost } from "./measure";

const MIB = 1024 * 1024;
const BYTES_PER_KB = 1000;
const RATIO_DIGITS = 3;
const HEADS = [
  "size",
  "operation",
  "contender",
  "CPU",
  "of its floor",
  "provider",
  "all processes",
  "state",
  "requests",
];

/** Medians over the rounds, as a Markdown table: a row for each operation of each contender at each size. */
export function tableOf(samples: readonly Sample[]): string {
  const rows = samples.filter(({ round }) => round === 1).map((first) => rowOf(first, samples));
  const widths = HEADS.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(HEADS), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

function rowOf({ size, operation, contender, requests, stateBytes }: Sample, samples: readonly Sample[]): string[] {
  const same = samples.filter((one) => one.size === size && one.operation === operation);
  const own = same.filter((one) => one.contender === contender);
  const of = (field: keyof Cost): number => median(own.map((one) => one[field]));
  // The median of the ratios of single rounds: in each, all contenders meet the same machine.
  const ratios = own.flatMap(({ round, cpuMs }) => {
    const floor = same.find((one) => one.contender.name === contender.floor && one.round === round);
    return floor === undefined ? [] : [cpuMs / floor.cpuMs];
  });
  return [
    String(size),
    operation,
    contender.name,
    inSeconds(of("cpuMs")),
    ratios.length === 0 ? "-" : median(ratios).toFixed(RATIO_DIGITS),
    inMiB(of("providerBytes")),
    inMiB(of("treeBytes")),
    `${Math.round(stateBytes / BYTES_PER_KB)} KB`,
    inWords(requests),
  ];
}

/** Milliseconds as seconds. */
export function inSeconds(ms: number): string {
  return `${(ms / MS_PER_SECOND).toFixed(2)} s`;
}

function inMiB(bytes: number): string {
  return `${Math.round(bytes / MIB)} MiB`;
}

/** The value in the middle. The mean of both for an even number of them. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length / 2;
  const around = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1);
  return around.reduce((sum, value) => sum + value, 0) / around.length;
}

/** Requests in words: `1 GET, 10 PUT`. */
function inWords(requests: Sample["requests"]): string {
  const parts = Object.entries(requests).map(([method, count]) => `${count} ${method}`);
  return parts.length === 0 ? "none" : parts.toSorted().join(", ");
}

import { MS_PER_SECOND } from "../../provider/src/client/clock";
import type { Journal } from "../../provider/src/sandbox";
import type { Operation } from "./contenders";
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

function rowOf({ size, operation, contender, traffic, stateBytes }: Sample, samples: readonly Sample[]): string[] {
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
    describeRequests(traffic.counts),
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

const BATCH = 100;
const MAX_AT_ONCE = 8;

/** The requests that one run of the CLI caused. */
export interface Traffic {
  /** By method. */
  readonly counts: Readonly<Record<string, number>>;
  readonly mostInFlight: number;
  readonly connections: number;
}

/** What the sandbox has seen since its journal was cleared. */
export function trafficOf({ entries, maxInFlight, connections }: Journal): Traffic {
  const counts: Record<string, number> = {};
  for (const { method } of entries) counts[method] = (counts[method] ?? 0) + 1;
  return { counts, mostInFlight: maxInFlight, connections };
}

/** Requests in words: `1 GET, 10 PUT`. */
export function describeRequests(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([method, count]) => `${count} ${method}`);
  return parts.length === 0 ? "none" : parts.toSorted().join(", ");
}

/** How the traffic of our provider differs from what is promised. Empty when it does not, or nothing is promised. */
export function broken({ contender, operation, size, traffic }: Sample): readonly string[] {
  if (!contender.isPromised) return [];
  const wanted = describeRequests(promised(operation, size));
  const sent = describeRequests(traffic.counts);
  return [
    ...(sent === wanted ? [] : [`${wanted} promised, ${sent} sent`]),
    ...(traffic.mostInFlight <= MAX_AT_ONCE ? [] : [`${traffic.mostInFlight} requests in flight at once`]),
    ...(traffic.connections <= MAX_AT_ONCE ? [] : [`${traffic.connections} connections`]),
  ].map((problem) => `${contender.name}: ${operation}, N = ${size}: ${problem}`);
}

function promised(operation: Operation, size: number): Readonly<Record<string, number>> {
  const batches = Math.ceil(size / BATCH);
  const requests: Record<Operation, Readonly<Record<string, number>>> = {
    // The GET looks for names that exist already (`onConflict: "fail"`).
    create: { GET: 1, PUT: batches },
    // It looks for the same.
    "first preview": { GET: 1 },
    preview: {},
    refresh: { GET: 1 },
    "change 1": { PUT: 1 },
    "change all": { PUT: batches },
    // The GET tells what somebody has written since: a delete deletes only what this stack has seen.
    destroy: { GET: 1, DELETE: size },
  };
  return requests[operation];
}

import type { Journal } from "../../provider/src/sandbox";
import type { Operation } from "./contenders";
import type { Sample } from "./lives";

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

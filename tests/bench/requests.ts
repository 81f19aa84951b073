import type { Journal } from "../../provider/src/sandbox";
import type { Operation } from "./contenders";
import { countBy, describeRequests } from "./report";

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
  return { counts: countBy(entries, ({ method }) => method), mostInFlight: maxInFlight, connections };
}

/** How the traffic of our provider differs from what is promised. Empty when it does not. */
export function broken(operation: Operation, size: number, traffic: Traffic): readonly string[] {
  const wanted = describeRequests(promised(operation, size));
  const sent = describeRequests(traffic.counts);
  return [
    ...(sent === wanted ? [] : [`${wanted} promised, ${sent} sent`]),
    ...(traffic.mostInFlight <= MAX_AT_ONCE ? [] : [`${traffic.mostInFlight} requests in flight at once`]),
    ...(traffic.connections <= MAX_AT_ONCE ? [] : [`${traffic.connections} connections`]),
  ];
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

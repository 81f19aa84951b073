import * as fc from "fast-check";
import type { Fault, Trouble } from "../trouble";
import { weighted } from "./edits";
import { foreign } from "./foreign";

const STATUSES = [400, 401, 403, 404, 405, 409, 413, 418, 422, 429, 500, 501, 502, 503, 504, 520] as const;
const MAX_WRITES = 4;

/** Something of one kind that goes wrong. */
function goes<F extends string, T>(kind: F, rest: { [K in keyof T]: fc.Arbitrary<T[K]> }) {
  return fc.record<T>(rest).map((one) => ({ kind, ...one }));
}

const status: fc.Arbitrary<Fault> = fc.record(
  {
    kind: fc.constant("status" as const),
    status: fc.constantFrom(...STATUSES),
    acts: fc.boolean(),
    retryAfterSeconds: fc.constantFrom(0, 1, 7, 90),
    body: fc.constantFrom("html", "empty", "text", "echo"),
  },
  { requiredKeys: ["kind", "status"] },
);

export const gateway = goes("gateway", {
  says: fc.constantFrom("html", "empty", "text", "json"),
  where: fc.constantFrom("everything", "environments", "variables", "deletions"),
});

/** The process ends, or its engine with it. */
export const crash = goes("crash", {
  who: fc.constantFrom("provider", "engine"),
  when: fc.constantFrom("before", "after"),
});

export const cancel = fc.record(
  { kind: fc.constant("cancel" as const), when: fc.constantFrom("acted", "answered") },
  { requiredKeys: ["kind"] },
);

const bits = fc.integer({ min: 1, max: 63 });

/** What goes wrong with one request. */
export const fault: fc.Arbitrary<Fault> = weighted<Fault>(
  [5, status],
  [2, gateway],
  [1, fc.record({ kind: fc.constant("refused" as const) })],
  [4, goes("lost", { when: fc.constantFrom("before", "after", "midway") })],
  [2, goes("slow", { seconds: fc.constantFrom(2, 29, 40), when: fc.constantFrom("before", "after") })],
  [3, goes("garbled", { how: fc.constantFrom("truncated", "html", "empty", "null", "list", "types") })],
  [1, fc.constant({ kind: "contentType" as const })],
  [4, goes("partial", { names: bits, nameless: fc.nat({ max: 7 }) })],
  [1, goes("unmentioned", { names: bits, acts: fc.boolean() })],
);

/** What goes wrong during a run. */
export const trouble: fc.Arbitrary<Trouble> = fc
  .record({
    at: fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 12 })),
    times: fc.constantFrom(1, 1, 1, 2, 5, 50),
    writes: fc.boolean(),
    what: weighted<Trouble["what"]>([10, fault], [2, goes("foreign", { act: foreign })], [2, crash], [2, cancel]),
  })
  .map(({ at, times, writes, what }) => ({
    // The few writes of a run are its first ones.
    at: writes ? at % MAX_WRITES : at,
    ...(writes && { writes: true as const }),
    ...(times !== 1 && what.kind !== "foreign" && { times }),
    what,
  }));

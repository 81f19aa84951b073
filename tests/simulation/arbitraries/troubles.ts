import * as fc from "fast-check";
import type { Fault, Trouble } from "../trouble";
import { foreign } from "./foreign";

const STATUSES = [400, 401, 403, 404, 405, 409, 413, 418, 422, 429, 500, 501, 502, 503, 504, 520] as const;
const MAX_WRITES = 4;

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

/** A gateway answers 404. */
export const gateway = fc.record({
  kind: fc.constant("gateway" as const),
  says: fc.constantFrom("html", "empty", "text", "json"),
  where: fc.constantFrom("everything", "environments", "variables", "deletions"),
});

/** The process ends, or its engine with it. */
export const crash = fc.record({
  kind: fc.constant("crash" as const),
  who: fc.constantFrom("provider" as const, "engine" as const),
  when: fc.constantFrom("before" as const, "after" as const),
});

/** Somebody cancels. */
export const cancel = fc.record(
  { kind: fc.constant("cancel" as const), when: fc.constantFrom("acted" as const, "answered" as const) },
  { requiredKeys: ["kind"] },
);

/** What goes wrong with one request. */
export const fault: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 5, arbitrary: status },
  { weight: 2, arbitrary: gateway },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("refused" as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("lost" as const), when: fc.constantFrom("before", "after", "midway") }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("slow" as const),
      seconds: fc.constantFrom(2, 29, 40),
      when: fc.constantFrom("before", "after"),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("garbled" as const),
      how: fc.constantFrom("truncated", "html", "empty", "null", "list", "types"),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "contentType" as const }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("partial" as const),
      names: fc.integer({ min: 1, max: 63 }),
      nameless: fc.nat({ max: 7 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("unmentioned" as const),
      names: fc.integer({ min: 1, max: 63 }),
      acts: fc.boolean(),
    }),
  },
);

/** What goes wrong during a run. */
export const trouble: fc.Arbitrary<Trouble> = fc
  .record({
    at: fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 12 })),
    times: fc.constantFrom(1, 1, 1, 2, 5, 50),
    writes: fc.boolean(),
    what: fc.oneof<[fc.WeightedArbitrary<Trouble["what"]>, ...fc.WeightedArbitrary<Trouble["what"]>[]]>(
      { weight: 10, arbitrary: fault },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant("foreign" as const), act: foreign }) },
      { weight: 2, arbitrary: crash },
      { weight: 2, arbitrary: cancel },
    ),
  })
  .map(({ at, times, writes, what }) => ({
    // The few writes of a run are its first ones.
    at: writes ? at % MAX_WRITES : at,
    ...(writes && { writes: true as const }),
    ...(times !== 1 && what.kind !== "foreign" && { times }),
    what,
  }));

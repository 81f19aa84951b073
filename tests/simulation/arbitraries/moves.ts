import * as fc from "fast-check";
import type { HistoryStep } from "../history";
import { declaredValue, name, number } from "./edits";
import { edit, plainUp, run, upRefresh } from "./steps";

/** A move sends two or three requests: a crash meets each of them in turn. */
const LAST_REQUEST = 3;

/** The service refuses the first write, and what follows is done all the same. */
const refusedAndGoesOn: HistoryStep = {
  do: "run",
  run: "up",
  continues: true,
  troubles: [{ at: 0, writes: true, what: { kind: "status", status: 400 } }],
};

/** The up of a move: undisturbed, refused in part, or ended by a crash at one of its requests. */
const movingUp: fc.Arbitrary<HistoryStep> = fc.oneof(
  fc.constantFrom(plainUp, upRefresh, refusedAndGoesOn),
  fc
    .record({
      at: fc.nat({ max: LAST_REQUEST }),
      who: fc.constantFrom("provider" as const, "engine" as const),
      when: fc.constantFrom("before" as const, "after" as const),
    })
    .map(({ at, who, when }): HistoryStep => ({
      do: "run",
      run: "up",
      troubles: [{ at, what: { kind: "crash", who, when } }],
    })),
);

/** Two resources exchange names, with other values, visible or hidden. */
export const exchanging = fc
  .record({
    one: name,
    other: name,
    to: fc.constantFrom("t" as const, "single" as const),
    wereHidden: fc.boolean(),
    areHidden: fc.boolean(),
    index: number,
    move: movingUp,
    last: fc.oneof(fc.constant(plainUp), run),
  })
  .map(({ one, other, to, wereHidden, areHidden, index, move, last }): HistoryStep[] => [
    edit({ edit: "declare", in: to, name: other, value: declaredValue(wereHidden, 2), hidden: wereHidden }),
    edit({ edit: "declare", in: "s", name: one, value: declaredValue(wereHidden, 3), hidden: wereHidden }),
    plainUp,
    edit({ edit: "declare", in: "s", name: other, value: declaredValue(areHidden, index), hidden: areHidden }),
    edit({ edit: "declare", in: to, name: one, value: declaredValue(areHidden, 4), hidden: areHidden }),
    move,
    last,
  ]);

/** The names of a set go to another resource, and the program drops the set. A refresh shows its state. */
export const dissolving = fc
  .record({
    names: fc.array(name, { minLength: 1, maxLength: 3, size: "max" }),
    to: fc.constantFrom("t" as const, "single" as const),
    changed: fc.option(number, { nil: undefined }),
    hidden: fc.boolean(),
    move: movingUp,
    last: fc.oneof(fc.constant(upRefresh), run),
  })
  .map(({ names, to, changed, hidden, move, last }): HistoryStep[] => [
    ...names.map((one) => edit({ edit: "declare", in: "s", name: one, value: declaredValue(hidden, 2), hidden })),
    plainUp,
    ...names.map((one) =>
      changed === undefined
        ? edit({ edit: "give", name: one, to })
        : edit({ edit: "declare", in: to, name: one, value: declaredValue(hidden, changed), hidden }),
    ),
    edit({ edit: "remove", of: "s" }),
    move.do === "run" ? { ...move, run: "upRefresh" } : move,
    last,
  ]);

/** A name goes from a set to a resource that the engine shows when the name is deleted, soon after a refresh has read it. */
export const readBefore = fc
  .record({
    one: name,
    to: fc.constantFrom("t" as const, "single" as const),
    isHidden: fc.boolean(),
    index: number,
    last: fc.oneof(fc.constantFrom(plainUp, upRefresh), run),
  })
  .map(({ one, to, isHidden, index, last }): HistoryStep[] => [
    edit({ edit: "declare", in: "s", name: one, value: declaredValue(isHidden, index), hidden: isHidden }),
    edit({ edit: "declare", in: "single", name: one === "E" ? "D" : "E", value: "plain", hidden: false }),
    plainUp,
    edit({ edit: "give", name: one, to }),
    { do: "run", run: "upRefresh", inTurn: true, troubles: [] },
    last,
  ]);

/** A name goes to a resource that the engine shows only after the set that had it, which cannot let it go: both have it. Then it can. */
export const heldTwice = fc
  .record({
    one: name,
    to: fc.constantFrom("t" as const, "single" as const),
    hidden: fc.boolean(),
    status: fc.constantFrom(400, 403, 422),
    last: fc.oneof(fc.constantFrom(plainUp, upRefresh), run),
  })
  .map(({ one, to, hidden, status, last }): HistoryStep[] => [
    edit({ edit: "declare", in: "s", name: one, value: declaredValue(hidden, 2), hidden }),
    plainUp,
    edit({ edit: "give", name: one, to }),
    { do: "run", run: "up", inTurn: true, troubles: [{ at: 0, writes: true, what: { kind: "status", status } }] },
    { do: "run", run: "up", inTurn: true, troubles: [] },
    last,
  ]);

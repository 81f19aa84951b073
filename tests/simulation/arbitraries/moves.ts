import * as fc from "fast-check";
import { EXISTING } from "../../../provider/src/env-vars/placeholder";
import { SHARED } from "../environments";
import type { HistoryStep } from "../history";
import { ALL, refusal, refusedOnce } from "./commands";
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

/**
 * A name goes to a resource that the engine shows only after the set that had it, which cannot let it go: both have it. Then it can, before the
 * other one is shown or beside it, or one of the two goes.
 */
export const heldTwice = fc
  .record({
    one: name,
    to: fc.constantFrom("t" as const, "single" as const),
    hidden: fc.boolean(),
    changed: fc.option(number, { nil: undefined }),
    status: fc.constantFrom(400, 403, 422),
    next: fc.constantFrom<readonly HistoryStep[]>(
      [{ do: "run", run: "up", inTurn: true, troubles: [] }],
      [{ do: "run", run: "up", workers: 1, troubles: [] }],
      [edit({ edit: "chain" }), plainUp],
      [edit({ edit: "chain" }), { do: "run", run: "up", workers: 1, troubles: [] }, edit({ edit: "chain" })],
      [edit({ edit: "remove", of: "s" }), plainUp],
      [plainUp],
      [upRefresh],
      [{ do: "run", run: "destroy", targets: [0], troubles: [] }],
      [{ do: "run", run: "destroy", targets: [1], troubles: [] }],
    ),
    last: fc.oneof(fc.constantFrom(plainUp, upRefresh), run),
  })
  .map(({ one, to, hidden, changed, status, next, last }): HistoryStep[] => [
    edit({ edit: "declare", in: "s", name: one, value: declaredValue(hidden, 2), hidden }),
    plainUp,
    changed === undefined
      ? edit({ edit: "give", name: one, to })
      : edit({ edit: "declare", in: to, name: one, value: declaredValue(hidden, changed), hidden }),
    { do: "run", run: "up", inTurn: true, troubles: [{ at: 0, writes: true, what: { kind: "status", status } }] },
    ...next,
    last,
  ]);

/** Names of the three sets that become one. */
const MERGED = ["A", "B", "PAIR_FIRST", "PAIR_SECOND", "PAIR_X", "PAIR_S"] as const;

/** Three sets become one by the resource option `import`, which may leave names out, and whose update may fail. */
export const merging = fc
  .record({
    hidden: fc.boolean(),
    left: fc.subarray([...MERGED]),
    changed: number,
    troubles: fc.oneof(fc.constant([]), refusal, refusedOnce),
    kind: fc.constantFrom("up" as const, "upRefresh" as const),
    next: fc.constantFrom(plainUp, upRefresh),
    last: run,
  })
  .map(({ hidden, left, changed, troubles, kind, next, last }): HistoryStep[] => [
    edit({ edit: "remove", of: "s" }),
    edit({ edit: "declare", in: "t", name: "A", value: declaredValue(false, 2), hidden: false }),
    edit({ edit: "declare", in: "t", name: "B", value: declaredValue(hidden, 3), hidden }),
    edit({ edit: "pairs", pairs: { index: 2, moved: false } }),
    plainUp,
    edit({ edit: "remove", of: "t" }),
    edit({ edit: "pairs", pairs: undefined }),
    ...MERGED.filter((one) => !left.includes(one)).map((one) => {
      const isHidden = one === "PAIR_S" || (one === "B" && hidden);
      return edit({ edit: "declare", in: "s", name: one, value: declaredValue(isHidden, changed), hidden: isHidden });
    }),
    edit({ edit: "imports", of: "s" }),
    { do: "run", run: kind, troubles },
    next,
    last,
  ]);

/** A single variable gets another Pulumi name, maybe by an import, while the old one is left out: both states are equal to the letter. */
export const doubled = fc
  .record({
    one: name,
    hidden: fc.boolean(),
    imports: fc.boolean(),
    next: fc.constantFrom<readonly HistoryStep[]>(
      [plainUp],
      [upRefresh],
      [{ do: "run", run: "refresh", troubles: [] }, plainUp],
      [edit({ edit: "singles", what: "renamed" }), plainUp],
      [edit({ edit: "singles", what: "renamed" }), upRefresh],
      [{ do: "run", run: "up", replace: ALL, troubles: [] }],
      [{ do: "run", run: "destroy", targets: [0], troubles: [] }],
      [{ do: "run", run: "destroy", targets: [1], troubles: [] }],
    ),
    gives: fc.boolean(),
    last: fc.oneof(fc.constantFrom(plainUp, upRefresh), run),
  })
  .map(({ one, hidden, imports, next, gives, last }): HistoryStep[] => [
    edit({ edit: "declare", in: "single", name: one, value: declaredValue(hidden, 2), hidden }),
    plainUp,
    edit({ edit: "singles", what: "renamed" }),
    ...(imports ? [edit({ edit: "singles", what: "imports" })] : []),
    // All that the program has: the old resource is not in it.
    { do: "run", run: "up", targets: ALL, troubles: [] },
    ...(gives ? [edit({ edit: "give", name: one, to: "t" })] : []),
    ...next,
    last,
  ]);

/**
 * An imported set, which has all that the environment has, gets another Pulumi name by another import of the same: it was not written, and both
 * imports answer the same. The new one lacks a name.
 */
export const importedAnew = fc
  .record({
    one: name,
    drops: fc.boolean(),
    troubles: fc.oneof(fc.constant([]), refusedOnce),
    next: fc.constantFrom(plainUp, upRefresh),
    last: fc.oneof(fc.constantFrom(plainUp, upRefresh), run),
  })
  .map(({ one, drops, troubles, next, last }): HistoryStep[] => [
    edit({ edit: "remove", of: "s" }),
    edit({ edit: "remove", of: "t" }),
    plainUp,
    { do: "foreign", act: { act: "set", on: 0, name: one, value: "plain", hidden: false, services: [] } },
    edit({ edit: "declare", in: "s", name: one, value: "plain", hidden: false }),
    edit({ edit: "declare", in: "s", name: "HAND_MADE", value: "hand-made", hidden: false }),
    edit({ edit: "declare", in: "s", name: "KEPT_SECRET", value: EXISTING, hidden: true }),
    edit({ edit: "declare", in: "s", name: SHARED, value: EXISTING, hidden: true }),
    edit({ edit: "imports", of: "s" }),
    plainUp,
    edit({ edit: "rename", of: "s" }),
    ...(drops ? [edit({ edit: "drop", name: one })] : []),
    { do: "run", run: "up", troubles },
    next,
    last,
  ]);

import * as fc from "fast-check";
import { EXISTING } from "../../../provider/src/framework/existing-text";
import { SHARED } from "../service";
import type { HistoryStep } from "../history";
import { ALL, refusedOnce, taker } from "./commands";
import { few, name, number, weighted } from "./edits";
import { anyRun, destroy, faultyUp, inTurn, plainUp, refresh, run, up, upRefresh } from "./runs";
import { declares, edit, editStep, foreignStep, given, moves } from "./steps";
import { crash } from "./troubles";

/** A move sends two or three requests: a crash meets each of them in turn. */
const LAST_REQUEST = 3;

const refusal = { at: 0, writes: true, what: { kind: "status", status: 400 } } as const;
/** The service refuses the first write, and what follows is done all the same. */
const refusedAndGoesOn: HistoryStep = { ...plainUp, continues: true, troubles: [refusal] };

/** Stack config has changed: a provider with the old one makes the refresh. */
const reconfigured: HistoryStep = { ...upRefresh, changesConfig: true };

/** The up of a move: undisturbed, refused in part, in trouble, or ended by a crash at one of its requests. */
const movingUp = weighted<HistoryStep>(
  [3, fc.constantFrom(plainUp, upRefresh, reconfigured, inTurn, { ...upRefresh, inTurn: true })],
  [1, fc.constant(refusedAndGoesOn)],
  [1, refusedOnce.map(up)],
  [1, refusedOnce.map((troubles): HistoryStep => ({ ...inTurn, troubles }))],
  [2, fc.oneof(run, faultyUp)],
  [1, fc.record({ at: fc.nat({ max: LAST_REQUEST }), what: crash }).map((one) => up([one]))],
);

/**
 * Names go from a set to another resource, with other values or the same, which may give one back. The set changes too, or goes. Then the names
 * go as well, or something else changes.
 */
export const moving = fc
  .record({
    names: fc.array(name, { minLength: 1, maxLength: 3, size: "max" }),
    to: taker,
    back: fc.option(name, { nil: undefined }),
    hidden: fc.boolean(),
    areHidden: fc.boolean(),
    changed: fc.option(number, { nil: undefined }),
    set: fc.constantFrom("stays", "changes", "goes"),
    others: few(foreignStep, 1),
    edits: few(editStep, 1),
    move: movingUp,
    drops: fc.boolean(),
    later: few(editStep, 2),
    last: fc.oneof(fc.constantFrom(plainUp, upRefresh, inTurn), run),
  })
  .map(({ names, to, back, hidden, areHidden, changed, set, others, edits, move, drops, later, last }) => {
    const after: Readonly<Record<typeof set, readonly HistoryStep[]>> = {
      stays: [],
      changes: [edit({ edit: "trigger", of: "s" })],
      goes: [edit({ edit: "remove", of: "s" })],
    };
    const steps: HistoryStep[] = [
      declares(to, back ?? "E", 2, hidden),
      ...names.map((one) => declares("s", one, 3, hidden)),
      plainUp,
      ...(back === undefined ? [] : [declares("s", back, 4, areHidden)]),
      ...names.map((one) => moves(one, to, areHidden, changed)),
      ...after[set],
      ...others,
      ...edits,
      move,
      ...(drops ? names.map((one) => edit({ edit: "drop", name: one })) : later),
      last,
    ];
    return steps;
  });

/**
 * A name goes to a resource that the engine shows only after the set that had it, which cannot let it go: both have it. Then it can, before the
 * other one is shown or beside it, or one of the two goes.
 */
export const heldTwice = fc
  .record({
    one: name,
    to: taker,
    hidden: fc.boolean(),
    changed: fc.option(number, { nil: undefined }),
    status: fc.constantFrom(400, 403, 422),
    next: fc.constantFrom<readonly HistoryStep[]>(
      [inTurn],
      [edit({ edit: "remove", of: "s" }), plainUp],
      [plainUp],
      [upRefresh],
      [{ ...destroy, targets: [0] }],
      [{ ...destroy, targets: [1] }],
    ),
    last: anyRun,
  })
  .map(({ one, to, hidden, changed, status, next, last }): HistoryStep[] => [
    declares("s", one, 2, hidden),
    plainUp,
    moves(one, to, hidden, changed),
    { ...inTurn, troubles: [{ at: 0, writes: true, what: { kind: "status", status } }] },
    ...next,
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
      [refresh, plainUp],
      [edit({ edit: "singles", what: "renamed" }), plainUp],
      [edit({ edit: "singles", what: "renamed" }), upRefresh],
      [{ ...plainUp, replace: ALL }],
      [{ ...destroy, targets: [0] }],
      [{ ...destroy, targets: [1] }],
    ),
    gives: fc.boolean(),
    last: anyRun,
  })
  .map(({ one, hidden, imports, next, gives, last }): HistoryStep[] => [
    declares("single", one, 2, hidden),
    plainUp,
    edit({ edit: "singles", what: "renamed" }),
    ...(imports ? [edit({ edit: "singles", what: "imports" })] : []),
    // All that the program has: the old resource is not in it.
    { ...plainUp, targets: ALL },
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
    last: anyRun,
  })
  .map(({ one, drops, troubles, next, last }): HistoryStep[] => [
    edit({ edit: "remove", of: "s" }),
    edit({ edit: "remove", of: "t" }),
    plainUp,
    given(one, "plain", false),
    edit({ edit: "declare", in: "s", name: one, value: "plain", hidden: false }),
    edit({ edit: "declare", in: "s", name: "HAND_MADE", value: "hand-made", hidden: false }),
    edit({ edit: "declare", in: "s", name: "KEPT_SECRET", value: EXISTING, hidden: true }),
    edit({ edit: "declare", in: "s", name: SHARED, value: EXISTING, hidden: true }),
    edit({ edit: "imports", of: "s" }),
    plainUp,
    edit({ edit: "rename", of: "s" }),
    ...(drops ? [edit({ edit: "drop", name: one })] : []),
    up(troubles),
    next,
    last,
  ]);

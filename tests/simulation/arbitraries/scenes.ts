import * as fc from "fast-check";
import type { HistoryStep } from "../history";
import { declaredValue, few, name, NAMES, number, owner } from "./edits";
import { retouched } from "./foreign";
import { anyUp, edit, editStep, faultyUp, foreignStep, plainUp, refusedUp, run, upRefresh } from "./steps";
import { crash, gateway } from "./troubles";

type RunStep = HistoryStep & { readonly do: "run" };

/** The same run, in which each step is over before the next resource is checked. */
const takingTurns = (step: RunStep): RunStep => ({ ...step, inTurn: true });

/** Changes by its author and by others, and a run. */
export const change = fc
  .tuple(few(editStep, 3), few(foreignStep, 2), anyUp)
  .map(([edits, others, last]) => [...edits, ...others, last]);
/** What somebody changed is ignored, and has to be written again all the same. */
export const ignoredDrift = fc
  .record({
    of: fc.constantFrom("s" as const, "t" as const),
    hidden: fc.option(name, { nil: undefined }),
    index: number,
    others: few(foreignStep, 2),
    edits: few(editStep, 1),
    last: run,
  })
  .map(({ of, hidden, index, others, edits, last }): HistoryStep[] => [
    ...(hidden === undefined
      ? []
      : [edit({ edit: "declare", in: of, name: hidden, value: declaredValue(true, 2), hidden: true }), plainUp]),
    edit({ edit: "ignore", of, paths: ["secrets"] }),
    ...(hidden === undefined ? [] : [retouched(hidden, index)]),
    ...others,
    { do: "run", run: "refresh", troubles: [] },
    ...edits,
    edit({ edit: "trigger", of }),
    last,
  ]);
/** A set that has an environment for itself, and prunes it. */
export const pruning = fc
  .tuple(few(foreignStep, 2), run)
  .map(([others, last]): HistoryStep[] => [
    edit({ edit: "prune", of: "s" }),
    ...NAMES.map((one) => edit({ edit: "give", name: one, to: "s" })),
    edit({ edit: "remove", of: "t" }),
    ...others,
    { do: "run", run: "refresh", troubles: [] },
    last,
  ]);
/** Names go from a set to another owner, maybe while the set changes as well, with trouble: both may have them then, or the new one
 * none. Then both change again. */
export const passingOn = fc
  .record({
    names: fc.array(name, { minLength: 1, maxLength: 3, size: "max" }),
    to: fc.constantFrom("t" as const, "single" as const),
    hidden: fc.boolean(),
    edits: few(editStep, 1),
    triggers: fc.boolean(),
    first: fc.oneof(run, faultyUp, refusedUp, refusedUp.map(takingTurns), fc.constant(upRefresh)),
    drops: fc.boolean(),
    later: few(editStep, 2),
    last: fc.oneof(fc.constantFrom(plainUp, takingTurns(plainUp)), run),
  })
  .map(({ names, to, hidden, edits, triggers, first, drops, later, last }): HistoryStep[] => [
    ...names.map((one) => edit({ edit: "declare", in: "s", name: one, value: declaredValue(hidden, 2), hidden })),
    edit({ edit: "declare", in: to, name: "E", value: "plain", hidden: false }),
    plainUp,
    ...names.map((one) => edit({ edit: "give", name: one, to })),
    ...edits,
    ...(triggers ? [edit({ edit: "trigger", of: "s" })] : []),
    first,
    ...(drops ? names.map((one) => edit({ edit: "drop", name: one })) : later),
    last,
  ]);
/** Names that the program drops, and the service does not let go at once. */
export const dropping = fc
  .tuple(
    fc.array(name, { minLength: 1, maxLength: 3, size: "max" }),
    fc.oneof(faultyUp, refusedUp),
    few(editStep, 1),
    anyUp,
  )
  .map(([names, first, edits, last]): HistoryStep[] => [
    plainUp,
    ...names.map((one) => edit({ edit: "drop", name: one })),
    first,
    ...edits,
    last,
  ]);
/** A look while the service, or somebody in between, says once or all the time that there is nothing, which is wrong. */
export const denied = fc
  .record({
    at: fc.nat({ max: 2 }),
    times: fc.constantFrom(1, 2, 100),
    what: fc.oneof(fc.constant({ kind: "status", status: 404 } as const), gateway),
    look: fc.constantFrom("refresh", "upRefresh", "destroy"),
    last: run,
  })
  .map(({ at, times, what, look, last }): HistoryStep[] => [
    plainUp,
    { do: "run", run: look, troubles: [{ at, times, what }] },
    last,
  ]);
/** A variable becomes a secret in an update that is not finished, and a refresh looks at it. */
export const unfinished = fc
  .record({ one: name, other: name, names: fc.integer({ min: 1, max: 3 }), last: run })
  .map(({ one, other, names, last }): HistoryStep[] => [
    edit({ edit: "declare", in: "s", name: one, value: declaredValue(false, 2), hidden: false }),
    plainUp,
    edit({ edit: "declare", in: "s", name: one, value: declaredValue(true, 3), hidden: true }),
    edit({ edit: "declare", in: "s", name: other, value: declaredValue(false, 4), hidden: false }),
    { do: "run", run: "up", troubles: [{ at: 0, writes: true, what: { kind: "partial", names, nameless: 0 } }] },
    { do: "run", run: "refresh", troubles: [] },
    last,
  ]);
/** Hidden values that change, maybe by somebody's hand as well, and whose writes fail in one way. */
export const rewriting = fc
  .record({
    in: owner,
    name,
    first: number,
    byHand: fc.option(number, { nil: undefined }),
    second: number,
    others: few(foreignStep, 1),
    write: faultyUp,
    last: run,
  })
  .map(({ in: of, name: one, first, byHand, second, others, write, last }): HistoryStep[] => [
    edit({ edit: "declare", in: of, name: one, value: declaredValue(true, first), hidden: true }),
    plainUp,
    ...others,
    ...(byHand === undefined ? [] : [retouched(one, byHand)]),
    edit({ edit: "declare", in: of, name: one, value: declaredValue(true, second), hidden: true }),
    write,
    last,
  ]);
/** Somebody cancels while a write is out, or once the service has it. */
export const cancelling = fc
  .record({
    in: owner,
    name,
    hidden: fc.boolean(),
    at: fc.nat({ max: 1 }),
    when: fc.constantFrom("acted" as const, undefined),
    last: run,
  })
  .map(({ in: of, name: one, hidden, at, when, last }): HistoryStep[] => [
    edit({ edit: "declare", in: of, name: one, value: declaredValue(hidden, 2), hidden }),
    { do: "run", run: "up", troubles: [{ at, writes: true, what: { kind: "cancel", ...(when && { when }) } }] },
    last,
  ]);

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
    .record({ at: fc.nat({ max: LAST_REQUEST }), what: crash })
    .map((trouble): HistoryStep => ({ do: "run", run: "up", troubles: [trouble] })),
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
    takingTurns(upRefresh),
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
    takingTurns({ do: "run", run: "up", troubles: [{ at: 0, writes: true, what: { kind: "status", status } }] }),
    takingTurns(plainUp),
    last,
  ]);

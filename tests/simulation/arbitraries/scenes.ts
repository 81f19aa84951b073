import * as fc from "fast-check";
import type { HistoryStep } from "../history";
import { declare, declaredValue, few, name, NAMES, number, otherEdit, owner } from "./edits";
import { retouched } from "./foreign";
import { edit, editStep, faultyUp, foreignStep, plainUp, refusedUp, run, upRefresh } from "./steps";
import { gateway } from "./troubles";
import { deeds, failing, looking, restoring, sleeping, troubled, unwaited } from "./builds";
import { dissolving, exchanging, readBefore } from "./moves";
import { comingAndGoing, failingAlone } from "./previews";
import { leftToService, rescoped } from "./writers";
import { dangers } from "./kinds";

const inTurn = { ...plainUp, inTurn: true } as const satisfies HistoryStep;

/** Runs of which most let the provider know what it did. */
const anyUp = fc.oneof(
  { weight: 2, arbitrary: run },
  { weight: 1, arbitrary: faultyUp },
  { weight: 1, arbitrary: fc.constant(plainUp) },
);

/** A program, and its first run. */
export const beginning = fc
  .tuple(fc.array(declare, { minLength: 1, maxLength: 6, size: "max" }), few(otherEdit, 2), few(foreignStep, 1), anyUp)
  .map(([first, more, others, last]) => [...[...first, ...more].map(edit), ...others, last]);
/** Changes by its author and by others, and a run. */
const change = fc
  .tuple(few(editStep, 3), few(foreignStep, 2), anyUp)
  .map(([edits, others, last]) => [...edits, ...others, last]);
/** What somebody changed is ignored, and has to be written again all the same. */
const ignoredDrift = fc
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
const pruning = fc
  .tuple(few(foreignStep, 2), run)
  .map(([others, last]): HistoryStep[] => [
    edit({ edit: "prune", of: "s" }),
    ...NAMES.map((one) => edit({ edit: "give", name: one, to: "s" })),
    edit({ edit: "remove", of: "t" }),
    ...others,
    { do: "run", run: "refresh", troubles: [] },
    last,
  ]);
/** Names go from one set to another owner while the set changes as well, with trouble. Then both change again. */
const passingOn = fc
  .record({
    names: fc.array(name, { minLength: 1, maxLength: 3, size: "max" }),
    to: fc.constantFrom("t" as const, "single" as const),
    edits: few(editStep, 1),
    first: fc.oneof(run, faultyUp, fc.constantFrom(upRefresh, { ...upRefresh, inTurn: true } as const)),
    drops: fc.boolean(),
    later: few(editStep, 2),
    last: fc.oneof(run, fc.constant(plainUp)),
  })
  .map(({ names, to, edits, first, drops, later, last }): HistoryStep[] => [
    ...names.map((one) => edit({ edit: "give", name: one, to: "s" })),
    edit({ edit: "declare", in: to, name: "E", value: "plain", hidden: false }),
    plainUp,
    ...names.map((one) => edit({ edit: "give", name: one, to })),
    ...edits,
    edit({ edit: "trigger", of: "s" }),
    first,
    ...(drops ? names.map((one) => edit({ edit: "drop", name: one })) : later),
    last,
  ]);
/** A name goes to another owner, which cannot write it, or which the engine shows only when the set that had it could not let
 * it go: both have it then. */
const interrupted = fc
  .record({
    one: name,
    hidden: fc.boolean(),
    to: fc.constantFrom("t" as const, "single" as const),
    refused: refusedUp,
    isLate: fc.boolean(),
    drops: fc.boolean(),
    edits: few(editStep, 1),
    last: fc.oneof(fc.constantFrom(plainUp, inTurn, inTurn), run),
  })
  .map(({ one, hidden, to, refused, isLate, drops, edits, last }): HistoryStep[] => [
    edit({ edit: "declare", in: "s", name: one, value: declaredValue(hidden, 2), hidden }),
    plainUp,
    edit({ edit: "give", name: one, to }),
    { ...refused, ...(isLate && { inTurn: true }) },
    ...(drops ? [edit({ edit: "drop", name: one })] : edits),
    last,
  ]);
/** Names that the program drops, and the service does not let go at once. */
const dropping = fc
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
/** A set is replaced because somebody wants it, also one whose changes are ignored: then they count. */
const forced = fc
  .record({
    of: fc.constantFrom("s" as const, "t" as const),
    name,
    ignores: fc.boolean(),
    at: fc.nat({ max: 1 }),
    last: run,
  })
  .map(({ of, name: one, ignores, at, last }): HistoryStep[] => [
    edit({ edit: "declare", in: of, name: one, value: declaredValue(true, 2), hidden: true }),
    plainUp,
    ...(ignores ? [edit({ edit: "ignore", of, paths: ["secrets"] })] : []),
    edit({ edit: "drop", name: one }),
    { do: "run", run: "up", troubles: [], replace: [at] },
    last,
  ]);
/** A look while the service, or somebody in between, says once or all the time that there is nothing, which is wrong. */
const denied = fc
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
const unfinished = fc
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
const rewriting = fc
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
const cancelling = fc
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

/** A few things that belong together, and a run. */
export const scene = () =>
  fc.oneof(
    { weight: 12, arbitrary: change },
    { weight: 1, arbitrary: ignoredDrift },
    { weight: 1, arbitrary: pruning },
    { weight: 1, arbitrary: passingOn },
    { weight: 1, arbitrary: interrupted },
    { weight: 1, arbitrary: dropping },
    { weight: 1, arbitrary: forced },
    { weight: 2, arbitrary: denied },
    { weight: 1, arbitrary: unfinished },
    { weight: 1, arbitrary: restoring },
    { weight: 1, arbitrary: troubled },
    { weight: 1, arbitrary: looking },
    { weight: 1, arbitrary: unwaited },
    { weight: 1, arbitrary: deeds },
    { weight: 1, arbitrary: rewriting },
    { weight: 1, arbitrary: failing },
    { weight: 4, arbitrary: sleeping },
    { weight: 1, arbitrary: cancelling },
    { weight: 1, arbitrary: rescoped },
    { weight: 1, arbitrary: leftToService },
    { weight: 1, arbitrary: exchanging },
    { weight: 1, arbitrary: dissolving },
    { weight: 1, arbitrary: readBefore },
    { weight: 1, arbitrary: comingAndGoing },
    { weight: 1, arbitrary: failingAlone },
    ...dangers(),
  );

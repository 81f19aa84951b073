import * as fc from "fast-check";
import type { HistoryStep } from "../history";
import { declare, declaredValue, few, name, NAMES, number, otherEdit, owner } from "./edits";
import { retouched } from "./foreign";
import { edit, editStep, faultyUp, foreignStep, plainUp, refusedUp, run } from "./steps";
import { gateway } from "./troubles";
import {
  behindOthers,
  changingBack,
  clockBack,
  deeds,
  failing,
  looking,
  lostDeeds,
  puttingBack,
  restoring,
  sleeping,
  started,
  troubled,
  unwaited,
} from "./builds";
import { failingProgram, forced, importing, leftOut, replacing, valueless } from "./commands";
import { doubled, heldTwice, importedAnew, moving } from "./moves";
import { comingAndGoing, failingAlone, getting, lacking, providers } from "./programs";
import { killedWrite, leftToService, rescoped, secondWriter, unrouted } from "./writers";

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

/** A few things that belong together, and a run: kinds of danger, and how often each is in a history. */
const kinds: Readonly<Record<string, { readonly arbitrary: fc.Arbitrary<HistoryStep[]>; weight: number }>> = {
  change: { weight: 12, arbitrary: change },
  ignoredDrift: { weight: 1, arbitrary: ignoredDrift },
  pruning: { weight: 1, arbitrary: pruning },
  dropping: { weight: 1, arbitrary: dropping },
  denied: { weight: 2, arbitrary: denied },
  unfinished: { weight: 1, arbitrary: unfinished },
  rewriting: { weight: 1, arbitrary: rewriting },
  cancelling: { weight: 1, arbitrary: cancelling },
  restoring: { weight: 1, arbitrary: restoring },
  troubled: { weight: 1, arbitrary: troubled },
  looking: { weight: 1, arbitrary: looking },
  unwaited: { weight: 1, arbitrary: unwaited },
  deeds: { weight: 1, arbitrary: deeds },
  failing: { weight: 1, arbitrary: failing },
  sleeping: { weight: 4, arbitrary: sleeping },
  puttingBack: { weight: 1, arbitrary: puttingBack },
  clockBack: { weight: 1, arbitrary: clockBack },
  started: { weight: 1, arbitrary: started },
  behindOthers: { weight: 1, arbitrary: behindOthers },
  changingBack: { weight: 1, arbitrary: changingBack },
  lostDeeds: { weight: 1, arbitrary: lostDeeds },
  moving: { weight: 5, arbitrary: moving },
  heldTwice: { weight: 2, arbitrary: heldTwice },
  doubled: { weight: 1, arbitrary: doubled },
  importedAnew: { weight: 1, arbitrary: importedAnew },
  replacing: { weight: 1, arbitrary: replacing },
  forced: { weight: 1, arbitrary: forced },
  leftOut: { weight: 2, arbitrary: leftOut },
  failingProgram: { weight: 1, arbitrary: failingProgram },
  valueless: { weight: 1, arbitrary: valueless },
  importing: { weight: 2, arbitrary: importing },
  comingAndGoing: { weight: 1, arbitrary: comingAndGoing },
  failingAlone: { weight: 1, arbitrary: failingAlone },
  lacking: { weight: 1, arbitrary: lacking },
  providers: { weight: 2, arbitrary: providers },
  getting: { weight: 1, arbitrary: getting },
  rescoped: { weight: 1, arbitrary: rescoped },
  leftToService: { weight: 1, arbitrary: leftToService },
  secondWriter: { weight: 2, arbitrary: secondWriter },
  killedWrite: { weight: 1, arbitrary: killedWrite },
  unrouted: { weight: 1, arbitrary: unrouted },
};

/** One of them. */
export const scene = (): fc.Arbitrary<HistoryStep[]> => fc.oneof(...Object.values(kinds));

/** Makes one of the kinds frequent, and leaves all but plain changes out beside it, to see what that one finds. @throws for a name of none */
export function only(kindName: string): void {
  const chosen = kinds[kindName];
  if (chosen === undefined) throw new Error(`no kind ${kindName}; there are ${Object.keys(kinds).join(", ")}`);
  for (const kind of Object.values(kinds)) if (kind !== kinds["change"]) kind.weight = kind === chosen ? 30 : 0;
}

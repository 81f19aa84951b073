import * as fc from "fast-check";
import type { HistoryStep } from "../history";
import { declare, few, name, NAMES, number, otherEdit, weighted } from "./edits";
import { STRANGERS } from "./foreign";
import type { Trouble } from "../trouble";
import { faultyUp, plainUp, refresh, run, up } from "./runs";
import { declares, deploys, edit, editStep, foreignStep, given, retouched } from "./steps";
import { gateway } from "./troubles";
import {
  behindOthers,
  changingBack,
  clockBack,
  failing,
  looking,
  puttingBack,
  sleeping,
  started,
  troubled,
  unwaited,
} from "./builds";
import { failingProgram, importing, leftOut, replacing } from "./commands";
import { doubled, heldTwice, importedAnew, moving } from "./moves";
import { comingAndGoing, failingAlone, getting, providers } from "./programs";
import { endedWrite, leftToService, rescoped, secondWriter } from "./writers";

/** Runs of which most let the provider know what it did. */
const mostlyKnown = weighted<HistoryStep>([2, run], [1, faultyUp], [1, fc.constant(plainUp)]);

export const beginning = fc
  .tuple(
    fc.array(declare, { minLength: 1, maxLength: 6, size: "max" }),
    few(otherEdit, 2),
    few(foreignStep, 1),
    mostlyKnown,
  )
  .map(([first, more, others, last]) => [...[...first, ...more].map(edit), ...others, last]);
/** Changes by its author and by others, and a run. */
const change = fc
  .tuple(few(editStep, 3), few(foreignStep, 2), mostlyKnown)
  .map(([edits, others, last]) => [...edits, ...others, last]);
/** What somebody changed is ignored, and has to be written again all the same. */
const ignoredDrift = fc
  .record({
    of: fc.constantFrom("s", "t"),
    hidden: fc.option(name, { nil: undefined }),
    index: number,
    others: few(foreignStep, 2),
    edits: few(editStep, 1),
    last: run,
  })
  .map(({ of, hidden, index, others, edits, last }): HistoryStep[] => [
    ...(hidden === undefined ? [] : [declares(of, hidden, 2, true), plainUp]),
    edit({ edit: "ignore", of, paths: ["secrets"] }),
    ...(hidden === undefined ? [] : [retouched(hidden, index)]),
    ...others,
    refresh,
    ...edits,
    edit({ edit: "trigger", of }),
    last,
  ]);
/** A set that has an environment for itself, and prunes it. A name that leaves it may be one that it keeps. */
const pruning = fc
  .tuple(fc.constantFrom(...STRANGERS), few(foreignStep, 1), few(fc.constantFrom("A", "E"), 1), run)
  .map(([theirs, others, dropped, last]): HistoryStep[] => [
    edit({ edit: "prune", of: "s" }),
    ...NAMES.map((one) => edit({ edit: "give", name: one, to: "s" })),
    edit({ edit: "remove", of: "t" }),
    given(theirs, "hand-made", false),
    ...others,
    ...dropped.flatMap((one) => [declares("s", one, 2, false), plainUp, edit({ edit: "drop", name: one })]),
    refresh,
    last,
  ]);
const NOT_FOUND = { kind: "status", status: 404 } as const;
/** Every route answers 404 for a whole run. */
const UNROUTED: Trouble = { at: 0, times: 1_000, what: { kind: "unrouted" } };
/** A run in which the service, or somebody in between, says once or all the time that there is nothing, which is wrong. */
const denied = fc
  .record({
    trouble: fc.oneof(
      fc.constant(UNROUTED),
      fc.record({ at: fc.nat({ max: 2 }), times: fc.constantFrom(1, 2, 100), what: fc.constant(NOT_FOUND) }),
      fc.record({ at: fc.nat({ max: 2 }), times: fc.constantFrom(1, 2, 100), what: gateway }),
    ),
    look: fc.constantFrom("refresh", "upRefresh", "destroy", "destroyRefresh", "up"),
    edits: few(editStep, 1),
    restores: fc.boolean(),
    last: run,
  })
  .map(({ trouble, look, edits, restores, last }): HistoryStep[] => [
    ...(restores ? [deploys("feature/one"), edit({ edit: "restores" })] : []),
    plainUp,
    ...edits,
    { do: "run", run: look, troubles: [trouble] },
    last,
  ]);
/** A variable becomes a secret in an update that is not finished, and a refresh looks at it. */
const unfinished = fc
  .record({ one: name, other: name, names: fc.integer({ min: 1, max: 3 }), last: run })
  .map(({ one, other, names, last }): HistoryStep[] => [
    declares("s", one, 2, false),
    plainUp,
    declares("s", one, 3, true),
    declares("s", other, 4, false),
    up([{ at: 0, writes: true, what: { kind: "partial", names, nameless: 0 } }]),
    refresh,
    last,
  ]);
/** A few things that belong together, and a run: kinds of danger, and how often each is in a history. */
export const scene = weighted<HistoryStep[]>(
  [12, change],
  [1, ignoredDrift],
  [1, pruning],
  [3, denied],
  [1, unfinished],
  [1, troubled],
  [1, looking],
  [1, unwaited],
  [1, failing],
  [4, sleeping],
  [1, puttingBack],
  [1, clockBack],
  [1, started],
  [1, behindOthers],
  [1, changingBack],
  [5, moving],
  [2, heldTwice],
  [1, doubled],
  [1, importedAnew],
  [1, replacing],
  [2, leftOut],
  [1, failingProgram],
  [2, importing],
  [2, comingAndGoing],
  [1, failingAlone],
  [3, providers],
  [1, getting],
  [1, rescoped],
  [1, leftToService],
  [2, secondWriter],
  [3, endedWrite],
);

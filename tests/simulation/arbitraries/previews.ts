import * as fc from "fast-check";
import { ENVIRONMENTS, REMOVABLE } from "../environments";
import type { HistoryStep } from "../history";
import { few, number } from "./edits";
import { editStep, plainUp, run, upRefresh } from "./steps";
import { fault } from "./troubles";

/** More than a run has requests. */
const ALWAYS = 1_000;
const environment = fc.nat({ max: ENVIRONMENTS.length - 1 });

/** What the program declares for each environment. */
const previews = fc
  .record({ index: number, builds: fc.boolean() })
  .map((one): HistoryStep => ({ do: "edit", change: { edit: "previews", previews: one } }));
/** An environment stops, or is deleted, or comes back, or goes for good. */
const turn: fc.Arbitrary<HistoryStep> = fc
  .oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        act: fc.constant("flags" as const),
        on: environment,
        flags: fc.constantFrom({ deleted: true }, { deleted: false }, { stopped: true }, { retired: true }),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ act: "remove" as const, on: REMOVABLE }) },
  )
  .map((act) => ({ do: "foreign", act }));

/** Environments of a program that declares the same for all of them come and go. */
export const comingAndGoing = fc
  .record({
    first: previews,
    begins: fc.oneof(fc.constant(plainUp), run),
    turns: fc.array(
      fc.tuple(
        turn,
        fc.option(previews, { nil: undefined }),
        few(editStep, 1),
        fc.oneof(fc.constantFrom(plainUp, upRefresh), run),
      ),
      { minLength: 1, maxLength: 2, size: "max" },
    ),
  })
  .map(({ first, begins, turns }): HistoryStep[] => [
    first,
    begins,
    ...turns.flatMap(([act, changed, edits, then]) => [
      act,
      ...(changed === undefined ? [] : [changed]),
      ...edits,
      then,
    ]),
  ]);

/** The list lacks environments that exist, once or twice. Then it has them again, or all is destroyed. */
export const lacking = fc
  .record({
    first: previews,
    unlisted: fc.uniqueArray(environment, { minLength: 1, maxLength: 3, size: "max" }),
    changed: fc.option(previews, { nil: undefined }),
    kind: fc.constantFrom("up" as const, "upRefresh" as const),
    act: fc.option(turn, { nil: undefined }),
    last: fc.oneof(fc.constantFrom(plainUp, upRefresh), run),
  })
  .map(({ first, unlisted, changed, kind, act, last }): HistoryStep[] => [
    first,
    plainUp,
    ...(act === undefined ? [] : [act]),
    { do: "run", run: kind, unlisted, troubles: [] },
    ...(changed === undefined ? [] : [changed]),
    last,
  ]);

/** One environment of such a program has trouble in all its requests. */
export const failingAlone = fc
  .record({
    first: fc.option(previews, { nil: undefined }),
    changed: previews,
    on: environment,
    what: fault,
    last: fc.oneof(fc.constantFrom(plainUp, upRefresh), run),
  })
  .map(({ first, changed, on, what, last }): HistoryStep[] => [
    ...(first === undefined ? [] : [first, plainUp]),
    changed,
    { do: "run", run: "up", continues: true, troubles: [{ at: 0, times: ALWAYS, on, what }] },
    last,
  ]);

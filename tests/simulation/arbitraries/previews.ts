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

/** The list lacks environments that exist. */
const lackingUp: fc.Arbitrary<HistoryStep> = fc
  .record({
    run: fc.constantFrom("up" as const, "upRefresh" as const),
    unlisted: fc.uniqueArray(environment, { minLength: 1, maxLength: 3, size: "max" }),
  })
  .map((listing) => ({ do: "run", ...listing, troubles: [] }));

/** Environments of a program that declares the same for all of them come and go, or a list lacks them. */
export const comingAndGoing = fc
  .record({
    first: previews,
    begins: fc.oneof(fc.constant(plainUp), run),
    turns: fc.array(
      fc.tuple(
        few(turn, 1),
        few(previews, 1),
        few(editStep, 1),
        fc.oneof(fc.constantFrom(plainUp, upRefresh), run, lackingUp),
      ),
      { minLength: 1, maxLength: 2, size: "max" },
    ),
  })
  .map(({ first, begins, turns }): HistoryStep[] => [
    first,
    begins,
    ...turns.flatMap(([acts, changed, edits, then]) => [...acts, ...changed, ...edits, then]),
  ]);

/** One environment of such a program has trouble in all its requests. */
export const failingAlone = fc
  .record({
    first: few(previews, 1),
    changed: previews,
    on: environment,
    what: fault,
    last: fc.oneof(fc.constantFrom(plainUp, upRefresh), run),
  })
  .map(({ first, changed, on, what, last }): HistoryStep[] => [
    ...first,
    plainUp,
    changed,
    { do: "run", run: "up", continues: true, troubles: [{ at: 0, times: ALWAYS, on, what }] },
    last,
  ]);

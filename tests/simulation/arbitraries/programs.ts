import * as fc from "fast-check";
import type { Foreign } from "../foreign";
import type { HistoryStep } from "../history";
import type { Served } from "../program/model";
import { ENVIRONMENTS, REMOVABLE } from "../service";
import { refusedOnce } from "./commands";
import { branch, few, name, number, owner, weighted } from "./edits";
import { act, hiddenValue, TURNS } from "./foreign";
import { anyRun, destroy, faultyUp, plainUp, refresh, run, up, upRefresh } from "./runs";
import { byOthers, declares, deploys, edit, editStep, foreignStep, given } from "./steps";
import { fault } from "./troubles";

/** More than a run has requests. */
const ALWAYS = 1_000;
const environment = fc.nat({ max: ENVIRONMENTS.length - 1 });

/** What the program declares for each environment. */
const previews = fc
  .record({ index: number, builds: fc.boolean() })
  .map((one) => edit({ edit: "previews", previews: one }));
/** An environment stops, or is deleted, or comes back, or goes for good. */
const turn = weighted<Foreign>(
  [3, act("flags", { on: environment, flags: fc.constantFrom(...TURNS) })],
  [1, fc.constant({ act: "remove" as const, on: REMOVABLE })],
).map(byOthers);

/** The list lacks environments that exist. */
const lackingUp = fc
  .record({
    run: fc.constantFrom("up", "upRefresh"),
    unlisted: fc.uniqueArray(environment, { minLength: 1, maxLength: 3, size: "max" }),
  })
  .map((one): HistoryStep => ({ do: "run", ...one, troubles: [] }));

/** Environments of a program that declares the same for all of them come and go, or seem to. */
export const comingAndGoing = fc
  .record({
    first: previews,
    begins: fc.oneof(fc.constant(plainUp), run),
    turns: fc.array(
      fc.tuple(
        turn,
        fc.option(previews, { nil: undefined }),
        few(editStep, 1),
        fc.oneof(fc.constantFrom(plainUp, upRefresh), lackingUp, run),
      ),
      { minLength: 1, maxLength: 2, size: "max" },
    ),
  })
  .map(({ first, begins, turns }): HistoryStep[] => [
    first,
    begins,
    ...turns.flatMap(([happens, changed, edits, then]) => [
      happens,
      ...(changed === undefined ? [] : [changed]),
      ...edits,
      then,
    ]),
  ]);

/** One environment of such a program has trouble in all its requests. */
export const failingAlone = fc
  .record({
    first: fc.option(previews, { nil: undefined }),
    changed: previews,
    on: environment,
    what: fault,
    last: anyRun,
  })
  .map(({ first, changed, on, what, last }): HistoryStep[] => [
    ...(first === undefined ? [] : [first, plainUp]),
    changed,
    { ...plainUp, continues: true, troubles: [{ at: 0, times: ALWAYS, on, what }] },
    last,
  ]);

const another = (of: Served): HistoryStep => edit({ edit: "provider", of });

/** A run after a change of what a Provider serves. */
const changedUp = weighted<HistoryStep>(
  [3, fc.constantFrom<HistoryStep>(plainUp, upRefresh, { ...plainUp, inTurn: true })],
  [1, refusedOnce.map(up)],
  [1, faultyUp],
);

/** Variables have a second Provider, or get one. Some of them move, change or leave at once. */
const variables = fc
  .record({
    from: owner,
    to: owner,
    one: name,
    hidden: fc.boolean(),
    changed: fc.option(number, { nil: undefined }),
    before: few(owner, 1),
    after: few(owner, 2),
    change: fc.constantFrom("give", "drop", "remove", "none"),
    others: few(foreignStep, 1),
    edits: few(editStep, 1),
    first: changedUp,
    next: fc.constantFrom(plainUp, upRefresh),
    last: run,
  })
  .map(({ from, to, one, hidden, changed, before, after, change, others, edits, first, next, last }): HistoryStep[] => {
    const leaving = {
      give: edit({ edit: "give", name: one, to }),
      drop: edit({ edit: "drop", name: one }),
      remove: from === "single" ? edit({ edit: "drop", name: one }) : edit({ edit: "remove", of: from }),
      none: edit({ edit: "trigger", of: "s" }),
    } as const;
    return [
      declares(from, one, 2, hidden),
      edit({ edit: "declare", in: from, name: one === "E" ? "D" : "E", value: "plain", hidden: false }),
      ...before.map(another),
      plainUp,
      ...others,
      changed === undefined ? leaving[change] : declares(to, one, changed, hidden),
      ...after.map(another),
      ...edits,
      first,
      next,
      last,
    ];
  });

/** The branches of an environment get another name or another Provider, or go. */
const branches = fc
  .record({
    restores: fc.boolean(),
    first: branch,
    second: branch,
    of: fc.constantFrom<Served | undefined>("s", "branches", "previews", undefined, undefined),
    change: fc.constantFrom("rename", "remove", undefined),
    middle: changedUp,
    last: run,
  })
  .map(({ restores, first, second, of, change, middle, last }): HistoryStep[] => [
    deploys(first),
    ...(restores ? [edit({ edit: "restores" })] : []),
    plainUp,
    deploys(second),
    ...(change === undefined ? [] : [edit({ edit: change, of: "branches" })]),
    ...(of === undefined ? [] : [another(of)]),
    middle,
    last,
  ]);

/** What is declared for each environment gets another Provider, while a list lacks an environment. */
const listed = fc
  .record({
    index: number,
    builds: fc.boolean(),
    isFirst: fc.constantFrom(true, true, true, false),
    others: few(foreignStep, 1),
    unlisted: fc.constantFrom<readonly number[]>([], [0], [2], [0, 1], [0, 1, 2]),
    kind: fc.constantFrom("up", "upRefresh"),
    last: fc.oneof(fc.constantFrom<HistoryStep>(plainUp, destroy), run),
  })
  .map(({ index, builds, isFirst, others, unlisted, kind, last }): HistoryStep[] => [
    ...(isFirst ? [another("previews")] : []),
    edit({ edit: "previews", previews: { index, builds } }),
    plainUp,
    ...others,
    another("previews"),
    { do: "run", run: kind, unlisted, troubles: [] },
    last,
  ]);

/** A second provider process of the same command: it has a memory of its own. */
export const providers = weighted([3, variables], [2, branches], [2, listed]);

/** A program also looks at all that an environment has. Something leaves the program beside that, or is declared that others have. */
export const getting = fc
  .record({
    shown: fc.constantFrom("nothing", "state"),
    isFirst: fc.boolean(),
    of: owner,
    to: owner,
    one: name,
    hidden: fc.boolean(),
    refreshes: fc.boolean(),
    change: fc.constantFrom("drop", "give", "remove", "take", "stop"),
    edits: few(editStep, 1),
    next: fc.constantFrom(plainUp, upRefresh),
    last: anyRun,
  })
  .map(({ shown, isFirst, of, to, one, hidden, refreshes, change, edits, next, last }): HistoryStep[] => {
    const gets = edit({ edit: "gets", given: shown });
    const declare = declares(of, one, 2, hidden);
    const theirs = given(one, hiddenValue(3, false), hidden);
    const changes: Readonly<Record<typeof change, readonly HistoryStep[]>> = {
      drop: [edit({ edit: "drop", name: one })],
      give: [edit({ edit: "give", name: one, to })],
      remove: of === "single" ? [edit({ edit: "drop", name: one })] : [edit({ edit: "remove", of })],
      take: [],
      stop: [edit({ edit: "gets", given: undefined })],
    };
    return [
      ...(isFirst ? [gets] : []),
      ...(change === "take" ? [edit({ edit: "drop", name: one }), plainUp, theirs, gets] : [declare]),
      plainUp,
      ...(isFirst ? [] : [gets]),
      ...(refreshes ? [refresh] : []),
      ...(change === "take" ? [declare] : changes[change]),
      ...edits,
      next,
      last,
    ];
  });

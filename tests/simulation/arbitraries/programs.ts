import * as fc from "fast-check";
import type { Foreign } from "../foreign";
import type { HistoryStep } from "../history";
import type { Edit } from "../program/edits";
import type { Served } from "../program/model";
import { ENVIRONMENTS, REMOVABLE } from "../service";
import { refusedOnce } from "./commands";
import { branch, declaredValue, few, name, number, owner, weighted } from "./edits";
import { act, hiddenValue } from "./foreign";
import { edit, editStep, faultyUp, foreignStep, plainUp, run, upRefresh } from "./steps";
import { fault } from "./troubles";

/** More than a run has requests. */
const ALWAYS = 1_000;
const environment = fc.nat({ max: ENVIRONMENTS.length - 1 });

/** What the program declares for each environment. */
const previews = fc
  .record({ index: number, builds: fc.boolean() })
  .map((one): HistoryStep => ({ do: "edit", change: { edit: "previews", previews: one } }));
/** An environment stops, or is deleted, or comes back, or goes for good. */
const turn = weighted<Foreign>(
  [
    3,
    act("flags", {
      on: environment,
      flags: fc.constantFrom({ deleted: true }, { deleted: false }, { stopped: true }, { retired: true }),
    }),
  ],
  [1, fc.constant({ act: "remove" as const, on: REMOVABLE })],
).map((one): HistoryStep => ({ do: "foreign", act: one }));

/** The list lacks environments that exist. */
const lackingUp = fc
  .record({
    run: fc.constantFrom("up" as const, "upRefresh" as const),
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
    last: fc.oneof(fc.constantFrom(plainUp, upRefresh), run),
  })
  .map(({ first, changed, on, what, last }): HistoryStep[] => [
    ...(first === undefined ? [] : [first, plainUp]),
    changed,
    { do: "run", run: "up", continues: true, troubles: [{ at: 0, times: ALWAYS, on, what }] },
    last,
  ]);

const another = (of: Served): HistoryStep => edit({ edit: "provider", of });

/** A run after a change of what a Provider serves. */
const changedUp = weighted<HistoryStep>(
  [3, fc.constantFrom<HistoryStep>(plainUp, upRefresh, { ...plainUp, inTurn: true })],
  [1, refusedOnce.map((troubles): HistoryStep => ({ do: "run", run: "up", troubles }))],
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
    change: fc.constantFrom("give" as const, "drop" as const, "remove" as const, "none" as const),
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
    const value = declaredValue(hidden, changed ?? 0);
    return [
      edit({ edit: "declare", in: from, name: one, value: declaredValue(hidden, 2), hidden }),
      edit({ edit: "declare", in: from, name: one === "E" ? "D" : "E", value: "plain", hidden: false }),
      ...before.map(another),
      plainUp,
      ...others,
      changed === undefined ? leaving[change] : edit({ edit: "declare", in: to, name: one, value, hidden }),
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
    change: fc.constantFrom("rename" as const, "remove" as const, undefined),
    middle: changedUp,
    last: run,
  })
  .map(({ restores, first, second, of, change, middle, last }): HistoryStep[] => [
    edit({ edit: "branch", repo: "web", branch: first }),
    ...(restores ? [edit({ edit: "restores" })] : []),
    plainUp,
    edit({ edit: "branch", repo: "web", branch: second }),
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
    kind: fc.constantFrom("up" as const, "upRefresh" as const),
    last: fc.oneof(fc.constantFrom<HistoryStep>(plainUp, { do: "run", run: "destroy", troubles: [] }), run),
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
    given: fc.constantFrom("nothing" as const, "state" as const),
    isFirst: fc.boolean(),
    of: owner,
    to: owner,
    one: name,
    hidden: fc.boolean(),
    refreshes: fc.boolean(),
    change: fc.constantFrom("drop" as const, "give" as const, "remove" as const, "take" as const, "stop" as const),
    edits: few(editStep, 1),
    next: fc.constantFrom(plainUp, upRefresh),
    last: fc.oneof(fc.constantFrom(plainUp, upRefresh), run),
  })
  .map(({ given, isFirst, of, to, one, hidden, refreshes, change, edits, next, last }): HistoryStep[] => {
    const gets = edit({ edit: "gets", given });
    const declare: Edit = { edit: "declare", in: of, name: one, value: declaredValue(hidden, 2), hidden };
    const foreign: HistoryStep = {
      do: "foreign",
      act: { act: "set", on: 0, name: one, value: hiddenValue(3, false), hidden, services: [] },
    };
    const changes: Readonly<Record<typeof change, readonly HistoryStep[]>> = {
      drop: [edit({ edit: "drop", name: one })],
      give: [edit({ edit: "give", name: one, to })],
      remove: of === "single" ? [edit({ edit: "drop", name: one })] : [edit({ edit: "remove", of })],
      take: [],
      stop: [edit({ edit: "gets", given: undefined })],
    };
    return [
      ...(isFirst ? [gets] : []),
      ...(change === "take" ? [edit({ edit: "drop", name: one }), plainUp, foreign, gets] : [edit(declare)]),
      plainUp,
      ...(isFirst ? [] : [gets]),
      ...(refreshes ? [{ do: "run", run: "refresh", troubles: [] } as const] : []),
      ...(change === "take" ? [edit(declare)] : changes[change]),
      ...edits,
      next,
      last,
    ];
  });

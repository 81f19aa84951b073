import * as fc from "fast-check";
import type { HistoryStep } from "../history";
import type { Served } from "../program/model";
import { branch, declaredValue, few, name, number, owner } from "./edits";
import { refusedOnce } from "./commands";
import { edit, editStep, faultyUp, foreignStep, plainUp, run, upRefresh } from "./steps";

const another = (of: Served): HistoryStep => edit({ edit: "provider", of });

/** A run after a change of what a Provider serves. */
const changedUp = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<HistoryStep>(plainUp, upRefresh, { ...plainUp, inTurn: true }) },
  { weight: 1, arbitrary: refusedOnce.map((troubles): HistoryStep => ({ do: "run", run: "up", troubles })) },
  { weight: 1, arbitrary: faultyUp },
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

/** The branches of an environment get another Provider, maybe with another name, or go. */
const branches = fc
  .record({
    restores: fc.boolean(),
    first: branch,
    second: branch,
    of: fc.constantFrom<Served>("s", "branches", "previews"),
    change: fc.constantFrom("rename" as const, "remove" as const, "trigger" as const),
    middle: changedUp,
    last: run,
  })
  .map(({ restores, first, second, of, change, middle, last }): HistoryStep[] => [
    edit({ edit: "branch", repo: "web", branch: first }),
    ...(restores ? [edit({ edit: "restores" })] : []),
    plainUp,
    edit({ edit: "branch", repo: "web", branch: second }),
    edit({ edit: change, of: "branches" }),
    another(of),
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
export const providers = fc.oneof(
  { weight: 3, arbitrary: variables },
  { weight: 1, arbitrary: branches },
  { weight: 2, arbitrary: listed },
);

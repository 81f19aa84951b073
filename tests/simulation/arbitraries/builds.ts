import * as fc from "fast-check";
import { SHARED } from "../service";
import type { HistoryStep } from "../history";
import type { Edit } from "../program/edits";
import { branch, few, number, weighted } from "./edits";
import { retouched } from "./foreign";
import { edit, editStep, faultyUp, foreignStep, plainUp, run, upRefresh } from "./steps";
import { fault } from "./troubles";

/** Nobody hears of what the service does with the first write of this up. */
const killedUp: HistoryStep = {
  do: "run",
  run: "up",
  troubles: [{ at: 0, writes: true, what: { kind: "crash", who: "engine", when: "after" } }],
};
/** Builds that fail, maybe that of a killed run, and what comes after. */
export const failing = fc
  .tuple(branch, branch, few(editStep, 1), fc.boolean(), run)
  .map(([one, other, edits, isKilled, last]): HistoryStep[] => [
    edit({ edit: "branch", repo: "web", branch: one }),
    plainUp,
    { do: "foreign", act: { act: "failNextBuild", on: 0 } },
    edit({ edit: "branch", repo: "web", branch: other }),
    ...edits,
    ...(isKilled ? [killedUp, { do: "wait", seconds: 60 } as const] : []),
    plainUp,
    last,
  ]);
/** An environment falls asleep, builds become due, and it runs again, sooner or later. */
export const sleeping = fc
  .record({
    whenStopped: fc.constantFrom("skip" as const, "skip" as const, "wake" as const, "fail" as const),
    flags: fc.constantFrom({ stopped: true }, { retired: true }),
    first: branch,
    change: fc.oneof(
      branch.map((other): Edit => ({ edit: "branch", repo: "web", branch: other })),
      number.map((index): Edit => ({ edit: "declare", in: "s", name: "A", value: `value ${index}`, hidden: false })),
    ),
    requires: fc.constantFrom<string[]>([], [], ["A"], ["NEVER_THERE"]),
    waits: fc.constantFrom(true, true, false),
    asleep: fc.oneof(fc.constantFrom(plainUp, upRefresh), run),
    edits: few(editStep, 1),
    begins: fc.boolean(),
    last: fc.oneof(fc.constantFrom(plainUp, upRefresh), run, faultyUp),
  })
  .map(({ whenStopped, flags, first, change, requires, waits, asleep, edits, begins, last }): HistoryStep[] => [
    edit({ edit: "declare", in: "s", name: "A", value: "plain", hidden: false }),
    edit({ edit: "branch", repo: "web", branch: first }),
    edit({ edit: "whenStopped", whenStopped }),
    ...(waits ? [] : [edit({ edit: "waits" })]),
    plainUp,
    { do: "foreign", act: { act: "flags", on: 0, flags } },
    edit(change),
    edit({ edit: "requires", names: requires }),
    asleep,
    ...edits,
    ...(begins
      ? [{ do: "foreign", act: { act: "flags", on: 0, flags: { stopped: false, retired: false } } } as const]
      : []),
    last,
  ]);
/** A build that is waited for, with trouble among the looks at it. */
export const troubled = fc
  .record({
    other: branch,
    at: fc.integer({ min: 3, max: 8 }),
    times: fc.constantFrom(1, 2, 5),
    what: fault,
    last: run,
  })
  .map(({ other, at, times, what, last }): HistoryStep[] => [
    edit({ edit: "branch", repo: "web", branch: other }),
    { do: "run", run: "up", troubles: [{ at, times, what }] },
    last,
  ]);
/** Branches that are rebuilt for a set that others manage, and that they change, or do not. */
export const looking = fc
  .tuple(fc.option(number, { nil: undefined }), few(editStep, 1), run)
  .map(([index, edits, last]): HistoryStep[] => [
    edit({ edit: "branch", repo: "web", branch: "feature/one" }),
    edit({ edit: "looks" }),
    plainUp,
    ...(index === undefined ? [] : [retouched(SHARED, index)]),
    ...edits,
    last,
  ]);
/** Builds that nobody waits for, and a look at them while they run. */
export const unwaited = fc
  .tuple(branch, few(foreignStep, 1), run)
  .map(([other, others, last]): HistoryStep[] => [
    edit({ edit: "branch", repo: "api", branch: other }),
    edit({ edit: "waits" }),
    plainUp,
    upRefresh,
    ...others,
    last,
  ]);
const CLOCKS = [7, 611, 86_413] as const;

/** Somebody puts a branch back while its build runs, with a build of their own or without. */
export const puttingBack = fc
  .record({
    other: branch,
    back: branch,
    at: fc.integer({ min: 2, max: 9 }),
    build: fc.boolean(),
    last: fc.oneof(fc.constantFrom(plainUp, upRefresh), run),
  })
  .map(({ other, back, at, build, last }): HistoryStep[] => [
    plainUp,
    edit({ edit: "branch", repo: "web", branch: other }),
    {
      do: "run",
      run: "up",
      troubles: [{ at, what: { kind: "foreign", act: { act: "branch", on: 0, repo: "web", branch: back, build } } }],
    },
    last,
  ]);

/** The clock of the service goes back. Then something is built, and written. */
export const clockBack = fc
  .record({ first: branch, other: branch, seconds: fc.constantFrom(...CLOCKS), edits: few(editStep, 2), last: run })
  .map(({ first, other, seconds, edits, last }): HistoryStep[] => [
    edit({ edit: "branch", repo: "web", branch: first }),
    plainUp,
    { do: "foreign", act: { act: "clock", seconds } },
    ...edits,
    edit({ edit: "branch", repo: "web", branch: other }),
    plainUp,
    last,
  ]);

/** An EnvironmentState starts an environment whose branches are to be built after that. */
export const started = fc
  .record({
    flags: fc.constantFrom({ stopped: true }, { retired: true }, { deleted: true }),
    other: branch,
    isNew: fc.boolean(),
    whenStopped: fc.constantFrom("fail" as const, "fail" as const, "skip" as const, "wake" as const),
    kind: fc.constantFrom("up" as const, "upRefresh" as const),
    last: run,
  })
  .map(({ flags, other, isNew, whenStopped, kind, last }): HistoryStep[] => [
    ...(isNew ? [] : [edit({ edit: "branch", repo: "web", branch: "main" })]),
    plainUp,
    { do: "foreign", act: { act: "flags", on: 0, flags } },
    edit({ edit: "power", power: "running" }),
    edit({ edit: "branch", repo: "web", branch: other }),
    edit({ edit: "whenStopped", whenStopped }),
    { do: "run", run: kind, troubles: [] },
    last,
  ]);

/** Somebody's build runs as this stack requests one, which may fail, or whose request may be lost. */
export const behindOthers = fc
  .record({
    first: branch,
    theirs: fc.option(branch, { nil: undefined }),
    change: fc.oneof(
      branch.map((other): Edit => ({ edit: "branch", repo: "web", branch: other })),
      number.map((index): Edit => ({ edit: "declare", in: "s", name: "A", value: `value ${index}`, hidden: false })),
    ),
    fails: fc.boolean(),
    up: weighted<HistoryStep>([3, fc.constant(plainUp)], [1, faultyUp]),
    last: fc.oneof(fc.constantFrom(plainUp, upRefresh), run),
  })
  .map(({ first, theirs, change, fails, up, last }): HistoryStep[] => [
    edit({ edit: "declare", in: "s", name: "A", value: "plain", hidden: false }),
    edit({ edit: "branch", repo: "web", branch: first }),
    plainUp,
    { do: "wait", seconds: 60 },
    theirs === undefined
      ? { do: "foreign", act: { act: "commit", on: 0, repo: "web" } }
      : { do: "foreign", act: { act: "branch", on: 0, repo: "web", branch: theirs, build: true } },
    ...(fails ? [{ do: "foreign", act: { act: "failNextBuild", on: 0 } } as const] : []),
    edit(change),
    up,
    last,
  ]);

/** Branches change, and change back while the build of the first change runs, or waits for its turn. */
export const changingBack = fc
  .record({ other: branch, back: branch, waits: fc.boolean(), restores: fc.boolean(), last: run })
  .map(({ other, back, waits, restores, last }): HistoryStep[] => [
    edit({ edit: "branch", repo: "web", branch: back }),
    ...(restores ? [edit({ edit: "restores" })] : []),
    plainUp,
    edit({ edit: "waits" }),
    edit({ edit: "branch", repo: "web", branch: other }),
    plainUp,
    ...(waits ? [edit({ edit: "waits" })] : []),
    edit({ edit: "branch", repo: "web", branch: back }),
    plainUp,
    last,
  ]);

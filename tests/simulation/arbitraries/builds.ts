import * as fc from "fast-check";
import { SHARED } from "../service";
import type { HistoryStep } from "../history";
import { branch, few, number, weighted } from "./edits";
import { anyRun, faultyUp, plainUp, run, up, upRefresh } from "./runs";
import { byOthers, deploys, edit, editStep, foreignStep, retouched } from "./steps";
import { fault } from "./troubles";

/** Something by which a build becomes due. */
const due: fc.Arbitrary<HistoryStep> = fc.oneof(
  branch.map((one) => deploys(one)),
  number.map((index) => edit({ edit: "declare", in: "s", name: "A", value: `value ${index}`, hidden: false })),
);
/** Nobody hears of what the service does with the first write of this up. */
const killedUp = up([{ at: 0, writes: true, what: { kind: "crash", who: "engine", when: "after" } }]);
/** Builds that fail, maybe that of a killed run, and what comes after. */
export const failing = fc
  .tuple(branch, branch, few(editStep, 1), fc.boolean(), run)
  .map(([one, other, edits, isKilled, last]): HistoryStep[] => [
    deploys(one),
    plainUp,
    byOthers({ act: "failNextBuild", on: 0 }),
    deploys(other),
    ...edits,
    ...(isKilled ? [killedUp, { do: "wait", seconds: 60 } as const] : []),
    plainUp,
    last,
  ]);
/** An environment falls asleep, builds become due, and it runs again, sooner or later. */
export const sleeping = fc
  .record({
    whenStopped: fc.constantFrom("skip", "skip", "wake", "fail"),
    flags: fc.constantFrom({ stopped: true }, { retired: true }),
    first: branch,
    change: due,
    requires: fc.constantFrom<string[]>([], [], ["A"], ["NEVER_THERE"]),
    waits: fc.constantFrom(true, true, false),
    asleep: anyRun,
    edits: few(editStep, 1),
    begins: fc.boolean(),
    last: fc.oneof(fc.constantFrom(plainUp, upRefresh), run, faultyUp),
  })
  .map(({ whenStopped, flags, first, change, requires, waits, asleep, edits, begins, last }): HistoryStep[] => [
    edit({ edit: "declare", in: "s", name: "A", value: "plain", hidden: false }),
    deploys(first),
    edit({ edit: "whenStopped", whenStopped }),
    ...(waits ? [] : [edit({ edit: "waits" })]),
    plainUp,
    byOthers({ act: "flags", on: 0, flags }),
    change,
    edit({ edit: "requires", names: requires }),
    asleep,
    ...edits,
    ...(begins ? [byOthers({ act: "flags", on: 0, flags: { stopped: false, retired: false } })] : []),
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
  .map(({ other, at, times, what, last }): HistoryStep[] => [deploys(other), up([{ at, times, what }]), last]);
/** Branches that are rebuilt for a set that others manage, and that they change, or do not. */
export const looking = fc
  .tuple(fc.option(number, { nil: undefined }), few(editStep, 1), run)
  .map(([index, edits, last]): HistoryStep[] => [
    deploys("feature/one"),
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
    deploys(other, "api"),
    edit({ edit: "waits" }),
    plainUp,
    upRefresh,
    ...others,
    last,
  ]);
/** Somebody puts a branch back while its build runs, with a build of their own or without. */
export const puttingBack = fc
  .record({
    other: branch,
    back: branch,
    at: fc.integer({ min: 2, max: 9 }),
    build: fc.boolean(),
    last: anyRun,
  })
  .map(({ other, back, at, build, last }): HistoryStep[] => [
    plainUp,
    deploys(other),
    up([{ at, what: { kind: "foreign", act: { act: "branch", on: 0, repo: "web", branch: back, build } } }]),
    last,
  ]);

/** The clock of the service goes back. Then something is built, and written. */
export const clockBack = fc
  .record({
    first: branch,
    other: branch,
    seconds: fc.constantFrom(7, 611, 86_413),
    edits: few(editStep, 2),
    last: run,
  })
  .map(({ first, other, seconds, edits, last }): HistoryStep[] => [
    deploys(first),
    plainUp,
    byOthers({ act: "clock", seconds }),
    ...edits,
    deploys(other),
    plainUp,
    last,
  ]);

/** An EnvironmentState starts an environment whose branches are to be built after that. */
export const started = fc
  .record({
    flags: fc.constantFrom({ stopped: true }, { retired: true }, { deleted: true }),
    other: branch,
    isNew: fc.boolean(),
    whenStopped: fc.constantFrom("fail", "fail", "skip", "wake"),
    kind: fc.constantFrom("up", "upRefresh"),
    last: run,
  })
  .map(({ flags, other, isNew, whenStopped, kind, last }): HistoryStep[] => [
    ...(isNew ? [] : [deploys("main")]),
    plainUp,
    byOthers({ act: "flags", on: 0, flags }),
    edit({ edit: "power", power: "running" }),
    deploys(other),
    edit({ edit: "whenStopped", whenStopped }),
    { do: "run", run: kind, troubles: [] },
    last,
  ]);

/** Somebody's build runs as this stack requests one, which may fail, or whose request may be lost. */
export const behindOthers = fc
  .record({
    first: branch,
    theirs: fc.option(branch, { nil: undefined }),
    change: due,
    fails: fc.boolean(),
    ours: weighted<HistoryStep>([3, fc.constant(plainUp)], [1, faultyUp]),
    last: anyRun,
  })
  .map(({ first, theirs, change, fails, ours, last }): HistoryStep[] => [
    edit({ edit: "declare", in: "s", name: "A", value: "plain", hidden: false }),
    deploys(first),
    plainUp,
    { do: "wait", seconds: 60 },
    byOthers({ on: 0, repo: "web", ...(theirs ? { act: "branch", branch: theirs, build: true } : { act: "commit" }) }),
    ...(fails ? [byOthers({ act: "failNextBuild", on: 0 })] : []),
    change,
    ours,
    last,
  ]);

/** Branches change, and change back while the build of the first change runs, or waits for its turn. */
export const changingBack = fc
  .record({ other: branch, back: branch, waits: fc.boolean(), restores: fc.boolean(), last: run })
  .map(({ other, back, waits, restores, last }): HistoryStep[] => [
    deploys(back),
    ...(restores ? [edit({ edit: "restores" })] : []),
    plainUp,
    edit({ edit: "waits" }),
    deploys(other),
    plainUp,
    ...(waits ? [edit({ edit: "waits" })] : []),
    deploys(back),
    plainUp,
    last,
  ]);

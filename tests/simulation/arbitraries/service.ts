import * as fc from "fast-check";
import type { HistoryStep } from "../history";
import type { Edit } from "../program/edits";
import type { Trouble } from "../trouble";
import { branch, few } from "./pieces";
import { editStep, foreignStep, run } from "./steps";

const plainUp: HistoryStep = { do: "run", run: "up", troubles: [] };
const upRefresh: HistoryStep = { do: "run", run: "upRefresh", troubles: [] };
const CLOCKS = [7, 611, 86_413] as const;

function edit(change: Edit): HistoryStep {
  return { do: "edit", change };
}

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

/** The clock of the service goes back; then something is built, and written. */
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

/** An EnvironmentState starts an environment beside the branches that are to be built there, without an order. */
export const unordered = fc
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

/** What is to be done once is lost on its way, while others build. */
export const lostDeeds = fc
  .record({
    deed: fc.constantFrom("rebuild" as const, "load" as const),
    when: fc.constantFrom("before" as const, "after" as const),
    at: fc.nat({ max: 4 }),
    isEarlier: fc.boolean(),
    others: few(foreignStep, 1),
    edits: few(editStep, 1),
    last: fc.oneof(fc.constant(plainUp), run),
  })
  .map(({ deed, when, at, isEarlier, others, edits, last }): HistoryStep[] => {
    const commit = { act: "commit", on: 1, repo: "web" } as const;
    const lost: Trouble = { at: 0, writes: true, on: 1, what: { kind: "lost", when } };
    return [
      ...others,
      plainUp,
      edit({ edit: "ask", deed }),
      ...edits,
      ...(isEarlier ? [{ do: "foreign", act: commit } as const] : []),
      {
        do: "run",
        run: "up",
        troubles: isEarlier ? [lost] : [lost, { at, what: { kind: "foreign", act: commit } }],
      },
      last,
    ];
  });

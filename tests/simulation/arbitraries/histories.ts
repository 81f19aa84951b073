import * as fc from "fast-check";
import type { Choices } from "../../../provider/src/sandbox";
import * as builds from "./builds";
import * as commands from "./commands";
import * as previews from "./previews";
import * as scenes from "./scenes";
import * as writers from "./writers";
import type { History, HistoryStep } from "../history";
import type { HostName } from "../hosts";
import { declare, few, otherEdit } from "./edits";
import { anyUp, edit, foreignStep } from "./steps";

/** Behind these masks every value shows a piece of itself, so that no edit of others is invisible by nature. */
const MASKS = [
  {},
  { unit: "codeUnit" },
  { unit: "byte" },
  { fixedStars: 4 },
  { visibleHead: 4, visibleTail: 0 },
  { unit: "byte", fixedStars: 4, visibleTail: 5 },
] as const;

const choices: fc.Arbitrary<Partial<Choices>> = fc.record(
  {
    upsertAnswer: fc.constantFrom("sent", "all", "shuffled"),
    mask: fc.constantFrom(...MASKS),
    emptyValue: fc.constant("stored"),
    branchMethods: fc.constantFrom(["PATCH"], ["POST"], ["PATCH", "POST"]),
    wrongMethodStatus: fc.constantFrom(404, 405),
    singleEnvironmentBody: fc.constantFrom("data", "bare"),
    branchChangeBody: fc.constantFrom("environment", "empty", "json"),
    badRequestBody: fc.constantFrom("errors", "text", "empty"),
    processingStarts: fc.constantFrom("immediately", "late"),
    readyWhileBuilding: fc.boolean(),
    branchesShown: fc.constantFrom("immediately", "afterBuild"),
    historyOrder: fc.constantFrom("newestFirst", "oldestFirst"),
    maxPageSize: fc.constantFrom(20, 7, 1),
    buildListed: fc.constantFrom("immediately", "whenProcessing", "afterBuild"),
    deletedEnvironmentVariables: fc.constantFrom("404", "200"),
    maxBatch: fc.constantFrom(1, 3),
    rateLimitPerSecond: fc.constantFrom(5, 20),
    updatedAtOnEqualWrite: fc.boolean(),
  },
  { requiredKeys: [] },
);

/** A program, and its first run. */
const beginning: fc.Arbitrary<HistoryStep[]> = fc
  .tuple(fc.array(declare, { minLength: 1, maxLength: 6, size: "max" }), few(otherEdit, 2), few(foreignStep, 1), anyUp)
  .map(([first, more, others, last]) => [...[...first, ...more].map(edit), ...others, last]);
/** Kinds of scenes, by name: whatever these files export. A scene is a few things that belong together, and a run. */
const kinds: Readonly<Record<string, fc.Arbitrary<HistoryStep[]>>> = {
  ...builds,
  ...commands,
  ...previews,
  ...scenes,
  ...writers,
};

/** How often a kind is in a history, where that is not 1. */
const weights: Record<string, number> = {
  change: 12,
  sleeping: 4,
  passingOn: 2,
  comingAndGoing: 2,
  denied: 2,
  secondWriter: 3,
};
const MOSTLY = 200;

/** A scene of any kind. */
function scene(): fc.Arbitrary<HistoryStep[]> {
  return fc.oneof(...Object.entries(kinds).map(([name, arbitrary]) => ({ weight: weights[name] ?? 1, arbitrary })));
}

/** Makes most scenes from now on scenes of one kind, to see what that one finds. @throws for a name of none */
export function prefer(name: string): void {
  if (!Object.hasOwn(kinds, name)) throw new Error(`no kind ${name}; there are ${Object.keys(kinds).join(", ")}`);
  weights[name] = MOSTLY;
}

const MOST_SCENES = 4;

/** Of so many programs, so many are in other languages than TypeScript. */
const PROGRAMS = 20;
const OTHER_LANGUAGES = 6;

/** Histories, for a host. */
export function histories(hosts: readonly HostName[]): fc.Arbitrary<History> {
  return fc
    .record({
      seed: fc.nat({ max: 2 ** 30 }),
      host: fc.constantFrom(...hosts),
      program: fc.nat({ max: PROGRAMS - 1 }),
      choices: fc.oneof({ weight: 1, arbitrary: fc.constant({}) }, { weight: 2, arbitrary: choices }),
      settings: fc.record({
        batchSize: fc.constantFrom(100, 100, 2, 1),
        maxRetries: fc.constantFrom(undefined, undefined, 4, 1, 0),
        maxConcurrency: fc.constantFrom(8, 1),
      }),
      steps: fc.tuple(beginning, few(scene(), MOST_SCENES)).map(([first, others]) => [...first, ...others.flat()]),
    })
    .map(({ program, ...rest }) => ({
      ...withOrderedBuilds(rest),
      ...(program >= PROGRAMS - OTHER_LANGUAGES && { language: "other" as const }),
    }));
}

/** Where the clock goes back, times tell the order of a history only on pages with more than a few builds (docs/limits.md). */
function withOrderedBuilds<T extends Pick<History, "choices" | "steps">>(history: T): T {
  const isSetBack = history.steps.some((step) => step.do === "foreign" && step.act.act === "clock");
  if (!isSetBack || history.choices?.maxPageSize === undefined) return history;
  const { maxPageSize: _small, ...others } = history.choices;
  return { ...history, choices: others };
}

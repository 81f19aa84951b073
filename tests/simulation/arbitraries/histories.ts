import * as fc from "fast-check";
import type { Choices } from "../../../provider/src/sandbox";
import type { History } from "../history";
import { few, weighted } from "./edits";
import { beginning, scene } from "./scenes";

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
    upsertOfExisting: fc.constantFrom("everything", "everything", "everything", "valueOnly"),
    storedValue: fc.constantFrom("asSent", "trimmed"),
    actionsWhileBuilding: fc.constantFrom("accepted", "refused"),
    mask: fc.constantFrom(...MASKS),
    emptyValue: fc.constant("stored"),
    branchMethods: fc.constantFrom(["PATCH"], ["POST"], ["PATCH", "POST"]),
    wrongMethodStatus: fc.constantFrom(404, 405),
    singleEnvironmentBody: fc.constantFrom("data", "bare"),
    branchChangeBody: fc.constantFrom("environment", "empty", "json"),
    badRequestBody: fc.constantFrom("errors", "text", "empty"),
    processingStarts: fc.constantFrom("immediately", "late"),
    buildWhileBuilding: fc.constantFrom("supersedes", "waits"),
    readyWhileBuilding: fc.boolean(),
    branchesShown: fc.constantFrom("immediately", "afterBuild"),
    historyOrder: fc.constantFrom("newestFirst", "oldestFirst"),
    maxPageSize: fc.constantFrom(20, 7, 1),
    buildListed: fc.constantFrom("immediately", "whenProcessing", "afterBuild"),
    deletedEnvironmentVariables: fc.constantFrom("404", "200"),
    maxBatch: fc.constantFrom(1, 3),
    rateLimitPerSecond: fc.constantFrom(5, 20),
    updatedAtOnEqualWrite: fc.boolean(),
    variableTimesAheadHours: fc.constantFrom(-7, 2),
  },
  { requiredKeys: [] },
);

const MOST_SCENES = 4;

export const histories: fc.Arbitrary<History> = fc
  .record({
    seed: fc.nat({ max: 2 ** 30 }),
    host: fc.constantFrom("core", "dynamic", "native"),
    choices: weighted<Partial<Choices>>([1, fc.constant({})], [2, choices]),
    settings: fc.record({
      batchSize: fc.constantFrom(100, 100, 2, 1),
      maxRetries: fc.constantFrom(undefined, undefined, 4, 1, 0),
      maxConcurrency: fc.constantFrom(8, 1),
    }),
    steps: fc.tuple(beginning, few(scene, MOST_SCENES)).map(([first, scenes]) => [...first, ...scenes.flat()]),
  })
  .map(withOrderedBuilds);

/** Where the clock goes back, times tell the order of a history only on pages with more than a few builds (docs/limits.md). */
function withOrderedBuilds<T extends Pick<History, "choices" | "steps">>(history: T): T {
  const isSetBack = history.steps.some((step) => step.do === "foreign" && step.act.act === "clock");
  if (!isSetBack || history.choices?.maxPageSize === undefined) return history;
  const { maxPageSize: _small, ...others } = history.choices;
  return { ...history, choices: others };
}

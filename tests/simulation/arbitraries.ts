import * as fc from "fast-check";
import type { Choices } from "../../provider/src/sandbox";
import type { Foreign } from "./foreign";
import type { History, HistoryStep } from "./history";
import type { HostName } from "./hosts";
import type { Edit, Owner } from "./program";
import { REPOSITORIES } from "./simulation";
import type { Fault, Trouble } from "./trouble";

/** Names that programs declare; others may use them too. */
const NAMES = ["A", "B", "C", "D", "constructor", "WITH.DOT", "__D"] as const;
/** Names that only others use. */
const STRANGERS = ["HAND_MADE", "KEPT_SECRET", "OTHER"] as const;
const SERVICES = [[], [], ["web"], ["worker", "web"]] as const;
const BRANCHES = ["main", "feature/one", "feature/two"] as const;
const STATUSES = [400, 401, 403, 404, 405, 409, 413, 418, 422, 429, 500, 501, 502, 503, 504, 520] as const;
/** Behind these masks every value shows a piece of itself, so that no edit of others is invisible by nature. */
const MASKS = [{}, {}, { fixedStars: 4 }, { visibleHead: 4, visibleTail: 0 }] as const;
const VALUES = 6;
const MOST_WRITES = 4;

const name = fc.constantFrom(...NAMES);
const services = fc.constantFrom(...SERVICES);
const environment = fc.nat({ max: 9 }).map((number) => (number === 9 ? 1 : 0));
const owner = fc.constantFrom<Owner>("s", "s", "t", "single");
const number = fc.nat({ max: VALUES });

/** Values of one kind look alike at both ends, as masks show them. */
function declaredValue(hidden: boolean, index: number): string {
  if (index === 0) return "";
  if (hidden) return index === 1 ? "abc" : `sk-${index}-correct-horse-${index}-9x`;
  return index === 1 ? "***" : `plain ${index}`;
}

const declare: fc.Arbitrary<Edit> = fc
  .record({ in: owner, name, index: number, hidden: fc.boolean() })
  .map(({ index, ...rest }) => ({ edit: "declare", ...rest, value: declaredValue(rest.hidden, index) }));

const otherEdit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ edit: fc.constant("give" as const), name, to: owner }) },
  { weight: 4, arbitrary: fc.record({ edit: fc.constant("drop" as const), name }) },
  {
    weight: 3,
    arbitrary: fc.record({
      edit: fc.constant("branch" as const),
      repo: fc.constantFrom(...REPOSITORIES),
      branch: fc.constantFrom(...BRANCHES),
    }),
  },
  { weight: 2, arbitrary: fc.record({ edit: fc.constant("services" as const), of: owner, services }) },
  {
    weight: 6,
    arbitrary: fc.record({
      edit: fc.constantFrom("remove", "rename", "rename", "overwrite", "prune", "trigger"),
      of: fc.constantFrom("s", "s", "t", "branches"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      edit: fc.constant("move" as const),
      of: fc.constantFrom("s", "t", "branches"),
      to: fc.nat({ max: 1 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      edit: fc.constant("ignore" as const),
      of: fc.constantFrom("s", "t"),
      paths: fc.constantFrom([], ["variables.A"], ["secrets.B"], ["secrets"]),
    }),
  },
  { weight: 1, arbitrary: fc.record({ edit: fc.constantFrom("rebuilds", "waits", "restores") }) },
  {
    weight: 2,
    arbitrary: fc.record({
      edit: fc.constant("power" as const),
      power: fc.constantFrom("running", "stopped", undefined),
    }),
  },
);

const foreign: fc.Arbitrary<Foreign> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constant("show" as const), on: environment, name, hidden: fc.boolean() }),
  },
  {
    weight: 5,
    arbitrary: fc
      .record({
        on: environment,
        name: fc.constantFrom(...NAMES, ...STRANGERS),
        hidden: fc.boolean(),
        services,
        index: number,
      })
      .map(({ index, ...rest }) => ({
        act: "set" as const,
        ...rest,
        value: rest.hidden ? `zz-${index}-by-somebody-else-zz` : `hand ${index}`,
      })),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant("delete" as const),
      on: environment,
      name: fc.constantFrom(...NAMES, ...STRANGERS),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant("branch" as const),
      on: environment,
      repo: fc.constantFrom(...REPOSITORIES),
      branch: fc.constantFrom(...BRANCHES),
      // Without a build, one in flight would deploy something else in the end.
      build: fc.constant(true),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant("commit" as const),
      on: environment,
      repo: fc.constantFrom(...REPOSITORIES),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant("flags" as const),
      on: environment,
      flags: fc.constantFrom(
        { deleted: true },
        { deleted: false },
        { stopped: true },
        { retired: true },
        { stopped: false, retired: false },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("failNextBuild" as const), on: environment }) },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant("slowNextBuild" as const),
      on: environment,
      seconds: fc.constantFrom(120, 900),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("revokeToken" as const) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("grantToken" as const) }) },
);

const status: fc.Arbitrary<Fault> = fc.record(
  {
    kind: fc.constant("status" as const),
    status: fc.constantFrom(...STATUSES),
    acts: fc.boolean(),
    retryAfterSeconds: fc.constantFrom(0, 1, 7, 90),
    body: fc.constantFrom("html", "empty", "text", "echo"),
  },
  { requiredKeys: ["kind", "status"] },
);

const fault: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 5, arbitrary: status },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("refused" as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("lost" as const), when: fc.constantFrom("before", "after", "midway") }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("slow" as const),
      seconds: fc.constantFrom(2, 29, 40),
      when: fc.constantFrom("before", "after"),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("garbled" as const),
      how: fc.constantFrom("truncated", "html", "empty", "null", "list", "types"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("contentType", "shuffled", "doubled") }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("partial" as const),
      names: fc.integer({ min: 1, max: 63 }),
      nameless: fc.nat({ max: 7 }),
    }),
  },
);

const trouble: fc.Arbitrary<Trouble> = fc
  .record({
    at: fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 12 })),
    times: fc.constantFrom(1, 1, 1, 2, 5, 50),
    writes: fc.boolean(),
    what: fc.oneof<[fc.WeightedArbitrary<Trouble["what"]>, ...fc.WeightedArbitrary<Trouble["what"]>[]]>(
      { weight: 10, arbitrary: fault },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant("foreign" as const), act: foreign }) },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant("crash" as const),
          who: fc.constantFrom("provider", "engine"),
          when: fc.constantFrom("before", "after"),
        }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant("cancel" as const) }) },
    ),
  })
  .map(({ at, times, writes, what }) => ({
    // The few writes of a run are its first ones.
    at: writes ? at % MOST_WRITES : at,
    ...(writes && { writes: true as const }),
    ...(times !== 1 && what.kind !== "foreign" && { times }),
    what,
  }));

const positions = fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 2 });
const troubles = fc.oneof(
  { weight: 1, arbitrary: fc.constant([]) },
  { weight: 2, arbitrary: fc.array(trouble, { minLength: 1, maxLength: 3, size: "max" }) },
);
const run: fc.Arbitrary<HistoryStep> = fc
  .record(
    {
      do: fc.constant("run" as const),
      run: fc.constantFrom("up", "up", "up", "up", "upRefresh", "refresh", "preview", "destroy"),
      targets: positions,
      replace: positions,
      troubles,
      rare: fc.nat({ max: 7 }),
    },
    { requiredKeys: ["do", "run", "troubles", "rare"] },
  )
  // Most runs are plain ones.
  .map(({ targets, replace, rare, ...rest }) => {
    if (rest.run !== "up") return rest;
    if (rare === 0 && targets !== undefined) return { ...rest, targets };
    return rare === 1 && replace !== undefined ? { ...rest, replace } : rest;
  });

const editStep = fc
  .oneof({ weight: 3, arbitrary: declare }, { weight: 4, arbitrary: otherEdit })
  .map((change): HistoryStep => ({ do: "edit", change }));
const foreignStep = fc.oneof(
  { weight: 4, arbitrary: foreign.map((act): HistoryStep => ({ do: "foreign", act })) },
  { weight: 1, arbitrary: fc.constantFrom(1, 3, 60).map((seconds): HistoryStep => ({ do: "wait", seconds })) },
);
const few = <T>(item: fc.Arbitrary<T>, maxLength: number): fc.Arbitrary<T[]> =>
  fc.array(item, { maxLength, size: "max" });

/** A program, and its first run. */
const beginning = fc
  .tuple(fc.array(declare, { minLength: 1, maxLength: 6, size: "max" }), few(otherEdit, 2), few(foreignStep, 1), run)
  .map(([first, more, others, last]) => [
    ...[...first, ...more].map((change): HistoryStep => ({ do: "edit", change })),
    ...others,
    last,
  ]);
/** Changes by its author and by others, and a run. */
const change = fc
  .tuple(few(editStep, 3), few(foreignStep, 2), run)
  .map(([edits, others, last]) => [...edits, ...others, last]);
/** What somebody changed is ignored, and has to be written again all the same. */
const ignoredDrift = fc
  .tuple(fc.constantFrom("s" as const, "t" as const), few(foreignStep, 2), few(editStep, 1), run)
  .map(([of, others, edits, last]): HistoryStep[] => [
    { do: "edit", change: { edit: "ignore", of, paths: ["secrets"] } },
    ...others,
    { do: "run", run: "refresh", troubles: [] },
    ...edits,
    { do: "edit", change: { edit: "trigger", of } },
    last,
  ]);
/** A set that has an environment for itself, and prunes it. */
const pruning = fc
  .tuple(few(foreignStep, 2), run)
  .map(([others, last]): HistoryStep[] => [
    { do: "edit", change: { edit: "prune", of: "s" } },
    ...NAMES.map((one): HistoryStep => ({ do: "edit", change: { edit: "give", name: one, to: "s" } })),
    { do: "edit", change: { edit: "remove", of: "t" } },
    ...others,
    { do: "run", run: "refresh", troubles: [] },
    last,
  ]);
const round = fc.oneof(
  { weight: 12, arbitrary: change },
  { weight: 1, arbitrary: ignoredDrift },
  { weight: 1, arbitrary: pruning },
);

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
    buildListed: fc.constantFrom("immediately", "whenProcessing", "afterBuild"),
    deletedEnvironmentVariables: fc.constantFrom("404", "200"),
    maxBatch: fc.constantFrom(1, 3),
    rateLimitPerSecond: fc.constantFrom(5, 20),
    updatedAtOnEqualWrite: fc.boolean(),
  },
  { requiredKeys: [] },
);

/** Histories, for a host. */
export function histories(hosts: readonly HostName[], maxRounds: number = 4): fc.Arbitrary<History> {
  return fc.record({
    seed: fc.nat({ max: 2 ** 30 }),
    host: fc.constantFrom(...hosts),
    choices: fc.oneof({ weight: 1, arbitrary: fc.constant({}) }, { weight: 2, arbitrary: choices }),
    settings: fc.record({
      batchSize: fc.constantFrom(100, 100, 2, 1),
      maxRetries: fc.constantFrom(4, 1, 0),
      maxConcurrency: fc.constantFrom(8, 1),
    }),
    steps: fc.tuple(beginning, few(round, maxRounds)).map(([first, rounds]) => [...first, ...rounds.flat()]),
  });
}

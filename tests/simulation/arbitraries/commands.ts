import * as fc from "fast-check";
import type { HistoryStep } from "../history";
import type { Edit } from "../program/edits";
import type { Trouble } from "../trouble";
import { declaredValue, few, name, number, owner } from "./edits";
import { edit, editStep, foreignStep, plainUp, run, upRefresh } from "./steps";

const ALWAYS = 1_000;

const taker = fc.constantFrom("t" as const, "single" as const);

/** What refuses or ends a write. */
export const refusal: fc.Arbitrary<readonly Trouble[]> = fc.oneof(
  fc.constant([]),
  fc
    .record({ at: fc.nat({ max: 2 }), status: fc.constantFrom(400, 403, 503) })
    .map(({ at, status }): readonly Trouble[] => [
      { at, writes: true, times: ALWAYS, what: { kind: "status", status } },
    ]),
  fc
    .record({
      at: fc.nat({ max: 2 }),
      who: fc.constantFrom("provider" as const, "engine" as const),
      when: fc.constantFrom("before" as const, "after" as const),
    })
    .map(({ at, ...how }): readonly Trouble[] => [{ at, writes: true, what: { kind: "crash", ...how } }]),
);

/** What refuses one write, and no other. */
export const refusedOnce = fc
  .record({ at: fc.nat({ max: 3 }), status: fc.constantFrom(400, 403, 422) })
  .map(({ at, status }): readonly Trouble[] => [{ at, writes: true, what: { kind: "status", status } }]);

/** More than a program has resources. */
export const ALL = [0, 1, 2, 3, 4, 5, 6, 7] as const;

/** The ways to replace resources: `--replace` or the option `replaceOnChanges`, `--target-replace` or a taint, another environment. */
const replacing = fc.constantFrom<Partial<HistoryStep & { readonly do: "run" }>>(
  { replace: ALL },
  { targetReplace: ALL },
  {},
);

/** Resources are replaced, and the old ones go first (`deleteBeforeReplace`). Maybe a name leaves one, or changes, meanwhile. */
export const deletingFirst = fc
  .record({
    of: owner,
    one: name,
    hidden: fc.boolean(),
    change: fc.constantFrom<readonly Edit[]>(
      [],
      [{ edit: "give", name: "A", to: "single" }],
      [{ edit: "give", name: "A", to: "s" }],
      [{ edit: "drop", name: "A" }],
      [{ edit: "declare", in: "single", name: "A", value: declaredValue(false, 4), hidden: false }],
    ),
    command: replacing,
    moves: fc.boolean(),
    troubles: fc.oneof(refusal, refusedOnce),
    edits: few(editStep, 1),
    next: fc.constantFrom(plainUp, upRefresh),
    last: run,
  })
  .map(({ of, one, hidden, change, command, moves, troubles, edits, next, last }): HistoryStep[] => [
    edit({ edit: "declare", in: of, name: one, value: declaredValue(hidden, 2), hidden }),
    edit({ edit: "declare", in: of, name: "A", value: declaredValue(hidden, 3), hidden }),
    edit(of === "single" ? { edit: "singles", what: "deletesFirst" } : { edit: "deletesFirst", of }),
    plainUp,
    ...change.map(edit),
    ...(moves && of !== "single" ? [edit({ edit: "move", of, to: 1 })] : []),
    { do: "run", run: "up", ...command, troubles },
    ...edits,
    next,
    last,
  ]);

/** Names move between two sets of each environment, with so many workers, with trouble in all of them or none. */
export const fleet = fc
  .record({
    workers: fc.constantFrom(undefined, 1, 1, 2, 4),
    index: number,
    changed: number,
    back: fc.boolean(),
    trouble: fc.oneof<fc.Arbitrary<readonly Trouble[]>[]>(
      fc.constant([]),
      refusal,
      fc
        .constantFrom(400, 503)
        .map((status) => [{ at: 0, writes: true as const, times: ALWAYS, what: { kind: "status" as const, status } }]),
      fc.constant([{ at: 0, times: ALWAYS, what: { kind: "status" as const, status: 503 } }]),
    ),
    kind: fc.constantFrom("up" as const, "up" as const, "upRefresh" as const),
    after: fc.constantFrom<readonly HistoryStep[]>(
      [],
      [{ do: "run", run: "destroy", targets: [0], troubles: [] }],
      [{ do: "run", run: "destroy", targets: [1], troubles: [] }],
      [upRefresh, { do: "run", run: "destroy", targets: [0, 2], troubles: [] }],
      [{ do: "run", run: "destroy", troubles: [] }],
    ),
    last: fc.oneof(fc.constant(plainUp), run),
  })
  .map(({ workers, index, changed, back, trouble, kind, after, last }): HistoryStep[] => [
    edit({ edit: "pairs", pairs: { index, moved: back } }),
    plainUp,
    edit({ edit: "pairs", pairs: { index: changed, moved: !back } }),
    { do: "run", run: kind, ...(workers !== undefined && { workers }), troubles: trouble },
    ...after,
    last,
  ]);

/** A name moves while an engine command leaves one of the two resources out. Then one of the two is destroyed. */
export const leftOut = fc
  .record({
    one: name,
    to: taker,
    hidden: fc.boolean(),
    changed: fc.option(number, { nil: undefined }),
    command: fc.constantFrom<Partial<HistoryStep & { readonly do: "run" }>>(
      { excludes: [1] },
      { excludes: [0] },
      { targets: [0] },
      { targets: [1] },
      {},
      {},
    ),
    after: fc.constantFrom<readonly HistoryStep[]>(
      [],
      [plainUp],
      [{ do: "run", run: "destroy", targets: [0], troubles: [] }],
      [{ do: "run", run: "destroy", targets: [1], troubles: [] }],
      [upRefresh, { do: "run", run: "destroy", targets: [0], troubles: [] }],
    ),
    last: run,
  })
  .map(({ one, to, hidden, changed, command, after, last }): HistoryStep[] => [
    edit({ edit: "declare", in: "s", name: one, value: declaredValue(hidden, 2), hidden }),
    plainUp,
    changed === undefined
      ? edit({ edit: "give", name: one, to })
      : edit({ edit: "declare", in: to, name: one, value: declaredValue(hidden, changed), hidden }),
    { do: "run", run: "up", troubles: [], ...command },
    ...after,
    last,
  ]);

/** Stack config changes while a name moves or changes: a provider with the old one makes the refresh. */
export const reconfigured = fc
  .record({
    one: name,
    from: owner,
    to: owner,
    hidden: fc.boolean(),
    changed: number,
    by: fc.option(foreignStep, { nil: undefined }),
    troubles: fc.oneof(fc.constant([]), refusedOnce),
    last: fc.oneof(fc.constantFrom(plainUp, upRefresh), run),
  })
  .map(({ one, from, to, hidden, changed, by, troubles, last }): HistoryStep[] => [
    edit({ edit: "declare", in: from, name: one, value: declaredValue(hidden, 2), hidden }),
    edit({ edit: "declare", in: from, name: one === "E" ? "D" : "E", value: "plain", hidden: false }),
    plainUp,
    edit({ edit: "declare", in: to, name: one, value: declaredValue(hidden, changed), hidden }),
    ...(by === undefined ? [] : [by]),
    { do: "run", run: "upRefresh", changesConfig: true, troubles },
    last,
  ]);

/** A program fails half way while names move or leave. */
export const failingProgram = failing(false);

/** A name stands in a program without a value while names move or leave. */
export const valueless = failing(true);

function failing(isBlank: boolean): fc.Arbitrary<HistoryStep[]> {
  return fc
    .record({
      one: name,
      to: fc.constantFrom("s" as const, "t" as const, "single" as const),
      hidden: fc.boolean(),
      gives: fc.boolean(),
      at: fc.nat({ max: 4 }),
      edits: few(editStep, 1),
      kind: fc.constantFrom("up" as const, "upRefresh" as const),
      last: fc.oneof(fc.constant(plainUp), run),
    })
    .map(({ one, to, hidden, gives, at, edits, kind, last }): HistoryStep[] => [
      edit({ edit: "declare", in: "s", name: one, value: declaredValue(hidden, 2), hidden }),
      edit({ edit: "declare", in: "t", name: one === "E" ? "D" : "E", value: "plain", hidden: false }),
      plainUp,
      ...(gives ? [edit({ edit: "give", name: one, to })] : []),
      ...edits,
      { do: "run", run: kind, troubles: [], ...(isBlank ? { blank: one } : { failsAt: at }) },
      last,
    ]);
}

/** A set is imported by its resource option, in an environment with variables that the program does not declare. */
export const importing = fc
  .record({
    names: fc.array(name, { minLength: 1, maxLength: 2, size: "max" }),
    hidden: fc.boolean(),
    troubles: refusal,
    last: run,
  })
  .map(({ names, hidden, troubles, last }): HistoryStep[] => [
    edit({ edit: "remove", of: "s" }),
    plainUp,
    ...names.map((one) => edit({ edit: "declare", in: "s", name: one, value: declaredValue(hidden, 2), hidden })),
    edit({ edit: "imports", of: "s" }),
    { do: "run", run: "up", troubles },
    plainUp,
    last,
  ]);

/** A name moves away from a protected set, which the program drops. Then all that is not protected is destroyed. */
export const protecting = fc
  .record({
    one: name,
    hidden: fc.boolean(),
    changed: fc.option(number, { nil: undefined }),
    isDropped: fc.boolean(),
    last: run,
  })
  .map(({ one, hidden, changed, isDropped, last }): HistoryStep[] => [
    edit({ edit: "declare", in: "s", name: one, value: declaredValue(hidden, 2), hidden }),
    edit({ edit: "protects", of: "s" }),
    plainUp,
    changed === undefined
      ? edit({ edit: "give", name: one, to: "t" })
      : edit({ edit: "declare", in: "t", name: one, value: declaredValue(hidden, changed), hidden }),
    ...(isDropped ? [edit({ edit: "remove", of: "s" })] : []),
    plainUp,
    { do: "run", run: "destroyUnprotected", troubles: [] },
    last,
  ]);

import * as fc from "fast-check";
import type { HistoryStep } from "../history";
import type { Edit } from "../program/edits";
import type { Owner } from "../program/model";
import type { Trouble } from "../trouble";
import { declaredValue, few, name, number, owner } from "./edits";
import { edit, editStep, plainUp, run, upRefresh } from "./steps";
import { crash } from "./troubles";

const ALWAYS = 1_000;

/** Who gets a name of a set. */
export const taker = fc.constantFrom("t" as const, "single" as const);

/** What refuses or ends a write. */
export const refusal: fc.Arbitrary<readonly Trouble[]> = fc.oneof(
  fc.constant([]),
  fc
    .record({ at: fc.nat({ max: 2 }), status: fc.constantFrom(400, 403, 503) })
    .map(({ at, status }): readonly Trouble[] => [
      { at, writes: true, times: ALWAYS, what: { kind: "status", status } },
    ]),
  fc
    .record({ at: fc.nat({ max: 2 }), what: crash })
    .map(({ at, what }): readonly Trouble[] => [{ at, writes: true, what }]),
);

/** What refuses one write, and no other. */
export const refusedOnce = fc
  .record({ at: fc.nat({ max: 3 }), status: fc.constantFrom(400, 403, 422) })
  .map(({ at, status }): readonly Trouble[] => [{ at, writes: true, what: { kind: "status", status } }]);

/** More than a program has resources. */
export const ALL = [0, 1, 2, 3, 4, 5, 6, 7] as const;

/** The ways to replace resources: `--replace` or the option `replaceOnChanges`, `--target-replace` or a taint, another environment. */
const replacement = fc.constantFrom<Partial<HistoryStep & { readonly do: "run" }>>(
  { replace: ALL },
  { targetReplace: ALL },
  {},
);

/**
 * Resources are replaced, and the old ones may go first (`deleteBeforeReplace`). Maybe a name leaves one, or changes, meanwhile. Changes that a
 * set ignores count when it is replaced.
 */
export const replacing = fc
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
    deletesFirst: fc.boolean(),
    ignores: fc.boolean(),
    command: replacement,
    moves: fc.boolean(),
    troubles: fc.oneof(refusal, refusedOnce),
    edits: few(editStep, 1),
    next: fc.constantFrom(plainUp, upRefresh),
    last: run,
  })
  .map(({ of, one, hidden, change, deletesFirst, ignores, command, moves, troubles, edits, next, last }) => {
    const first: Edit = of === "single" ? { edit: "singles", what: "deletesFirst" } : { edit: "deletesFirst", of };
    const steps: HistoryStep[] = [
      edit({ edit: "declare", in: of, name: one, value: declaredValue(hidden, 2), hidden }),
      edit({ edit: "declare", in: of, name: "A", value: declaredValue(hidden, 3), hidden }),
      ...(deletesFirst ? [edit(first)] : []),
      plainUp,
      ...(ignores && of !== "single" ? [edit({ edit: "ignore", of, paths: ["secrets"] })] : []),
      ...change.map(edit),
      ...(moves && of !== "single" ? [edit({ edit: "move", of, to: 1 })] : []),
      { do: "run", run: "up", ...command, troubles },
      ...edits,
      next,
      last,
    ];
    return steps;
  });

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

/** A program fails half way while names move or leave. */
export const failingProgram = fc
  .record({
    one: name,
    to: owner,
    hidden: fc.boolean(),
    gives: fc.boolean(),
    failsAt: fc.nat({ max: 4 }),
    edits: few(editStep, 1),
    kind: fc.constantFrom("up" as const, "upRefresh" as const),
    last: fc.oneof(fc.constant(plainUp), run),
  })
  .map(({ one, to, hidden, gives, failsAt, edits, kind, last }): HistoryStep[] => [
    edit({ edit: "declare", in: "s", name: one, value: declaredValue(hidden, 2), hidden }),
    edit({ edit: "declare", in: "t", name: one === "E" ? "D" : "E", value: "plain", hidden: false }),
    plainUp,
    ...(gives ? [edit({ edit: "give", name: one, to })] : []),
    ...edits,
    { do: "run", run: kind, troubles: [], failsAt },
    last,
  ]);

/**
 * A set is imported by its resource option, in an environment with variables that the program does not declare. Another set may have had them
 * until then, and go.
 */
export const importing = fc
  .record({
    names: fc.array(name, { minLength: 1, maxLength: 4, size: "max" }),
    left: fc.nat({ max: 2 }),
    isOfOther: fc.boolean(),
    hidden: fc.boolean(),
    changed: number,
    troubles: fc.oneof(fc.constant([]), refusal, refusedOnce),
    kind: fc.constantFrom("up" as const, "upRefresh" as const),
    next: fc.constantFrom(plainUp, upRefresh),
    last: run,
  })
  .map(({ names, left, isOfOther, hidden, changed, troubles, kind, next, last }): HistoryStep[] => {
    const declare = (of: Owner, one: string, index: number): HistoryStep =>
      edit({ edit: "declare", in: of, name: one, value: declaredValue(hidden, index), hidden });
    const kept = names.slice(left);
    return [
      edit({ edit: "remove", of: "s" }),
      ...(isOfOther ? names.map((one) => declare("t", one, 2)) : []),
      plainUp,
      ...(isOfOther ? [edit({ edit: "remove", of: "t" })] : []),
      ...(kept.length > 0 ? kept : ["A"]).map((one) => declare("s", one, changed)),
      edit({ edit: "imports", of: "s" }),
      { do: "run", run: kind, troubles },
      next,
      last,
    ];
  });

import * as fc from "fast-check";
import type { HistoryStep } from "../history";
import type { Edit } from "../program/edits";
import type { Fault, Trouble } from "../trouble";
import { declaredValue, few, name, number, owner } from "./edits";
import { destroy, plainUp, run, upRefresh } from "./runs";
import { declares, edit, editStep, moves } from "./steps";
import { crash } from "./troubles";

const ALWAYS = 1_000;

/** Who gets a name of a set. */
export const taker = fc.constantFrom("t", "single");

/** A write meets something, and maybe what follows, too. */
export function writing(
  max: number,
  what: fc.Arbitrary<Trouble["what"]>,
  times?: number,
): fc.Arbitrary<readonly Trouble[]> {
  return fc.record({ at: fc.nat({ max }), what }).map((one) => [{ writes: true, ...(times && { times }), ...one }]);
}

/** The service answers with one of these. */
function answering(...statuses: readonly number[]): fc.Arbitrary<Fault> {
  return fc.constantFrom(...statuses).map((status) => ({ kind: "status", status }));
}

/** What refuses one write, and no other. */
export const refusedOnce = writing(3, answering(400, 403, 422));

/** What refuses or ends a write, or nothing. */
const refusal = fc.oneof(fc.constant([]), writing(2, answering(400, 403, 503), ALWAYS), writing(2, crash));

/** More than a program has resources. */
export const ALL = [0, 1, 2, 3, 4, 5, 6, 7] as const;

/** The ways to replace resources: `--replace` or the option `replaceOnChanges`, `--target-replace` or a taint, another environment. */
const replacement = fc.constantFrom({ replace: ALL }, { targetReplace: ALL }, {});

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
    isMoved: fc.boolean(),
    troubles: fc.oneof(refusal, refusedOnce),
    edits: few(editStep, 1),
    next: fc.constantFrom(plainUp, upRefresh),
    last: run,
  })
  .map(({ of, one, hidden, change, deletesFirst, ignores, command, isMoved, troubles, edits, next, last }) => {
    const first: Edit = of === "single" ? { edit: "singles", what: "deletesFirst" } : { edit: "deletesFirst", of };
    const steps: HistoryStep[] = [
      declares(of, one, 2, hidden),
      declares(of, "A", 3, hidden),
      ...(deletesFirst ? [edit(first)] : []),
      plainUp,
      ...(ignores && of !== "single" ? [edit({ edit: "ignore", of, paths: ["secrets"] })] : []),
      ...change.map(edit),
      ...(isMoved && of !== "single" ? [edit({ edit: "move", of, to: 1 })] : []),
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
    command: fc.constantFrom({ excludes: [1] }, { excludes: [0] }, { targets: [0] }, { targets: [1] }, {}),
    after: fc.constantFrom<readonly HistoryStep[]>(
      [],
      [plainUp],
      [{ ...destroy, targets: [0] }],
      [{ ...destroy, targets: [1] }],
      [upRefresh, { ...destroy, targets: [0] }],
    ),
    last: run,
  })
  .map(({ one, to, hidden, changed, command, after, last }): HistoryStep[] => [
    declares("s", one, 2, hidden),
    plainUp,
    moves(one, to, hidden, changed),
    { ...plainUp, ...command },
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
    kind: fc.constantFrom("up", "upRefresh"),
    last: fc.oneof(fc.constant(plainUp), run),
  })
  .map(({ one, to, hidden, gives, failsAt, edits, kind, last }): HistoryStep[] => [
    declares("s", one, 2, hidden),
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
    kind: fc.constantFrom("up", "upRefresh"),
    next: fc.constantFrom(plainUp, upRefresh),
    last: run,
  })
  .map(({ names, left, isOfOther, hidden, changed, troubles, kind, next, last }): HistoryStep[] => {
    const kept = names.slice(left);
    return [
      edit({ edit: "remove", of: "s" }),
      ...(isOfOther ? names.map((one) => declares("t", one, 2, hidden)) : []),
      plainUp,
      ...(isOfOther ? [edit({ edit: "remove", of: "t" })] : []),
      ...(kept.length > 0 ? kept : ["A"]).map((one) => declares("s", one, changed, hidden)),
      edit({ edit: "imports", of: "s" }),
      { do: "run", run: kind, troubles },
      next,
      last,
    ];
  });

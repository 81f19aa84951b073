import * as fc from "fast-check";
import { EXISTING } from "../../../provider/src/framework/existing-text";
import type { Foreign } from "../foreign";
import type { HistoryStep } from "../history";
import type { Edit } from "../program/edits";
import { declaredValue, few, name, number, owner, services, weighted } from "./edits";
import { writing } from "./commands";
import { hiddenValue } from "./foreign";
import { anyRun, destroy, faultyUp, plainUp, refresh, run, up, upRefresh } from "./runs";
import { byOthers, declares, edit, foreignStep, given, retouched } from "./steps";
import { cancel, crash } from "./troubles";

const destroyRefresh: HistoryStep = { do: "run", run: "destroyRefresh", troubles: [] };

/** What a second writer does with a name of this stack: it takes it over as it is, or with its own value, or makes it anew. */
function written(one: string, hidden: boolean): fc.Arbitrary<Foreign> {
  const set = { act: "set", on: 0, name: one, hidden, services: [] } as const;
  return weighted<Foreign>(
    [3, fc.constantFrom("rewrite", "remake").map((act) => ({ act, on: 0, name: one }))],
    [1, number.map((index) => ({ ...set, value: hiddenValue(index, true) }))],
  );
}

/** What makes this stack delete a name. */
const leaving = (of: "s" | "t" | "single", one: string): fc.Arbitrary<readonly HistoryStep[]> =>
  fc.constantFrom<readonly HistoryStep[]>(
    [edit({ edit: "drop", name: one }), plainUp],
    [edit({ edit: "drop", name: one }), upRefresh],
    [edit({ edit: "drop", name: one }), plainUp, upRefresh],
    ...(of === "single" ? [] : [[edit({ edit: "remove", of }), plainUp] as const]),
    [destroy],
    [refresh, destroy],
    [destroyRefresh],
    [{ ...destroy, targets: [0] }],
    [{ ...plainUp, replace: [0] }],
  );

/** A second writer, which is another stack, another address or a person, writes a name of this stack before it deletes it. */
export const secondWriter = fc.tuple(owner, name, fc.boolean()).chain(([of, one, hidden]) =>
  fc
    .record({
      act: written(one, hidden),
      leaves: leaving(of, one),
      at: fc.option(fc.nat({ max: 2 }), { nil: undefined }),
      last: anyRun,
    })
    .map(({ act, leaves, at, last }): HistoryStep[] => {
      const troubles = at === undefined ? [] : [{ at, what: { kind: "foreign", act } } as const];
      const within = (step: HistoryStep): HistoryStep => (step.do === "run" ? { ...step, troubles } : step);
      const before = at === undefined ? [byOthers(act)] : [];
      return [declares(of, one, 2, hidden), plainUp, ...before, ...leaves.map(within), last];
    }),
);

/** The write of a new name, or of a value that somebody may have changed, fails, is killed or is cancelled. Then the name leaves, or does not. */
export const endedWrite = fc.tuple(owner, name, fc.boolean()).chain(([of, one, hidden]) =>
  fc
    .record({
      isNew: fc.boolean(),
      byHand: fc.option(number, { nil: undefined }),
      second: number,
      others: few(foreignStep, 1),
      write: fc.oneof(faultyUp, writing(1, fc.oneof(crash, cancel)).map(up)),
      leaves: fc.oneof(fc.constant([]), leaving(of, one)),
      last: run,
    })
    .map(({ isNew, byHand, second, others, write, leaves, last }): HistoryStep[] => [
      ...(isNew ? [] : [declares(of, one, 2, hidden), plainUp]),
      ...others,
      ...(isNew || byHand === undefined || !hidden ? [] : [retouched(one, byHand)]),
      declares(of, one, second, hidden),
      write,
      ...leaves,
      last,
    ]),
);

/** A value that others have made, and that the program leaves to the service. Then one of them changes something. */
export const leftToService = fc
  .record({
    of: fc.constantFrom("s", "t", "single"),
    one: name,
    wasHidden: fc.boolean(),
    hidden: fc.boolean(),
    scope: services,
    byHand: fc.option(number, { nil: undefined }),
    change: fc.constantFrom("trigger", "rename", "drop", "value", "scope"),
    refreshes: fc.boolean(),
  })
  .map(({ of, one, wasHidden, hidden, scope, byHand, change, refreshes }): HistoryStep[] => {
    const by = (index: number, isHidden: boolean): HistoryStep => given(one, hiddenValue(index, false), isHidden);
    const set = of === "single" ? "s" : of;
    const changes: Readonly<Record<typeof change, Edit>> = {
      trigger: { edit: "trigger", of: set },
      rename: { edit: "rename", of: set },
      drop: { edit: "drop", name: one },
      value: { edit: "declare", in: of, name: one, value: declaredValue(hidden, 2), hidden },
      scope: { edit: "scope", of: set, name: one, services: scope },
    };
    return [
      edit({ edit: "drop", name: one }),
      plainUp,
      by(1, wasHidden),
      edit({ edit: "declare", in: of, name: one, value: EXISTING, hidden }),
      plainUp,
      ...(byHand === undefined ? [] : [by(byHand, hidden)]),
      edit(changes[change]),
      refreshes ? upRefresh : plainUp,
    ];
  });

/**
 * Others let other services see a hidden variable, once or twice, and give it a value with the same mask or leave it as it is. A
 * refresh looks each time. Then the program takes the scope over, or does not.
 */
export const rescoped = fc
  .record({
    of: fc.constantFrom("s", "t"),
    name,
    index: fc.integer({ min: 2, max: 4 }),
    changes: fc.array(fc.record({ services, isEdited: fc.boolean() }), { minLength: 1, maxLength: 2, size: "max" }),
    takesOver: fc.boolean(),
  })
  .map(({ of, name: one, index, changes, takesOver }): HistoryStep[] => {
    const others = changes.flatMap(({ services: scope, isEdited }): HistoryStep[] => [
      isEdited
        ? given(one, hiddenValue(index, true), true, scope)
        : byOthers({ act: "scope", on: 0, name: one, services: scope }),
      refresh,
    ]);
    const last = changes.at(-1)?.services ?? [];
    return [
      declares(of, one, index, true),
      plainUp,
      ...others,
      ...(takesOver ? [edit({ edit: "scope", of, name: one, services: last })] : []),
      plainUp,
    ];
  });

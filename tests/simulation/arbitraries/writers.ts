import * as fc from "fast-check";
import { EXISTING } from "../../../provider/src/env-vars/placeholder";
import type { Foreign } from "../foreign";
import type { HistoryStep } from "../history";
import type { Edit } from "../program/edits";
import { declaredValue, few, name, number, owner, services, weighted } from "./edits";
import { hiddenValue, retouched } from "./foreign";
import { edit, faultyUp, foreignStep, plainUp, run, upRefresh } from "./steps";
import { cancel, crash } from "./troubles";

const destroy: HistoryStep = { do: "run", run: "destroy", troubles: [] };
const destroyRefresh: HistoryStep = { do: "run", run: "destroyRefresh", troubles: [] };
const refresh: HistoryStep = { do: "run", run: "refresh", troubles: [] };

/** What a second writer does with a name of this stack: it takes it over as it is, or with its own value, or makes it anew. */
function written(one: string, hidden: boolean): fc.Arbitrary<Foreign> {
  return weighted<Foreign>(
    [3, fc.constantFrom("rewrite" as const, "remake" as const).map((act) => ({ act, on: 0, name: one }))],
    [
      1,
      number.map((index) => {
        const value = hiddenValue(index, true);
        return { act: "set" as const, on: 0, name: one, value, hidden, services: [] };
      }),
    ],
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
    [{ do: "run", run: "destroy", targets: [0], troubles: [] }],
    [{ do: "run", run: "up", replace: [0], troubles: [] }],
  );

/** A second writer, which is another stack, another address or a person, writes a name of this stack before it deletes it. */
export const secondWriter = fc
  .tuple(owner, name, fc.boolean())
  .chain(([of, one, hidden]) =>
    fc.record({
      of: fc.constant(of),
      one: fc.constant(one),
      hidden: fc.constant(hidden),
      act: written(one, hidden),
      leaves: leaving(of, one),
      isWithin: fc.option(fc.nat({ max: 2 }), { nil: undefined }),
      last: fc.oneof(fc.constantFrom(plainUp, upRefresh), run),
    }),
  )
  .map(({ of, one, hidden, act, leaves, isWithin, last }): HistoryStep[] => {
    const within = (step: HistoryStep): HistoryStep =>
      step.do !== "run" || isWithin === undefined
        ? step
        : { ...step, troubles: [{ at: isWithin, what: { kind: "foreign", act } }] };
    return [
      edit({ edit: "declare", in: of, name: one, value: declaredValue(hidden, 2), hidden }),
      plainUp,
      ...(isWithin === undefined ? [{ do: "foreign", act } as const] : []),
      ...leaves.map(within),
      last,
    ];
  });

/** The write of a new name, or of a value that somebody may have changed, fails, is killed or is cancelled. Then the name leaves, or does not. */
export const endedWrite = fc
  .tuple(owner, name, fc.boolean())
  .chain(([of, one, hidden]) =>
    fc.record({
      of: fc.constant(of),
      one: fc.constant(one),
      hidden: fc.constant(hidden),
      isNew: fc.boolean(),
      byHand: fc.option(number, { nil: undefined }),
      second: number,
      others: few(foreignStep, 1),
      write: fc.oneof(
        faultyUp,
        fc
          .record({ at: fc.nat({ max: 1 }), writes: fc.constant(true as const), what: fc.oneof(crash, cancel) })
          .map((trouble): HistoryStep => ({ do: "run", run: "up", troubles: [trouble] })),
      ),
      leaves: fc.oneof(fc.constant([]), leaving(of, one)),
      last: run,
    }),
  )
  .map(({ of, one, hidden, isNew, byHand, second, others, write, leaves, last }): HistoryStep[] => [
    ...(isNew ? [] : [edit({ edit: "declare", in: of, name: one, value: declaredValue(hidden, 2), hidden }), plainUp]),
    ...others,
    ...(isNew || byHand === undefined || !hidden ? [] : [retouched(one, byHand)]),
    edit({ edit: "declare", in: of, name: one, value: declaredValue(hidden, second), hidden }),
    write,
    ...leaves,
    last,
  ]);

/** A value that others have made, and that the program leaves to the service. Then one of them changes something. */
export const leftToService = fc
  .record({
    of: fc.constantFrom("s" as const, "t" as const, "single" as const),
    one: name,
    wasHidden: fc.boolean(),
    hidden: fc.boolean(),
    scope: services,
    byHand: fc.option(number, { nil: undefined }),
    change: fc.constantFrom("trigger" as const, "rename" as const, "drop" as const, "value" as const, "scope" as const),
    refreshes: fc.boolean(),
  })
  .map(({ of, one, wasHidden, hidden, scope, byHand, change, refreshes }): HistoryStep[] => {
    const by = (index: number, isHidden: boolean): HistoryStep => ({
      do: "foreign",
      act: { act: "set", on: 0, name: one, value: hiddenValue(index, false), hidden: isHidden, services: [] },
    });
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
      { do: "run", run: refreshes ? "upRefresh" : "up", troubles: [] },
    ];
  });

/**
 * Others let other services see a hidden variable, once or twice, and give it a value with the same mask or leave it as it is. A
 * refresh looks each time. Then the program takes the scope over, or does not.
 */
export const rescoped = fc
  .record({
    of: fc.constantFrom("s" as const, "t" as const),
    name,
    index: fc.integer({ min: 2, max: 4 }),
    changes: fc.array(fc.record({ services, isEdited: fc.boolean() }), {
      minLength: 1,
      maxLength: 2,
      size: "max",
    }),
    takesOver: fc.boolean(),
  })
  .map(({ of, name: one, index, changes, takesOver }): HistoryStep[] => {
    const others = changes.flatMap(({ services: scope, isEdited }): HistoryStep[] => [
      !isEdited
        ? { do: "foreign", act: { act: "scope", on: 0, name: one, services: scope } }
        : {
            do: "foreign",
            act: { act: "set", on: 0, name: one, value: hiddenValue(index, true), hidden: true, services: scope },
          },
      refresh,
    ]);
    const last = changes.at(-1)?.services ?? [];
    const hidden = true;
    return [
      { do: "edit", change: { edit: "declare", in: of, name: one, value: declaredValue(hidden, index), hidden } },
      { do: "run", run: "up", troubles: [] },
      ...others,
      ...(takesOver
        ? [{ do: "edit", change: { edit: "scope", of, name: one, services: last } } satisfies HistoryStep]
        : []),
      { do: "run", run: "up", troubles: [] },
    ];
  });

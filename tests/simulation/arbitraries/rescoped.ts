import * as fc from "fast-check";
import type { HistoryStep } from "../history";
import { declaredValue } from "./edits";
import { hiddenValue } from "./foreign";
import { name, services } from "./pieces";

const refresh: HistoryStep = { do: "run", run: "refresh", troubles: [] };

/**
 * Others let other services see a hidden variable, once or twice, and give it a value with the same mask or leave it as it is. A
 * refresh looks each time; then the program takes the scope over, or does not.
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

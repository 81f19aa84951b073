import * as fc from "fast-check";
import { EXISTING } from "../../../provider/src/env-vars/placeholder";
import type { HistoryStep } from "../history";
import type { Edit } from "../program/edits";
import { declaredValue } from "./edits";
import { hiddenValue } from "./foreign";
import { name, number, services } from "./pieces";

const plainUp: HistoryStep = { do: "run", run: "up", troubles: [] };

function edit(change: Edit): HistoryStep {
  return { do: "edit", change };
}

/** A value that others have made, and that the program leaves to the service; then one of them changes something. */
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

import * as fc from "fast-check";
import type { HistoryStep } from "../history";
import type { Edit } from "../program/edits";
import { declaredValue, few, name, owner } from "./edits";
import { hiddenValue } from "./foreign";
import { edit, editStep, plainUp, run, upRefresh } from "./steps";

/** A program also looks at all that an environment has. Something leaves the program beside that, or is declared that others have. */
export const getting = fc
  .record({
    given: fc.constantFrom("nothing" as const, "state" as const),
    isFirst: fc.boolean(),
    of: owner,
    to: owner,
    one: name,
    hidden: fc.boolean(),
    refreshes: fc.boolean(),
    change: fc.constantFrom("drop" as const, "give" as const, "remove" as const, "take" as const, "stop" as const),
    edits: few(editStep, 1),
    next: fc.constantFrom(plainUp, upRefresh),
    last: fc.oneof(fc.constantFrom(plainUp, upRefresh), run),
  })
  .map(({ given, isFirst, of, to, one, hidden, refreshes, change, edits, next, last }): HistoryStep[] => {
    const gets = edit({ edit: "gets", given });
    const declare: Edit = { edit: "declare", in: of, name: one, value: declaredValue(hidden, 2), hidden };
    const foreign: HistoryStep = {
      do: "foreign",
      act: { act: "set", on: 0, name: one, value: hiddenValue(3, false), hidden, services: [] },
    };
    const changes: Readonly<Record<typeof change, readonly HistoryStep[]>> = {
      drop: [edit({ edit: "drop", name: one })],
      give: [edit({ edit: "give", name: one, to })],
      remove: of === "single" ? [edit({ edit: "drop", name: one })] : [edit({ edit: "remove", of })],
      take: [],
      stop: [edit({ edit: "gets", given: undefined })],
    };
    return [
      ...(isFirst ? [gets] : []),
      ...(change === "take" ? [edit({ edit: "drop", name: one }), plainUp, foreign, gets] : [edit(declare)]),
      plainUp,
      ...(isFirst ? [] : [gets]),
      ...(refreshes ? [{ do: "run", run: "refresh", troubles: [] } as const] : []),
      ...(change === "take" ? [edit(declare)] : changes[change]),
      ...edits,
      next,
      last,
    ];
  });

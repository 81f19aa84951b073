import * as fc from "fast-check";
import type { HistoryStep } from "../history";
import type { Trouble } from "../trouble";
import { weighted } from "./edits";
import { fault, trouble } from "./troubles";

export const plainUp = { do: "run", run: "up", troubles: [] } as const satisfies HistoryStep;
export const refresh = { do: "run", run: "refresh", troubles: [] } as const satisfies HistoryStep;
export const destroy = { do: "run", run: "destroy", troubles: [] } as const satisfies HistoryStep;
/** Each step is over before the next resource is checked. */
export const inTurn = { ...plainUp, inTurn: true } as const satisfies HistoryStep;
export const upRefresh = { do: "run", run: "upRefresh", troubles: [] } as const satisfies HistoryStep;

/** An up in trouble. */
export function up(met: readonly Trouble[]): HistoryStep {
  return { do: "run", run: "up", troubles: met };
}

/** A build takes longer than the first, and one slow request than both. */
const limitSeconds = fc.constantFrom(undefined, undefined, undefined, 1, 35);
/** More than a request is sent. */
const MAX_ATTEMPTS = 10;
const positions = fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 2 });
const troubles = weighted<Trouble[]>(
  [1, fc.constant([])],
  [2, fc.array(trouble, { minLength: 1, maxLength: 3, size: "max" })],
);
export const run: fc.Arbitrary<HistoryStep> = fc
  .record(
    {
      do: fc.constant("run" as const),
      run: fc.constantFrom("up", "up", "up", "up", "upRefresh", "refresh", "preview", "destroy"),
      targets: positions,
      replace: positions,
      troubles,
      limitSeconds,
      rare: fc.nat({ max: 7 }),
    },
    { requiredKeys: ["do", "run", "troubles", "limitSeconds", "rare"] },
  )
  // Most runs are plain ones.
  .map(({ targets, replace, rare, limitSeconds: seconds, ...others }) => {
    if (others.run !== "up") return others;
    const rest = { ...others, limitSeconds: seconds };
    if (rare === 0 && targets !== undefined) return { ...rest, targets };
    return rare === 1 && replace !== undefined ? { ...rest, replace } : rest;
  });

/** A run, or one of the two that most users do. */
export const anyRun = fc.oneof(fc.constantFrom(plainUp, upRefresh), run);

/** An up in which one of the first writes fails, once or for good. Of one failure the provider can know what came. */
export const faultyUp: fc.Arbitrary<HistoryStep> = fc
  .record({ isRefreshed: fc.boolean(), at: fc.nat({ max: 2 }), isFinal: fc.boolean(), what: fault, limitSeconds })
  .map(({ isRefreshed, at, isFinal, what, limitSeconds: seconds }) => ({
    do: "run",
    run: isRefreshed ? "upRefresh" : "up",
    limitSeconds: seconds,
    troubles: [{ at, writes: true, ...(isFinal && { times: MAX_ATTEMPTS }), what }],
  }));

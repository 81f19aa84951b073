import type * as fc from "fast-check";
import type { HistoryStep } from "../history";
import { deletingFirst, failingProgram, fleet, importing, leftOut, protecting, valueless } from "./commands";
import { lacking } from "./previews";
import { clockBack, lostDeeds, puttingBack, unordered } from "./builds";
import { killedWrite, secondWriter, unrouted } from "./writers";

/** How often a kind of danger is in a history: 0 leaves it out. */
export const weights = {
  secondWriter: 2,
  killedWrite: 1,
  unrouted: 1,
  deletingFirst: 1,
  fleet: 1,
  leftOut: 1,
  failingProgram: 1,
  valueless: 1,
  lacking: 1,
  importing: 1,
  protecting: 1,
  puttingBack: 1,
  clockBack: 1,
  unordered: 1,
  lostDeeds: 1,
  /** Of 20 histories: programs in other languages than TypeScript. */
  otherLanguages: 6,
};

/** Dangers that come from the program, from what the engine can do, and from others beside this stack. */
const scenes: Readonly<Record<Exclude<Kind, "otherLanguages">, fc.Arbitrary<HistoryStep[]>>> = {
  secondWriter,
  killedWrite,
  unrouted,
  deletingFirst,
  fleet,
  leftOut,
  failingProgram,
  valueless,
  lacking,
  importing,
  protecting,
  puttingBack,
  clockBack,
  unordered,
  lostDeeds,
};

/** A kind of danger. */
export type Kind = keyof typeof weights;

/** Those that are on. */
export function dangers(): readonly fc.WeightedArbitrary<HistoryStep[]>[] {
  return Object.entries(scenes).flatMap(([kind, arbitrary]) => {
    const weight = isKind(kind) ? weights[kind] : 0;
    return weight > 0 ? [{ weight, arbitrary }] : [];
  });
}

/** Leaves all but one of the kinds out, to see what that one finds. */
export function only(kind: string): void {
  for (const one of Object.keys(weights)) if (isKind(one)) weights[one] = one === kind ? 30 : 0;
}

function isKind(name: string): name is Kind {
  return Object.hasOwn(weights, name);
}

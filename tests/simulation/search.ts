import * as fc from "fast-check";
import { histories } from "./arbitraries/histories";
import type { History } from "./history";
import { play, type Played } from "./play";
import type { Violation } from "./violation";

/** What `npm test` searches, and nothing else: a change that breaks a promise fails, and nothing fails by chance. The nightly run goes on. */
export const budget = { seeds: [1, 2], historiesPerSeed: 120 } as const;

/** With `npm run bugs`: a deliberate bug must be found by then. */
export const budgetForBugs = { seeds: [1, 2, 3, 4, 5, 6, 7, 8], historiesPerSeed: 250 } as const;

export interface Search {
  /** The same seed searches the same histories. */
  readonly seed: number;
  readonly histories: number;
  /** Whether the sources are broken on purpose: then the first counterexample is enough, and what fails in ways that no
   * promise is about does not count. Default false. */
  readonly isBroken?: boolean;
  /** Called after each history, also of those that are tried to make a counterexample smaller. */
  readonly onPlayed?: () => void;
}

/** A history that breaks a promise, as small as it was found to be. */
export interface Counterexample {
  readonly history: History;
  readonly violation: Violation;
  readonly journal: readonly string[];
}

export interface Searched {
  readonly histories: number;
  readonly requests: number;
  readonly counterexample: Counterexample | undefined;
}

/** Plays histories until one breaks a promise, and shrinks that one. */
export async function search(options: Search): Promise<Searched> {
  const { seed, histories: count, isBroken = false, onPlayed } = options;
  let requests = 0;
  const keeps = fc.asyncProperty(histories, async (history) => {
    const played = await play(history).catch((error: unknown) => unlessBroken(isBroken, error));
    requests += played.requests;
    onPlayed?.();
    if (played.violation !== undefined) throw played.violation;
  });
  const details = await fc.check(keeps, { seed, numRuns: count, endOnFailure: isBroken });
  const counterexample = await replayed(details.counterexample?.[0]);
  if (details.failed && counterexample === undefined && details.errorInstance !== null) throw details.errorInstance;
  return { histories: details.numRuns, requests, counterexample };
}

function unlessBroken(isBroken: boolean, error: unknown): Played {
  if (!isBroken) throw error;
  return { journal: [], requests: 0, violation: undefined };
}

async function replayed(history: History | undefined): Promise<Counterexample | undefined> {
  if (history === undefined) return undefined;
  const { violation, journal } = await play(history);
  return violation && { history, violation, journal };
}

import { expect } from "chai";
import type { Runnable } from "mocha";
import { budget, search } from "./search";

/**
 * Lets a test take as long as it takes, on a machine of any speed: its time limit holds for each history. Call what it returns
 * after each history.
 */
export function limitEachHistory(test: Runnable): () => void {
  const limitMs = test.timeout();
  const begin = Date.now();
  // mocha compares its limit with the time of the whole test, too. 0 is no limit.
  return () => {
    if (limitMs > 0) test.timeout(Date.now() - begin + limitMs);
  };
}

/** Declares one test for each seed: no history of it breaks a promise. */
export function searchSeeds(seeds: readonly number[]): void {
  for (const seed of seeds)
    it(`keep every promise: ${budget.historiesPerSeed} of seed ${seed}`, async function () {
      const { counterexample, histories: count } = await search({
        seed,
        histories: budget.historiesPerSeed,
        hosts: budget.hosts,
        onPlayed: limitEachHistory(this.runnable()),
      });
      const text = counterexample && `${counterexample.violation.message}\n${JSON.stringify(counterexample.history)}`;
      expect(text).to.equal(undefined);
      expect(count).to.equal(budget.historiesPerSeed);
    });
}

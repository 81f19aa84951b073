import { expect } from "chai";
import { budget } from "./budget";
import { search, toEntry } from "./search";

/** A machine that does other things as well. */
export const LIMIT_MS = 300_000;

/** Declares one test for each seed: no history of it breaks a promise. */
export function searchSeeds(seeds: readonly number[]): void {
  for (const seed of seeds)
    it(`keep every promise: ${budget.historiesPerSeed} of seed ${seed}`, async () => {
      const { counterexample, histories: count } = await search({
        seed,
        histories: budget.historiesPerSeed,
        hosts: budget.hosts,
      });
      const text = counterexample && `${counterexample.violation.message}\n${toEntry(counterexample)}`;
      expect(text).to.equal(undefined);
      expect(count).to.equal(budget.historiesPerSeed);
    });
}

import { expect } from "chai";
import { budget, search } from "./search";

/** Declares one test for each seed: no history of it breaks a promise. */
export function searchSeeds(seeds: readonly number[]): void {
  for (const seed of seeds)
    it(`keep every promise: ${budget.historiesPerSeed} of seed ${seed}`, async function () {
      // Virtual time tells what never ends. How long it takes is the machine's business.
      this.timeout(0);
      const { counterexample, histories: count } = await search({
        seed,
        histories: budget.historiesPerSeed,
        hosts: budget.hosts,
      });
      const text = counterexample && `${counterexample.violation.message}\n${JSON.stringify(counterexample.history)}`;
      expect(text).to.equal(undefined);
      expect(count).to.equal(budget.historiesPerSeed);
    });
}

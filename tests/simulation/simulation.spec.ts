import * as fc from "fast-check";
import { expect } from "chai";
import type { Runnable } from "mocha";
import { histories } from "./arbitraries/histories";
import { budget, search } from "./search";
import { found } from "./found";
import { play } from "./play";

const REPEATED = 8;

/**
 * Lets a test take as long as it takes, on a machine of any speed: its time limit holds for each history. Call what it returns
 * after each history.
 */
function limitEachHistory(test: Runnable): () => void {
  const limitMs = test.timeout();
  const begin = Date.now();
  // mocha compares its limit with the time of the whole test, too. 0 is no limit.
  return () => {
    if (limitMs > 0) test.timeout(Date.now() - begin + limitMs);
  };
}

describe("simulation: histories", () => {
  it("are the same to the byte when they are played again", async function () {
    const played = limitEachHistory(this.runnable());
    for (const history of fc.sample(histories, { seed: 1, numRuns: REPEATED })) {
      const first = await play(history);
      expect((await play(history)).journal).to.deep.equal(first.journal);
      played();
    }
  });

  for (const { title, history } of found)
    it(`found before: ${title}`, async () => {
      const { violation, journal } = await play(history);
      expect(violation?.message, journal.join("\n")).to.equal(undefined);
    });

  for (const seed of budget.seeds)
    it(`keep every promise: ${budget.historiesPerSeed} of seed ${seed}`, async function () {
      const { counterexample, histories: count } = await search({
        seed,
        histories: budget.historiesPerSeed,
        onPlayed: limitEachHistory(this.runnable()),
      });
      const text = counterexample && `${counterexample.violation.message}\n${JSON.stringify(counterexample.history)}`;
      expect(text).to.equal(undefined);
      expect(count).to.equal(budget.historiesPerSeed);
    });
});

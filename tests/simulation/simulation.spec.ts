import * as fc from "fast-check";
import { expect } from "chai";
import { histories } from "./arbitraries/histories";
import { budget } from "./budget";
import { found } from "./found";
import { play } from "./play";
import { search, toEntry } from "./search";

const REPEATED = 20;
/** A machine that does other things as well. */
const LIMIT_MS = 300_000;

describe("simulation: histories", function () {
  this.timeout(LIMIT_MS);

  it("are the same to the byte when they are played again", async () => {
    for (const history of fc.sample(histories(budget.hosts), { seed: 1, numRuns: REPEATED })) {
      const first = await play(history);
      expect((await play(history)).journal).to.deep.equal(first.journal);
    }
  });

  for (const { title, history } of found)
    it(`found before: ${title}`, async () => {
      const { violation, journal } = await play(history);
      expect(violation?.message, journal.join("\n")).to.equal(undefined);
    });

  for (const seed of budget.seeds)
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
});

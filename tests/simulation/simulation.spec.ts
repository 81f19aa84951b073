import * as fc from "fast-check";
import { expect } from "chai";
import { histories } from "./arbitraries";
import { found } from "./found";
import { play } from "./play";
import { search, toEntry } from "./search";

/** CI searches these and no others: a change that breaks a promise fails, and nothing fails by chance. */
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];
const HISTORIES_PER_SEED = 250;
const REPEATED = 20;
/** A machine that does other things as well. */
const LIMIT_MS = 300_000;

describe("simulation: histories", function () {
  this.timeout(LIMIT_MS);

  it("are the same to the byte when they are played again", async () => {
    for (const history of fc.sample(histories(["core", "dynamic"]), { seed: 1, numRuns: REPEATED })) {
      const first = await play(history);
      expect((await play(history)).journal).to.deep.equal(first.journal);
    }
  });

  for (const { title, history } of found)
    it(`found before: ${title}`, async () => {
      const { violation, journal } = await play(history);
      expect(violation?.message, journal.join("\n")).to.equal(undefined);
    });

  for (const seed of SEEDS)
    it(`keep every promise: ${HISTORIES_PER_SEED} of seed ${seed}`, async () => {
      const { counterexample, histories: count } = await search({
        seed,
        histories: HISTORIES_PER_SEED,
        hosts: ["core", "dynamic"],
      });
      const text = counterexample && `${counterexample.violation.message}\n${toEntry(counterexample)}`;
      expect(text).to.equal(undefined);
      expect(count).to.equal(HISTORIES_PER_SEED);
    });
});

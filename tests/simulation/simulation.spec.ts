import * as fc from "fast-check";
import { expect } from "chai";
import { histories } from "./arbitraries/histories";
import { budget } from "./search";
import { found } from "./found";
import { play } from "./play";
import { limitEachHistory, searchSeeds } from "./searched";

const REPEATED = 8;

describe("simulation: histories", () => {
  it("are the same to the byte when they are played again", async function () {
    const played = limitEachHistory(this.runnable());
    for (const history of fc.sample(histories(budget.hosts), { seed: 1, numRuns: REPEATED })) {
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

  searchSeeds(budget.seeds);
});

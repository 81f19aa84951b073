import { budget } from "./budget";
import { LIMIT_MS, searchSeeds } from "./searched";

describe("simulation: more histories", function () {
  this.timeout(LIMIT_MS);
  searchSeeds(budget.moreSeeds);
});

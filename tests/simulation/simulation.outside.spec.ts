import { budget } from "./budget";
import { searchSeeds } from "./searched";

describe("simulation: more histories", () => {
  searchSeeds(budget.moreSeeds);
});

import { budget } from "./search";
import { searchSeeds } from "./searched";

describe("simulation: more histories", () => {
  searchSeeds(budget.moreSeeds);
});

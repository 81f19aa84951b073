import { expect } from "chai";
import { readPlan } from "./plan";

describe("bench: plan", () => {
  it("measures the table of the guide unless asked for more", () => {
    expect(readPlan([])).to.deep.include({
      pairs: 8,
      sizes: [1, 100, 1000],
      latenciesMs: [0],
      contenders: ["floor", "ours", "native"],
    });
  });

  it("has a quick form, whose options can still be set, and one for fleets", () => {
    expect(readPlan(["--quick"])).to.deep.include({ isQuick: true, pairs: 2, contenders: ["floor", "ours"] });
    expect(readPlan(["--quick", "--pairs", "3"])).to.deep.include({ isQuick: true, pairs: 3 });
    expect(readPlan(["--fleet"])).to.deep.include({ isFleet: true, sizes: [30, 120, 400, 1000] });
    expect(readPlan(["--help"])).to.equal(undefined);
  });

  it("names what an option may be", () => {
    expect(() => readPlan(["--program", "x"])).to.throw("--program: one of literal, config, object, mixed");
    expect(() => readPlan(["--contenders", "x"])).to.throw("--contenders: some of floor,");
    expect(() => readPlan(["--pairs", "0"])).to.throw("--pairs must be");
  });
});

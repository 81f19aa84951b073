import { expect } from "chai";
import { readLoadPlan } from "./plan";
import { growthOf } from "../growth";
import type { LoadSample } from "./sample";
import { loadReport, tooLarge } from "./table";
import { loadVariables } from "./variables";

const sample = (size: number, cpuMs: number, mostInRequest = 100): LoadSample => ({
  shape: "set",
  operation: "create",
  size,
  cpuMs,
  mostInRequest,
  wallMs: cpuMs,
  peakBytes: 0,
  requests: 1,
});
const curve = (cost: (size: number) => number) => [10, 1000, 2000, 4000].map((size) => sample(size, cost(size)));

describe("bench: load", () => {
  it("tells a cost that grows with the size from one that grows with its square", () => {
    const [linear] = growthOf(curve((size) => 200 + size / 10));
    expect(linear?.exponent).to.be.closeTo(1, 0.05);
    expect(linear?.steps.map((step) => step.toFixed(2))).to.deep.equal(["0.10", "0.10", "0.10"]);
    const [steep] = growthOf(curve((size) => 200 + size ** 2 / 10_000));
    expect(steep?.exponent).to.be.closeTo(2, 0.05);
    expect(
      loadReport(
        "title",
        curve((size) => 200 + size ** 2 / 10_000),
      ),
    ).to.contain("steeper than linear");
    expect(
      loadReport(
        "title",
        curve((size) => 200 + size / 10),
      ),
    ).not.to.contain("steeper");
  });

  it("says nothing of growth from two sizes", () => {
    expect(growthOf([sample(10, 1), sample(20, 2)])).to.deep.equal([]);
  });

  it("names a request that carries too much", () => {
    expect(tooLarge([sample(10, 1, 100), sample(1000, 1, 101)], 100)).to.deep.equal([
      "set of 1000, create: 101 variables in one PUT",
    ]);
  });

  it("makes as many variables as it is asked for, half of them secret, all other ones in each generation", () => {
    const [one, other] = [loadVariables(5, 0), loadVariables(5, 1)];
    expect([Object.keys(one.variables).length, Object.keys(one.secrets).length]).to.deep.equal([3, 2]);
    expect(Object.keys(other.secrets)).to.deep.equal(Object.keys(one.secrets));
    const values = [one, other].flatMap(({ variables, secrets }) => [variables, secrets].flatMap(Object.values));
    expect(new Set(values).size).to.equal(10);
  });

  it("reads its options", () => {
    expect(readLoadPlan(["--load", "--help"])).to.equal(undefined);
    const plan = readLoadPlan(["--load", "--sets", "10,20", "--singles", "", "--cli"]);
    expect(plan).to.deep.include({ with: "cli", skipCheckpoints: false });
    expect(readLoadPlan(["--load"])).to.deep.include({ with: "handlers" });
    expect([...(plan?.sizes ?? [])]).to.deep.equal([
      ["set", [10, 20]],
      ["singles", []],
    ]);
    for (const sizes of ["20,10", "1", "a", "10,10"])
      expect(() => readLoadPlan(["--load", "--sets", sizes]), sizes).to.throw("--sets");
  });
});

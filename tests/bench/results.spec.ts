import { expect } from "chai";
import type { Contender } from "./contenders";
import { compare, type Sample } from "./results";

function sample(round: number, cpuMs: number, contender: Contender = "ours"): Sample {
  return {
    latencyMs: 0,
    size: 100,
    contender,
    operation: "create",
    round,
    cost: { cpuMs, wallMs: cpuMs * 2, treeBytes: 3, providerBytes: 1 },
    traffic: { counts: { GET: 1 }, mostInFlight: 1, connections: 1 },
    stateBytes: 4,
  };
}

function cpuOf(samples: readonly Sample[]): number | undefined {
  return compare(samples).find(({ operation }) => operation === "create")?.figures.ours?.cpuMs;
}

describe("bench: results", () => {
  it("takes the median of the rounds, or the mean of the two in the middle", () => {
    expect(cpuOf([sample(1, 30), sample(2, 10), sample(3, 20)])).to.equal(20);
    expect(cpuOf([sample(1, 30), sample(2, 10)])).to.equal(20);
    expect(cpuOf([sample(1, 900)])).to.equal(900);
  });

  it("has no figure for what was not measured", () => {
    expect(compare([sample(1, 900)])[0]?.figures.floor).to.equal(undefined);
  });

  it("compares what ran in the same round, so that a busy moment of the machine counts on both sides", () => {
    const floors = [sample(1, 100, "floor"), sample(2, 400, "floor"), sample(3, 100, "floor")];
    const rounds = [sample(1, 110), sample(2, 480), sample(3, 130)];
    const create = compare([...floors, ...rounds]).find(({ operation }) => operation === "create");
    expect(create?.ratios).to.deep.equal({ ours: 1.2 });
    expect(compare(rounds).flatMap(({ ratios }) => Object.keys(ratios))).to.deep.equal([]);
  });
});

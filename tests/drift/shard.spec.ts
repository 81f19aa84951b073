import { expect } from "chai";
import { isInShard } from "../../provider/src/drift/shard";

const COUNT = 5;
const stacks = Array.from({ length: 300 }, (_, index) => `pr-${index}`);
const shardOf = (stack: string, count = COUNT): readonly number[] =>
  Array.from({ length: count }, (_, at) => at + 1).filter((index) => isInShard(stack, { index, count }));

describe("drift: --shard", () => {
  it("puts each stack into exactly one part, and shares 300 stacks evenly", () => {
    for (const count of [1, 2, COUNT, 16]) {
      const parts = stacks.map((stack) => shardOf(stack, count));
      expect(parts.filter(({ length }) => length !== 1)).to.deep.equal([]);
      const sizes = [...Map.groupBy(parts.flat(), (part) => part).values()].map(({ length }) => length);
      expect(sizes).to.have.length(count);
      const fair = stacks.length / count;
      for (const size of sizes) expect(size).to.be.within(fair / 2, fair * 2);
    }
  });

  it("never moves a stack, in this version or a later one", () => {
    const pinned = { dev: 2, prod: 5, "pr-7": 4, "pr-42": 5, größe: 5 };
    expect(Object.fromEntries(Object.keys(pinned).map((stack) => [stack, shardOf(stack)[0]]))).to.deep.equal(pinned);
  });

  it("takes a stack for the same with and without the name of its organization", () => {
    for (const stack of stacks.slice(0, COUNT)) expect(shardOf(`acme/shop/${stack}`)).to.deep.equal(shardOf(stack));
  });
});

import { expect } from "chai";
import { hashesOfStates, readFrozen, states } from "../engine/fixtures/states";
import { resources } from "../../provider/src/resources";

describe("the state that releases wrote", () => {
  it("is frozen: each file is byte for byte what the release wrote, and none is missing", () => {
    expect(hashesOfStates()).to.deep.equal(readFrozen());
  });

  it("is kept for both hosts, of each resource", () => {
    for (const { version, program } of states) {
      expect(Object.keys(readFrozen())).to.include.members([`${version}/dynamic.json`, `${version}/native.json`]);
      const types = new Set<string>(program.resources.map(({ type }) => type));
      expect(resources.map(({ type }) => type).filter((type) => !types.has(type))).to.deep.equal([]);
    }
  });
});

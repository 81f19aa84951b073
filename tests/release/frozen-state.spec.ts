import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { FROZEN, hashesOfStates, readFrozen, states } from "../engine/fixtures/states";
import { resources } from "../../provider/src/resources";

const FIXTURES = dirname(FROZEN);

describe("the state that releases wrote", () => {
  it("is frozen: each file is byte for byte what the release wrote, and none is missing", () => {
    expect(hashesOfStates()).to.deep.equal(readFrozen());
  });

  it("names the plugin of its own version", () => {
    for (const file of Object.keys(readFrozen()).filter((one) => one.endsWith("/native.json"))) {
      const [version = ""] = file.split("/");
      const text = readFileSync(join(FIXTURES, file), "utf8");
      const versions = [...text.matchAll(/::default_(\d+_\d+_\d+)_|"version": "(\d+\.\d+\.\d+)"/gu)];
      expect(versions.length, file).to.be.above(1);
      expect([...new Set(versions.map(([, name, own]) => own ?? name?.replaceAll("_", ".")))]).to.deep.equal([version]);
    }
  });

  it("is kept for both hosts, of each resource", () => {
    for (const { version, program } of states) {
      expect(Object.keys(readFrozen())).to.include.members([`${version}/dynamic.json`, `${version}/native.json`]);
      const types = new Set<string>(program.resources.map(({ type }) => type));
      expect(resources.map(({ type }) => type).filter((type) => !types.has(type))).to.deep.equal([]);
    }
  });
});

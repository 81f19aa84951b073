import { expect } from "chai";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { invariants } from "../simulation/violation";
import { apply, bugs, COUNTS } from "./patches";

const ROOT = resolve(__dirname, "..", "..");

describe("deliberate bugs", () => {
  it("are as many in each part as before", () => {
    const parts = Object.entries(COUNTS).map(([part, count]) => {
      const folders = part.split(" and ");
      return [part, count, bugs.filter(({ folder }) => folders.includes(folder)).length];
    });
    expect(parts.filter(([, wanted, there]) => wanted !== there)).to.deep.equal([]);
  });

  it("the simulation has one at least for every promise", () => {
    const promises = bugs.flatMap(({ promise }) => (promise === undefined ? [] : [promise]));
    expect(new Set(promises)).to.have.all.keys(...Object.keys(invariants));
  });

  for (const bug of bugs)
    it(`${bug.name}: its patch applies`, () => {
      const folder = bug.promise === undefined ? `${bug.folder}/` : "";
      expect(readFileSync(bug.patch, "utf8")).to.contain(`--- a/provider/src/${folder}`);
      expect(apply(ROOT, bug, "--check")).to.equal("");
    });
});

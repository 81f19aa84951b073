import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { invariants } from "../violation";
import { mutations } from "./table";

const SOURCES = join(__dirname, "..", "..", "..", "provider", "src");

describe("simulation: deliberate bugs", () => {
  it("there is one at least for every promise", () => {
    expect(new Set(mutations.map(({ breaks }) => breaks))).to.have.all.keys(...Object.keys(invariants));
  });

  for (const { title, file, from, to } of mutations)
    it(`can still be made: ${title}`, () => {
      expect(readFileSync(join(SOURCES, file), "utf8").split(from)).to.have.lengthOf(2);
      expect(to).not.to.equal(from);
    });
});

import { join } from "node:path";
import { expect } from "chai";
import { invariants } from "../violation";
import { findPlace, readSources } from "./place";
import { mutations } from "./table";

const SOURCES = join(__dirname, "..", "..", "..", "provider", "src");

describe("simulation: deliberate bugs", () => {
  it("there is one at least for every promise", () => {
    expect(new Set(mutations.map(({ breaks }) => breaks))).to.have.all.keys(...Object.keys(invariants));
  });

  describe("can still be made", () => {
    const sources = readSources(SOURCES);

    for (const mutation of mutations)
      it(mutation.title, () => {
        const { source, broken } = findPlace(sources, mutation);
        expect(broken).not.to.equal(source.text);
      });
  });
});

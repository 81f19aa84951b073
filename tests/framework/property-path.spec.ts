import { expect } from "chai";
import * as fc from "fast-check";
import { formatPath, isWithin, parsePath } from "../../provider/src/framework/property-path";

describe("property paths", () => {
  const cases: readonly (readonly [readonly string[], string])[] = [
    [["secrets", "TOKEN"], "secrets.TOKEN"],
    [["variables", "with.dot"], 'variables["with.dot"]'],
    [["variables", 'quo"te'], 'variables["quo\\"te"]'],
    // The engine knows no other escape than that of a quote.
    [["variables", "back\\slash"], 'variables["back\\slash"]'],
    [["branches", "my repo"], 'branches["my repo"]'],
    [["branches", ""], 'branches[""]'],
    [["onConflict"], "onConflict"],
  ];
  for (const [steps, text] of cases)
    it(`are written as the engine reads them: ${text}`, () => expect(formatPath(steps)).to.equal(text));

  it("are read as they are written, whatever the name of a variable", () => {
    const steps = fc.tuple(fc.constantFrom("variables", "secrets"), fc.string({ unit: "grapheme" }));
    fc.assert(
      fc.property(steps, (path) => {
        expect(parsePath(formatPath(path))).to.deep.equal(path);
      }),
    );
  });

  it("are read in every form that programs write in ignoreChanges", () => {
    expect(parsePath('variables["A.B"]')).to.deep.equal(["variables", "A.B"]);
    expect(parsePath("rebuildOn[0]")).to.deep.equal(["rebuildOn", "0"]);
    expect(parsePath("secrets[*]")).to.deep.equal(["secrets", "*"]);
    expect(parsePath("secrets.*")).to.deep.equal(["secrets", "*"]);
  });

  it("lie within a root that is equal, or above them, or above them by a wildcard; no other", () => {
    const path = ["secrets", "TOKEN"];
    expect(isWithin(path, [["secrets"]])).to.equal(true);
    expect(isWithin(path, [["variables"], ["secrets", "TOKEN"]])).to.equal(true);
    expect(isWithin(path, [["secrets", "*"]])).to.equal(true);
    expect(isWithin(path, [["*"]])).to.equal(true);
    expect(isWithin(path, [["secrets", "OTHER"]])).to.equal(false);
    expect(isWithin(["secrets"], [["secrets", "TOKEN"]])).to.equal(false);
    expect(isWithin(path, [])).to.equal(false);
  });
});

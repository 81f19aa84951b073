import { isDeepStrictEqual } from "node:util";
import { expect } from "chai";
import * as fc from "fast-check";
import { diffInputs, diffValue, formatPath, isWithin, parsePath, toDiff } from "../../provider/src/framework/diff";

describe("diffValue", () => {
  it("names entries of maps one by one, and takes lists as a whole", () => {
    expect(diffValue(["m"], { a: 1, b: 2, c: [1] }, { a: 1, b: 3, c: [2], d: 4 })).to.deep.equal([
      { path: ["m", "b"], kind: "update" },
      { path: ["m", "c"], kind: "update" },
      { path: ["m", "d"], kind: "add" },
    ]);
    expect(diffValue(["m"], { a: 1 }, {})).to.deep.equal([{ path: ["m", "a"], kind: "delete" }]);
  });

  it("takes names of Object.prototype for names", () => {
    expect(diffValue(["m"], {}, { constructor: "1", toString: "2" })).to.have.length(2);
    expect(diffValue(["m"], { valueOf: "1" }, {})).to.deep.equal([{ path: ["m", "valueOf"], kind: "delete" }]);
  });

  it("finds nothing between equal values, and something between all others", () => {
    const value = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.array(fc.string())), { noNullPrototype: true });
    fc.assert(fc.property(value, (one) => diffValue(["m"], one, structuredClone(one)).length === 0));
    fc.assert(
      fc.property(value, value, (one, other) => {
        fc.pre(!isDeepStrictEqual(one, other));
        expect(diffValue(["m"], one, other)).not.to.deep.equal([]);
      }),
    );
  });
});

describe("diffInputs", () => {
  it("compares the named properties only, null as not set", () => {
    const changes = diffInputs({ a: 1, out: 5, n: null }, { a: 2, b: null }, ["a", "b", "n"]);
    expect(changes).to.deep.equal([{ path: ["a"], kind: "update" }]);
  });
});

describe("toDiff", () => {
  it("must be reported when the engine passes over every changed name", () => {
    expect(toDiff([{ path: ["variables", "__x"], kind: "add" }], []).mustReport).to.equal(true);
    const both = [
      { path: ["variables", "__x"], kind: "add" },
      { path: ["variables", "y"], kind: "add" },
    ] as const;
    expect(toDiff(both, []).mustReport).to.equal(false);
    expect(toDiff([], []).mustReport).to.equal(false);
  });
});

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

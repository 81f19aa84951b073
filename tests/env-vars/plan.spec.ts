import { expect } from "chai";
import { isTriggered, plan, prunes } from "../../provider/src/env-vars/plan";
import { standIn } from "../../provider/src/env-vars/placeholder";
import {
  isAsDeclared,
  type KnownVariable,
  nameProblem,
  sameScope,
  type Variable,
} from "../../provider/src/env-vars/variable";

const wanted = (name: string, change: Partial<Variable> = {}): Variable => ({
  name,
  value: "v",
  hidden: false,
  services: [],
  ...change,
});
const had = (name: string, change: Partial<KnownVariable> = {}): KnownVariable => ({
  ...wanted(name),
  updatedAt: "t",
  owed: false,
  ...change,
});
const by = (...all: KnownVariable[]): ReadonlyMap<string, KnownVariable> => new Map(all.map((one) => [one.name, one]));
const names = (list: readonly { readonly name: string }[]): readonly string[] => list.map(({ name }) => name);

describe("plan", () => {
  it("sends what is new or different in value, visibility, scope, or owed", () => {
    const steps = plan(
      ["NEW", "VALUE", "HIDDEN", "SCOPE", "OWED", "SAME"].map((name) => wanted(name)),
      by(
        had("VALUE", { value: "w" }),
        had("HIDDEN", { hidden: true }),
        had("SCOPE", { services: ["web"] }),
        had("OWED", { owed: true }),
        had("SAME"),
      ),
      {},
      false,
    );
    expect(names(steps.send)).to.deep.equal(["NEW", "VALUE", "HIDDEN", "SCOPE", "OWED"]);
    expect(names(steps.added)).to.deep.equal(["NEW"]);
    expect(steps.remove).to.deep.equal([]);
  });

  it("sends everything again when triggered, but never a stand-in", () => {
    const hidden = wanted("B", { value: standIn("t", "**") });
    const steps = plan([wanted("A"), hidden], by(had("A"), had("B", { value: hidden.value })), {}, true);
    expect(names(steps.send)).to.deep.equal(["A"]);
    expect(names(steps.blocked)).to.deep.equal(["B"]);
  });

  it("leaves a stand-in alone that is both declared and known", () => {
    const value = standIn("t", "**");
    const steps = plan([wanted("B", { value })], by(had("B", { value })), {}, false);
    expect([...steps.send, ...steps.blocked]).to.deep.equal([]);
  });

  it("removes what is not declared any more; what was merely seen only when pruning, and keep does not match", () => {
    const before = by(had("MINE"), had("SEEN", { updatedAt: undefined }), had("SYSTEM_X", { updatedAt: undefined }));
    expect(plan([], before, {}, false).remove).to.deep.equal(["MINE"]);
    expect(plan([], before, { prune: true }, false).remove).to.deep.equal(["MINE", "SEEN", "SYSTEM_X"]);
    expect(plan([], before, { prune: true, keep: ["SYSTEM_*"] }, false).remove).to.deep.equal(["MINE", "SEEN"]);
    expect(plan([wanted("SEEN")], before, { prune: true, keep: ["SYSTEM_*"] }, false).remove).to.deep.equal(["MINE"]);
  });
});

describe("prunes", () => {
  it("matches whole names by glob, with nothing special in the name", () => {
    const spares = (glob: string, name: string): boolean => !prunes({ prune: true, keep: [glob] }, name);
    for (const [glob, name, isSpared] of [
      ["A*", "ABC", true],
      ["A*", "A", true],
      ["A*", "BA", false],
      ["A*", "A/B", true],
      ["A*", "A\nB", true],
      ["*", ".hidden", true],
      ["A", "a", false],
      ["A.B", "AxB", false],
      ["A?", "AB", true],
      ["A?", "A", false],
      ["A[0-9]", "A7", true],
      ["A[xy]", "Az", false],
      ["{A,B}_*", "B_1", true],
      ["A\\*", "A*", true],
      ["A\\*", "AB", false],
    ] as const)
      expect(spares(glob, name), `${glob} ${JSON.stringify(name)}`).to.equal(isSpared);
    expect(prunes({ prune: true }, "A")).to.equal(true);
    expect(prunes({}, "A")).to.equal(false);
  });
});

describe("isTriggered", () => {
  it("sees any change of the map, and no order", () => {
    expect(isTriggered({ triggers: { a: "1", b: "2" } }, { triggers: { b: "2", a: "1" } })).to.equal(false);
    expect(isTriggered({ triggers: { a: "1" } }, { triggers: { a: "2" } })).to.equal(true);
    expect(isTriggered({ triggers: { a: "1" } }, {})).to.equal(true);
    expect(isTriggered({}, { triggers: { a: "1" } })).to.equal(true);
    expect(isTriggered({}, {})).to.equal(false);
    expect(isTriggered({}, { triggers: {} })).to.equal(false);
  });
});

describe("isAsDeclared", () => {
  it("needs value, visibility and scope, and no debt", () => {
    expect(isAsDeclared(had("A"), wanted("A"))).to.equal(true);
    expect(isAsDeclared(had("A", { owed: true }), wanted("A"))).to.equal(false);
    expect(isAsDeclared(undefined, wanted("A"))).to.equal(false);
  });
});

describe("sameScope", () => {
  it("knows no order and no repetition", () => {
    expect(sameScope(["b", "a", "b"], ["a", "b"])).to.equal(true);
    expect(sameScope([], ["a"])).to.equal(false);
  });
});

describe("nameProblem", () => {
  for (const name of ["", ".", "..", "a\u0000", "a\nb", "a\u007Fb", "\u0085"])
    it(`refuses ${JSON.stringify(name)}`, () => expect(nameProblem(name)).to.be.a("string"));
  for (const name of ["a", "...", "a b", "a/b", "a%2F", "ключ", "🎉", "__proto__", "constructor", "-", "=", "a.b"])
    it(`takes ${JSON.stringify(name)} for data`, () => expect(nameProblem(name)).to.equal(undefined));
});

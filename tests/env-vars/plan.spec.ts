import { expect } from "chai";
import { changesOf, plan, type Reason, type Step, type Target } from "../../provider/src/env-vars/plan";
import { placeholder } from "../../provider/src/env-vars/placeholder";
import {
  kindOf,
  type OwnVariable,
  sameScope,
  type StoredVariable,
  type Variable,
} from "../../provider/src/env-vars/variable";
import { isTriggered, prunes } from "../../provider/src/env-vars/set-target";
import { nameProblem } from "../../provider/src/client/names";

const wanted = (name: string, change: Partial<Variable> = {}): Variable => ({
  name,
  is: kindOf(change.value ?? "v"),
  value: "v",
  hidden: false,
  services: [],
  ...change,
});
const had = (name: string, change: Partial<OwnVariable> = {}): OwnVariable => ({
  ...wanted(name),
  is: kindOf(change.value ?? "v"),
  updatedAt: "t",
  ...change,
});
const seen = (name: string): StoredVariable => ({ ...wanted(name), is: "seen", updatedAt: "" });
const steps = (known: readonly StoredVariable[], target: Target, deleted: readonly string[] = []): readonly Step[] =>
  plan(new Map(known.map((one) => [one.name, one])), target, {
    isDeleted: (name) => deleted.includes(name),
    isOnlyLookedAt: () => false,
  });
const told = (all: readonly Step[]): Record<string, readonly string[]> =>
  Object.fromEntries(all.map(({ name, what, reasons }) => [name, [what, ...reasons]]));
const paths = (all: readonly Step[]): readonly string[] =>
  all.flatMap((step) =>
    changesOf(step, ({ hidden, name }) => [hidden ? "secrets" : "variables", name]).map(
      ({ kind, path }) => `${kind} ${path.join(".")}`,
    ),
  );

describe("plan", () => {
  it("has one step for each name, with every reason", () => {
    const names = ["NEW", "VALUE", "HIDDEN", "SCOPE", "FAILED", "TAKEN", "SAME"];
    const known = [
      had("VALUE", { value: "w" }),
      had("HIDDEN", { hidden: true }),
      had("SCOPE", { services: ["web"] }),
      had("FAILED", { mustWrite: true }),
      had("TAKEN", { value: "w" }),
      had("SAME"),
      had("OLD"),
    ];
    const all = steps(known, { variables: names.map((name) => wanted(name)) }, ["TAKEN"]);
    expect(told(all)).to.deep.equal({
      NEW: ["write", "added"],
      VALUE: ["write", "value"],
      HIDDEN: ["write", "visibility"],
      SCOPE: ["write", "scope"],
      FAILED: ["write", "write failed"],
      TAKEN: ["write", "deleted in this run", "value"],
      SAME: ["keep"],
      OLD: ["delete", "dropped"],
    });
    expect(paths(all)).to.deep.equal([
      "add variables.NEW",
      "update variables.VALUE",
      "delete secrets.HIDDEN",
      "add variables.HIDDEN",
      "update variables.FAILED",
      "update variables.TAKEN",
      "delete variables.OLD",
    ]);
  });

  it("writes everything again when triggered, but never a placeholder", () => {
    const value = placeholder("t", "**");
    const target = { variables: [wanted("A"), wanted("B", { value })], isTriggered: true };
    expect(told(steps([had("A"), had("B", { value })], target))).to.deep.equal({
      A: ["write", "triggered"],
      B: ["blocked", "triggered"],
    });
  });

  it("leaves a placeholder alone that is both declared and known, or that a refresh put into the inputs", () => {
    const value = placeholder("t", "**");
    const target = { variables: [wanted("B", { value, hidden: true })] };
    const secret = had("B", { value: "secret", hidden: true });
    expect(told(steps([had("B", { value, hidden: true })], target))).to.deep.equal({ B: ["keep"] });
    expect(told(steps([{ ...secret, isNewSecret: true }], target))).to.deep.equal({ B: ["keep"] });
    expect(told(steps([secret], target))).to.deep.equal({ B: ["blocked", "value"] });
  });

  it("deletes what somebody else declared only when pruning; declared by the program, it counts as added", () => {
    const known = [had("MINE"), seen("SEEN"), seen("SYSTEM_X")];
    const isPruned = (name: string): boolean => !name.startsWith("SYSTEM_");
    expect(told(steps(known, { variables: [] }))).to.deep.equal({
      MINE: ["delete", "dropped"],
      SEEN: ["keep"],
      SYSTEM_X: ["keep"],
    });
    expect(told(steps(known, { variables: [], isPruned }))["SEEN"]).to.deep.equal(["delete", "pruned"]);
    expect(told(steps(known, { variables: [], isPruned }))["SYSTEM_X"]).to.deep.equal(["keep"]);
    const reason: Reason = "added";
    expect(told(steps(known, { variables: [wanted("SEEN")], isPruned }))["SEEN"]).to.deep.equal(["write", reason]);
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

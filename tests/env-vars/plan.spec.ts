import { expect } from "chai";
import { changesOf, plan, type VariableStep } from "../../provider/src/env-vars/plan";
import { placeholder } from "../../provider/src/env-vars/placeholder";
import { kindOf, type OwnVariable, type StoredVariable, type Variable } from "../../provider/src/env-vars/variable";
import { prunes } from "../../provider/src/env-vars/env-var-set-state";
import { nameProblem } from "../../provider/src/framework/name-rules";

const wanted = (name: string, change: Partial<Variable> = {}): Variable => ({
  name,
  kind: kindOf(change.value ?? "v"),
  value: "v",
  hidden: false,
  services: [],
  ...change,
});
const had = (name: string, change: Partial<OwnVariable> = {}): OwnVariable => ({
  ...wanted(name),
  kind: kindOf(change.value ?? "v"),
  updatedAt: "t",
  ...change,
});
const seen = (name: string): StoredVariable => ({ ...wanted(name), kind: "unmanaged", updatedAt: "" });
const byName = (all: readonly StoredVariable[]) => new Map(all.map((variable) => [variable.name, variable]));
const steps = (stored: readonly StoredVariable[], declared: readonly Variable[], again = false) =>
  plan(
    { stored: byName(stored), declared, isTriggered: again, isImported: false },
    { isDeleted: (name) => name === "TAKEN" },
  );
const told = (all: readonly VariableStep[]): Record<string, readonly string[]> =>
  Object.fromEntries(all.map((step) => [step.name, [step.action, ...(step.declared ? step.reasons : [])]]));
const paths = (all: readonly VariableStep[]): readonly string[] =>
  all.flatMap((step) =>
    changesOf(step, ({ hidden, name }) => [hidden ? "secrets" : "variables", name]).map(
      ({ kind, path }) => `${kind} ${path.join(".")}`,
    ),
  );

describe("plan", () => {
  it("has one step for each name, with every reason", () => {
    const names = ["NEW", "VALUE", "HIDDEN", "SCOPE", "TAKEN", "SAME", "SEEN"];
    const stored = [
      had("VALUE", { value: "w" }),
      had("HIDDEN", { hidden: true }),
      had("SCOPE", { services: ["web"] }),
      had("TAKEN", { value: "w" }),
      had("SAME"),
      had("OLD"),
      seen("SEEN"),
      seen("PRUNED"),
    ];
    const all = steps(
      stored,
      names.map((name) => wanted(name)),
    );
    expect(told(all)).to.deep.equal({
      NEW: ["write", "added"],
      VALUE: ["write", "value"],
      HIDDEN: ["write", "visibility"],
      SCOPE: ["write", "scope"],
      TAKEN: ["write", "deleted in this run", "value"],
      SAME: ["keep"],
      SEEN: ["write", "added"],
      OLD: ["delete"],
      PRUNED: ["delete"],
    });
    expect(paths(all)).to.deep.equal([
      "add variables.NEW",
      "update variables.VALUE",
      "delete secrets.HIDDEN",
      "add variables.HIDDEN",
      "update variables.TAKEN",
      "update variables.SEEN",
      "delete variables.OLD",
      "delete variables.PRUNED",
    ]);
  });

  it("writes everything again when triggered, but never a placeholder", () => {
    const value = placeholder("t", "**");
    const declared = [wanted("A"), wanted("B", { value })];
    expect(told(steps([had("A"), had("B", { value })], declared, true))).to.deep.equal({
      A: ["write", "triggered"],
      B: ["blocked", "triggered"],
    });
  });

  it("leaves a placeholder alone that is both declared and known", () => {
    const value = placeholder("t", "**");
    const declared = [wanted("B", { value, hidden: true })];
    const secret = had("B", { value: "secret", hidden: true });
    expect(told(steps([had("B", { value, hidden: true })], declared))).to.deep.equal({ B: ["keep"] });
    expect(told(steps([secret], declared))).to.deep.equal({ B: ["blocked", "value"] });
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

describe("nameProblem", () => {
  for (const name of ["", ".", "..", "a\u0000", "a\nb", "a\u007Fb", "\u0085"])
    it(`refuses ${JSON.stringify(name)}`, () => expect(nameProblem(name)).to.be.a("string"));
  for (const name of ["a", "...", "a b", "a/b", "a%2F", "ключ", "🎉", "__proto__", "constructor", "-", "=", "a.b"])
    it(`takes ${JSON.stringify(name)} for data`, () => expect(nameProblem(name)).to.equal(undefined));
});

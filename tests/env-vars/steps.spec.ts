import { expect } from "chai";
import { toState } from "../../provider/src/env-vars/env-var-set-state";
import { envVarSet } from "../../provider/src/env-vars/env-var-set";
import { diff } from "../../provider/src/framework/engine-calls";
import { EnvironmentInRun } from "../../provider/src/run/environment-in-run";
import { TestClock } from "../support/test-clock";
import {
  valueKindOf,
  type OwnVariable,
  type StoredVariable,
  type Variable,
} from "../../provider/src/env-vars/variable";
import { prunes } from "../../provider/src/env-vars/env-var-set-state";
import { nameProblem } from "../../provider/src/framework/name-rules";

const ID = "4e1b6b5e-8c1d-4f0e-9d55-0f5d7a3c2b10";

const wanted = (name: string, change: Partial<Variable> = {}): Variable => ({
  name,
  kind: valueKindOf(change.value ?? "v"),
  value: "v",
  hidden: false,
  services: [],
  ...change,
});
const had = (name: string, change: Partial<OwnVariable> = {}): OwnVariable => ({
  ...wanted(name),
  kind: valueKindOf(change.value ?? "v"),
  updatedAt: "t",
  ...change,
});
const seen = (name: string): StoredVariable => ({ ...wanted(name), kind: "unmanaged", updatedAt: "" });
describe("plan", () => {
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

  it("shows in a diff of a set by the name of the variable what its services, scopes and triggers do not show", () => {
    const session = new EnvironmentInRun("e", new TestClock());
    session.names.noteDeleted("TAKEN");
    const run = { environment: () => session, isRefreshed: () => false, noteRefresh: () => undefined };
    const old = toState({ environmentId: ID, prune: true, onConflict: "fail" }, stored, "r");
    const news = {
      environmentId: ID,
      prune: true,
      onConflict: "fail",
      variables: Object.fromEntries(names.map((name) => [name, "v"])),
    };
    const { changes } = diff(envVarSet, old, news, run);
    expect(changes.map(({ kind, path }) => `${kind} ${path.join(".")}`)).to.deep.equal([
      "delete scopes",
      "delete secrets.HIDDEN",
      "add variables.HIDDEN",
      "add variables.NEW",
      "update variables.SEEN",
      "update variables.TAKEN",
      "update variables.VALUE",
      "delete variables.OLD",
      "delete variables.PRUNED",
    ]);
    expect(changes.filter(({ deletedInRun }) => deletedInRun).map(({ path }) => path)).to.deep.equal([
      ["variables", "TAKEN"],
    ]);
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

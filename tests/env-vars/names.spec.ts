import { expect } from "chai";
import { prunes } from "../../provider/src/env-vars/env-var-set-state";
import { nameProblem } from "../../provider/src/framework/name-rules";

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

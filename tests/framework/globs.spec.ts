import { expect } from "chai";
import { globProblem, matchesAny } from "../../provider/src/framework/globs";

describe("a glob", () => {
  for (const [glob, problem] of [
    ["SYS_[A", "`[` without a `]`"],
    ["[]A", "`[` without a `]`"],
    ["[A\\]", "`[` without a `]`"],
    ["[a]_[b", "`[` without a `]`"],
    ["{A,B", "`{` without a `}`"],
    ["{A,{B,C}", "`{` without a `}`"],
    ["{A,B\\}", "`{` without a `}`"],
    ["{A,[}]", "`{` without a `}`"],
    ["}{A", "`{` without a `}`"],
    ["A\\", "cannot end with a single backslash"],
    ["A\\\\\\", "cannot end with a single backslash"],
  ] as const)
    it(`is refused: ${glob}`, () => {
      expect(globProblem(glob)).to.contain(problem);
    });

  for (const [glob, name] of [
    ["SYS_\\[A*", "SYS_[AB"],
    ["\\{A?", "{AB"],
    ["?\\\\", "A\\"],
    ["?]}", "A]}"],
    ["[]_]A", "]A"],
    ["[{]A", "{A"],
    ["{[}],B}", "}"],
    ["{A,{B,C}}_?", "C_1"],
  ] as const)
    it(`is taken, and matches ${name}: ${glob}`, () => {
      expect(globProblem(glob)).to.equal(undefined);
      expect(matchesAny(name, [glob])).to.equal(true);
    });
});

import { expect } from "chai";
import { readArguments } from "../../provider/src/drift/arguments";

describe("drift: command line", () => {
  it("has a default for everything", () => {
    const expected = { cwd: ".", stacks: [], parallel: 4, format: "text", heal: false };
    expect(readArguments([], {})).to.deep.equal(expected);
  });

  it("names stacks, form and files", () => {
    const args =
      "--stack a --stack b --stack a --parallel 2 --format json --output out.json --summary --heal --cwd infra";
    expect(readArguments(args.split(" "), { GITHUB_STEP_SUMMARY: "summary.md" })).to.deep.equal({
      cwd: "infra",
      stacks: ["a", "b"],
      parallel: 2,
      format: "json",
      output: "out.json",
      summary: "summary.md",
      heal: true,
    });
  });

  for (const [args, message] of [
    ["--parallel 0", '--parallel must be a number from 1 to 64, but is "0"'],
    ["--parallel x", "--parallel must be"],
    ["--format xml", '--format must be one of text, markdown, json, but is "xml"'],
    ["--stack=", "--stack must be the name of a stack, but is empty"],
    ["--summary", "--summary needs the environment variable GITHUB_STEP_SUMMARY"],
    ["--stacks a", "Unknown option '--stacks'"],
    ["dev", "Unexpected argument 'dev'"],
  ] as const)
    it(`refuses ${args}`, () => {
      expect(() => readArguments(args.split(" "), {})).to.throw(message);
    });
});

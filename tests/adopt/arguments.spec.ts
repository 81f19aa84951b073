import { expect } from "chai";
import { type AdoptOptions, readArguments } from "../../provider/src/adopt/arguments";
import { USAGE } from "../../provider/src/adopt/usage";
import { given } from "../command/given";
import { ID } from "./support/environments";

const read = (args: readonly string[]): AdoptOptions => {
  const { values, argument } = given(USAGE, args);
  return readArguments(values, argument);
};

describe("adopt: command line", () => {
  it("takes an id, and writes TypeScript to standard output", () => {
    expect(read([ID])).to.deep.equal({ selector: { id: ID }, language: "typescript", force: false });
  });

  it("takes filters, each under the name that the program gives it", () => {
    const args = "--name shop --org acme --repo web --branch main --pull-request 42 --output a --force";
    expect(read(args.split(" "))).to.deep.equal({
      selector: { filters: { name: "shop", orgName: "acme", repoName: "web", branch: "main", pullRequestNumber: 42 } },
      language: "typescript",
      output: "a",
      force: true,
    });
  });

  for (const [args, language] of [
    ["--output Pulumi.yaml", "yaml"],
    ["--output Main.YML", "yaml"],
    ["--output index.ts", "typescript"],
    ["--output index.MTS", "typescript"],
    ["--output shop.dev/index", "typescript"],
    ["--output main.txt --language yaml", "yaml"],
    ["--output Pulumi.yaml --language typescript", "typescript"],
    ["--language yaml", "yaml"],
  ] as const)
    it(`writes ${language} for ${args}`, () => {
      expect(read([ID, ...args.split(" ")]).language).to.equal(language);
    });

  for (const [args, message] of [
    ["", "Give the id of an environment, or filters"],
    [`${ID} ${ID}`, "Too many arguments: give one"],
    [`${ID} --repo web`, "either the id of an environment or filters, not both"],
    [`${ID} --language go`, '--language must be one of typescript, yaml, but is "go"'],
    [
      `${ID} --output main.py`,
      'the program is TypeScript or YAML, and ".py" is for neither. Give --language, or another file',
    ],
    [`${ID} --output Main.java`, 'and ".java" is for neither'],
    ["shop-pr-42", 'The id of an environment must be a UUID, but is "shop-pr-42"'],
    ["--pull-request PR-42", '--pull-request must be a number, but is "PR-42"'],
    ["--repo web --pull-request=", '--pull-request must be a number, but is ""'],
    [`${ID} --token x`, "Unknown option '--token'"],
    ["--repo a --repo b", "Option '--repo <name>' may be given only once"],
  ] as const)
    it(`refuses ${JSON.stringify(args)}`, () => {
      expect(() => read(args.split(" ").filter((word) => word !== ""))).to.throw(message);
    });
});

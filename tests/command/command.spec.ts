import { expect } from "chai";
import manifest from "../../package.json";
import { answerAtOnce, explain, UsageError } from "../../provider/src/command/command";

const HELP = "Usage: ...\n";

describe("commands", () => {
  for (const args of ["--help", "-h", "--stack dev --help", "--unknown --help", "--help --version"])
    it(`give help for ${args}`, () => {
      expect(answerAtOnce(args.split(" "), HELP)).to.equal(HELP);
    });

  it("give the version of the package", () => {
    expect(answerAtOnce(["--version"], HELP)).to.equal(`${manifest.version}\n`);
  });

  for (const args of [[], ["--stack", "dev"], ["--", "--help"]])
    it(`do what else is asked: ${JSON.stringify(args)}`, () => {
      expect(answerAtOnce(args, HELP)).to.equal(undefined);
    });

  it("name --help after a mistake in the command line only, which is one line", () => {
    const parseError = Object.assign(new Error("Unknown option '--x'\nmore"), {
      code: "ERR_PARSE_ARGS_UNKNOWN_OPTION",
    });
    expect(explain(parseError)).to.equal("Unknown option '--x' (see --help)");
    expect(explain(new UsageError("--x is wrong"))).to.equal("--x is wrong (see --help)");
    expect(explain(new Error("two\nlines"))).to.equal("two\nlines");
    expect(explain("text")).to.equal("text");
  });
});

import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect } from "chai";
import manifest from "../../package.json";

const MAIN = join(__dirname, "..", "..", "dist", "provider", "src", "main.js");
/** Stands for a token that somebody wrote at the wrong place. */
const TOKEN = "t0ken-4711";

describe("the command of the package", () => {
  const run = (...args: readonly string[]): SpawnSyncReturns<string> =>
    spawnSync(process.execPath, [MAIN, ...args], { encoding: "utf8" });

  for (const args of ["drift --help", "drift -h", "help drift", "drift --stack dev --help", "drift --unknown --help"])
    it(`gives help for ${args}`, () => {
      const { status, stdout, stderr } = run(...args.split(" "));
      expect([status, stderr]).to.deep.equal([0, ""]);
      expect(stdout.split("\n", 1)).to.deep.equal(["Usage: npx pulumi-previewenv drift [options]"]);
    });

  it("names its commands with --help, and also, as an error, without any argument", () => {
    const [asked, none] = [run("--help"), run()];
    expect([asked.status, asked.stderr, none.status, none.stdout]).to.deep.equal([0, "", 1, ""]);
    expect(asked.stdout)
      .to.equal(none.stderr)
      .and.match(/ {2}drift .*\n(?:.+\n)+ {2}adopt .*\n(?:.+\n)+ {2}sandbox /u);
  });

  for (const args of ["--version", "drift --version"])
    it(`gives the version of the package for ${args}`, () => {
      const { status, stdout, stderr } = run(...args.split(" "));
      expect([status, stdout, stderr]).to.deep.equal([0, `${manifest.version}\n`, ""]);
    });

  for (const [args, message] of [
    [["dirft"], "Unknown command. Did you mean drift?"],
    [[TOKEN], "Unknown command"],
    [["help", TOKEN], "Usage: "],
    [["--tokn", TOKEN], "Unknown option '--tokn'"],
    [["drift", "--stacks=dev"], "Unknown option '--stacks'"],
    [["drift", "--stacks", "dev"], "Unknown option '--stacks'. Did you mean --stack?"],
    [["drift", `--heal=${TOKEN}`], "Option '--heal' takes no value"],
    [["drift", TOKEN], "Too many arguments: give options only"],
    [["adopt", TOKEN, TOKEN], "Too many arguments: give one"],
    [["sandbox", "--token"], "Option '--token <token>' needs a value"],
    [["sandbox", "--token", "--port", "0"], "Option '--token <token>' needs a value, but another option follows"],
    [["sandbox", `--tokn=${TOKEN}`], "Unknown option '--tokn'"],
    [["sandbox", `--tokn=a'\n(Did you mean ${TOKEN}?)`], "Unknown option '--tokn'"],
    [["sandbox", "--tokn", TOKEN], "Unknown option '--tokn'. Did you mean --token?"],
    [["sandbox", `-t${TOKEN}`], "Unknown option '-t'"],
    [["sandbox", "--port", TOKEN], "--port must be a number from 0 to 65535"],
    [["sandbox", "--build-seconds", "-1"], "--build-seconds must be a number from 0 to 9007199254740991"],
    [["sandbox", "--port", "70000"], "--port must be a number from 0 to 65535"],
    [["sandbox", "--token", ""], "--token must not be empty"],
    [["sandbox", "--token", TOKEN, "--token", TOKEN, "--port", "x"], "Option '--token <token>' may be given only once"],
  ] as const)
    it(`refuses ${JSON.stringify(args)} in one line, which has no token`, () => {
      const { status, stdout, stderr } = run(...args);
      expect([status, stdout]).to.deep.equal([1, ""]);
      expect(stderr).not.to.contain(TOKEN);
      if (message === "Usage: ") expect(stderr).to.contain(message);
      else expect(stderr).to.equal(`${message} (see --help)\n`);
    });
});

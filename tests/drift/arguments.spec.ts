import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { type DriftOptions, readArguments } from "../../provider/src/drift/arguments";
import { isInShard } from "../../provider/src/drift/shard";
import { USAGE } from "../../provider/src/drift/usage";
import { given } from "../command/given";

const FILE = "# known\n\n  dev::vars::LOG_LEVEL  \npr-*::*::state\n";
const SUMMARY = "GITHUB_STEP_SUMMARY";
const read = (args: string): DriftOptions => readArguments(given(USAGE, args.split(" ").filter(Boolean)).values);

describe("drift: command line", () => {
  const summary = process.env[SUMMARY];

  beforeEach(() => delete process.env[SUMMARY]);

  after(() => {
    if (summary !== undefined) process.env[SUMMARY] = summary;
  });

  it("has a default for everything", () => {
    expect(read("")).to.deep.equal({
      cwd: ".",
      stacks: [],
      parallel: 4,
      ignore: [],
      format: "text",
      outputs: [],
      heal: false,
      allowNoStacks: false,
    });
  });

  it("names stacks, a shard, form and files", () => {
    const args =
      "--stack a --stack b --stack a --shard 2/5 --parallel 2 --format markdown --output json=out.json " +
      "--output markdown=a=b.md --summary --heal --allow-no-stacks --cwd infra";
    process.env[SUMMARY] = "summary.md";
    expect(read(args)).to.deep.equal({
      cwd: "infra",
      stacks: ["a", "b"],
      shard: { index: 2, count: 5 },
      parallel: 2,
      ignore: [],
      format: "markdown",
      outputs: [
        { format: "json", file: "out.json", isAppended: false },
        { format: "markdown", file: "a=b.md", isAppended: false },
        { format: "markdown", file: "summary.md", isAppended: true },
      ],
      heal: true,
      allowNoStacks: true,
    });
  });

  it("collects what is ignored from options and files, without comments and empty lines", () => {
    const folder = mkdtempSync(join(tmpdir(), "previewenv-ignore-"));
    const file = join(folder, "known.txt");
    writeFileSync(file, FILE);
    const { ignore } = read(`--ignore a::b::c --ignore pr-*::*::state --ignore-file ${file}`);
    rmSync(folder, { recursive: true });
    expect(ignore.map(({ text }) => text)).to.deep.equal(["a::b::c", "pr-*::*::state", "dev::vars::LOG_LEVEL"]);
  });

  for (const [args, message] of [
    ["--parallel 0", '--parallel must be a number from 1 to 64, but is "0"'],
    ["--format xml", '--format must be one of text, markdown, json, but is "xml"'],
    ["--output drift.md", '--output must be format=file, such as markdown=drift.md, but is "drift.md"'],
    ["--output markdown=", "--output must be format=file"],
    ["--output md=drift.md", "the format of --output must be one of text, markdown, json"],
    ["--stack=", "--stack must be the name of a stack, but is empty"],
    ["--shard 0/5", '--shard must be i/n, part i of n, such as 2/5, but is "0/5"'],
    ["--shard 6/5", "--shard must be"],
    ["--ignore dev::LOG_LEVEL", '--ignore: "dev::LOG_LEVEL" is not STACK::RESOURCE::NAME'],
    ["--ignore dev::::LOG_LEVEL", "is not STACK::RESOURCE::NAME"],
    ["--ignore !dev::*::*", "cannot begin with `!`"],
    ["--ignore-file gone.txt", "--ignore-file: ENOENT: no such file or directory, open 'gone.txt'"],
    ["--summary", "--summary needs the environment variable GITHUB_STEP_SUMMARY"],
  ] as const)
    it(`refuses ${args}`, () => {
      expect(() => read(args)).to.throw(message);
    });
});

const COUNT = 5;
const stacks = Array.from({ length: 300 }, (_, index) => `pr-${index}`);
const shardOf = (stack: string, count = COUNT): readonly number[] =>
  Array.from({ length: count }, (_, at) => at + 1).filter((index) => isInShard(stack, { index, count }));

describe("drift: --shard", () => {
  it("puts each stack into exactly one part, and shares 300 stacks evenly", () => {
    for (const count of [1, 2, COUNT, 16]) {
      const parts = stacks.map((stack) => shardOf(stack, count));
      expect(parts.filter(({ length }) => length !== 1)).to.deep.equal([]);
      const sizes = [...Map.groupBy(parts.flat(), (part) => part).values()].map(({ length }) => length);
      expect(sizes).to.have.length(count);
      const fair = stacks.length / count;
      for (const size of sizes) expect(size).to.be.within(fair / 2, fair * 2);
    }
  });

  it("never moves a stack, in this version or a later one", () => {
    const pinned = { dev: 2, prod: 5, "pr-7": 4, "pr-42": 5, größe: 5 };
    expect(Object.fromEntries(Object.keys(pinned).map((stack) => [stack, shardOf(stack)[0]]))).to.deep.equal(pinned);
  });

  it("takes a stack for the same with and without the name of its organization", () => {
    for (const stack of stacks.slice(0, COUNT)) expect(shardOf(`acme/shop/${stack}`)).to.deep.equal(shardOf(stack));
  });
});

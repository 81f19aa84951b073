import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { parse } from "yaml";
import * as z from "zod";

const ROOT = join(__dirname, "..", "..");
const FOLDER = join(ROOT, ".github", "workflows");
const LONGEST_MINUTES = 300;
/** What a release runs before anything is published. */
const CHECKS = [
  "npm ci",
  "npm run release:notes",
  "npm test",
  "npm run test:contract",
  "npm run test:outside",
  "npm run check:audit",
];
const Step = z.looseObject({
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
  env: z.record(z.string(), z.unknown()).optional(),
});
const Permissions = z.record(z.string(), z.enum(["read", "write"]));
const Job = z.looseObject({
  permissions: Permissions,
  "timeout-minutes": z.number().max(LONGEST_MINUTES),
  steps: z.array(Step),
});
/** A job that is another workflow of this repository. */
const Call = z.looseObject({ permissions: Permissions, uses: z.string(), with: z.object({ languages: z.string() }) });
const Workflow = z.looseObject({
  permissions: z.strictObject({}),
  jobs: z.record(z.string(), z.union([Job, Call])),
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
  const stepsOf = (job: z.output<typeof Job> | z.output<typeof Call>) => ("steps" in job ? Job.parse(job).steps : []);
  const jobsOf = (file: string) => Object.entries(Workflow.parse(parse(read(file))).jobs);
  const jobs = files.flatMap((file) => jobsOf(file).map(([name, job]) => ({ title: `${file} ${name}`, job })));
  const steps = jobs.flatMap(({ title, job }) => stepsOf(job).map((step) => ({ title, step })));

  it("of a release run every check", () => {
    const commands = jobsOf("release.yml").flatMap(([, job]) => stepsOf(job).flatMap(({ run }) => run ?? []));
    expect(commands).to.include.members(CHECKS);
  });

  it("grant nothing by default, and to each job only what it needs", () => {
    const granted = jobs.map(({ title, job }) => {
      const writes = Object.entries(job.permissions).filter(([, access]) => access === "write");
      return [title, writes.map(([scope]) => scope)] as const;
    });
    expect(Object.fromEntries(granted.filter(([, scopes]) => scopes.length > 0))).to.deep.equal(WRITES);
  });

  it("give a secret to the one step that needs it, and no step shows its environment", () => {
    const withSecret = steps.filter(({ step }) => /secrets\./u.test(JSON.stringify(step)));
    expect(withSecret.map(({ title }) => title)).to.deep.equal(["release.yml maven"]);
    for (const { step } of withSecret) expect(JSON.stringify({ ...step, env: {} })).to.not.contain("secrets.");
    expect(steps.filter(({ step }) => /\bset -x\b|\bprintenv\b|\benv$|--verbose/mu.test(step.run ?? ""))).to.deep.equal(
      [],
    );
  });
});

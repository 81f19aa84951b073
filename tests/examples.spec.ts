import { existsSync, readdirSync, readFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, delimiter } from "node:path";
import { expect } from "chai";
import * as z from "zod";
import manifest from "../package.json";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { parse } from "yaml";
import { cacheFolder } from "../provider/src/installation/cache-folder";
import { identity } from "../tools/release/owner";
import { actionEnvironment, readAction } from "./support/action";

const EXAMPLES = join(__dirname, "..", "examples");
const Program = z.object({
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
});

// That they run where they are copied to is what `npm run test:outside` shows. It takes the packed project for our own version.
describe("the examples in TypeScript", () => {
  const names = readdirSync(EXAMPLES).filter((name) => existsSync(join(EXAMPLES, name, "index.ts")));

  it("are there", () => expect(names).to.include.members(["quickstart", "pull-request", "component"]));

  for (const name of names)
    it(`${name} declares what it needs: this version of the project, and a TypeScript that Pulumi accepts`, () => {
      const text = readFileSync(join(EXAMPLES, name, "package.json"), "utf8");
      // One set for all of them: then one installation is enough to try them all.
      expect(Program.parse(JSON.parse(text))).to.deep.equal({
        dependencies: {
          "@pulumi/pulumi": "^3.230.0",
          [manifest.name]: `^${manifest.version}`,
          typescript: "^6.0.0",
        },
        devDependencies: { "@types/node": "^22.20.0" },
      });
    });
});

const commands = z.array(z.string()).min(1);

/** A job, as far as GitLab's reference of CI/CD keywords allows it and the examples need it. */
const jobSchema = z.strictObject({
  image: z.string(),
  rules: z.array(z.strictObject({ if: z.string().regex(/^\$CI_[A-Z_]+ == "\w+"$/u) })).min(1),
  resource_group: z.string(),
  timeout: z.string().regex(/^\d+ (?:minutes|hours)$/u),
  allow_failure: z.strictObject({ exit_codes: z.int() }).optional(),
  variables: z.record(z.string().regex(/^[A-Z_]+$/u), z.string()).optional(),
  cache: z
    .strictObject({
      key: z.strictObject({ files: z.array(z.string()).min(1).max(2) }),
      paths: z.array(z.string()).min(1),
    })
    .optional(),
  before_script: commands,
  script: commands,
  artifacts: z
    .strictObject({
      when: z.enum(["on_success", "on_failure", "always"]),
      expose_as: z.string().regex(/^[\w -]{1,100}$/u),
      paths: z.array(z.string()).min(1),
    })
    .optional(),
});

/** The jobs of a pipeline for GitLab, by name. @throws for a key that GitLab does not know */
function jobsOf(pipeline: unknown): Readonly<Record<string, z.output<typeof jobSchema>>> {
  return z.record(z.string(), jobSchema).parse(pipeline);
}

/** A step that looks for drift: the command, or the action of this repository. */
const ofDrift = new RegExp(`pulumi-previewenv drift|^${identity.githubOwner}/${identity.githubRepository}@`, "u");

/** Finds drift: writes the report to the file of `--output json=...report.json`. */
const NPX = `#!/bin/sh
echo "$*"
for word; do case "$word" in json=*.json) file="\${word#json=}";; esac; done
echo '{ "status": "drift", "drifted": 3 }' > "$file"
exit 2
`;

const texts = z.record(z.string(), z.union([z.string(), z.boolean(), z.number()]).transform(String));
const Workflow = z.object({
  jobs: z.record(
    z.string(),
    z.object({
      env: texts,
      steps: z.array(
        z.object({
          uses: z.string().optional(),
          run: z.string().optional(),
          with: texts.optional(),
          env: texts.default({}),
        }),
      ),
    }),
  ),
});

describe("workflows for GitHub Actions in examples/", () => {
  const files = readdirSync(EXAMPLES, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".yml") && !file.includes("gitlab") && !file.includes("node_modules"),
  );

  it("are there: for one pull request and for all, for drift, for drift in many stacks", () => {
    expect(files.toSorted()).to.deep.equal([
      join("every-pull-request", "previews.yml"),
      join("pull-request", "drift.yml"),
      join("pull-request", "preview.yml"),
      join("scale", "shards.yml"),
    ]);
  });

  for (const file of files)
    it(`${file} keeps between runs what Node.js has compiled, in the folder that is used`, () => {
      const { jobs } = Workflow.parse(parse(readFileSync(join(EXAMPLES, file), "utf8")));
      for (const { env, steps } of Object.values(jobs)) {
        const kept = steps.find(({ uses = "" }) => uses.startsWith("actions/cache@"))?.with?.["path"];
        const runsDrift = steps.some((step) => ofDrift.test(`${step.uses} ${step.run}`));
        const chosen = env["NODE_COMPILE_CACHE"]?.replace("${{ github.workspace }}/", "");
        // The drift tool chooses its own.
        const own = cacheFolder({ HOME: "~" }, "linux");
        expect(kept)
          .to.equal(chosen ?? (runsDrift ? join(own, "compiled") : undefined))
          .and.not.to.equal(undefined);
      }
    });

  it("pull-request has one set of environment variables: heal runs the same program as a push", () => {
    const [preview, drift] = ["preview.yml", "drift.yml"].map((file) => {
      const { jobs } = Workflow.parse(parse(readFileSync(join(EXAMPLES, "pull-request", file), "utf8")));
      return Object.values(jobs).map(({ env }) => env);
    });
    expect(drift).to.deep.equal(preview);
  });

  it("pull-request gives preview.sh every variable that its page exports for a run without CI", () => {
    const folder = join(EXAMPLES, "pull-request");
    const { jobs } = Workflow.parse(parse(readFileSync(join(folder, "preview.yml"), "utf8")));
    const exported =
      readFileSync(join(folder, "README.md"), "utf8")
        .match(/^export .+$/gmu)
        ?.join(" ") ?? "";
    const needed = Array.from(exported.matchAll(/ ([A-Z_]+)=/gu), ([, name]) => name);
    expect(needed).to.include.members(["PULL_REQUEST", "BRANCH", "PREVIEWENV_API_TOKEN"]);
    const ups = Object.values(jobs).flatMap(({ env, steps }) =>
      steps.filter(({ run }) => run === "./preview.sh up").map((step) => Object.keys({ ...env, ...step.env })),
    );
    expect(ups).to.have.lengthOf(1);
    expect(ups[0]).to.include.members(needed);
  });

  it("action.yml takes every input from the environment", () => {
    const action = readAction();
    expect(Object.keys(actionEnvironment({}))).to.have.lengthOf(Object.keys(action.inputs).length);
    expect(action.runs.steps[0].run).to.not.contain("${{");
  });

  describe("action.yml, run in folders as on Windows, and worse", () => {
    let folder: string;
    beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "previewenv-action-"))));
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    /** Runs its script with another program instead of npx. */
    const play = (npx: string, given: Readonly<Record<string, string>> = {}) => {
      const place = (name: string): string => join(folder, `${name}\\n 'it's" $x`);
      for (const name of ["own", "temp", "project"]) mkdirSync(place(name));
      writeFileSync(join(place("own"), "package.json"), JSON.stringify({ version: "9.8.7" }));
      writeFileSync(join(folder, "npx"), npx, { mode: 0o755 });
      const env = {
        ...actionEnvironment({ folder: place("project"), ...given }),
        PATH: [folder, process.env["PATH"]].join(delimiter),
        GITHUB_ACTION_PATH: place("own"),
        RUNNER_TEMP: place("temp"),
        GITHUB_OUTPUT: join(folder, "outputs"),
      };
      const { run } = readAction().runs.steps[0];
      const { status, stdout } = spawnSync("bash", ["-eo", "pipefail", "-c", run], { env, encoding: "utf8" });
      return { status, stdout, outputs: readFileSync(env.GITHUB_OUTPUT, "utf8") };
    };

    it("finds its report and its version: no path stands in the text of a program", () => {
      expect(readAction().runs.steps[0].run.match(/require\([^\s)]+/gu)).to.deep.equal([
        "require(process.env.GITHUB_ACTION_PATH",
        "require(process.env.REPORT",
      ]);
      const { status, stdout, outputs } = play(NPX);
      expect(status).to.equal(2);
      expect(stdout).to.contain(`--yes ${identity.npmPackage}@9.8.7 drift --summary`);
      expect(outputs).to.match(/^status=drift\ndrifted=3\nreport=.+\njson=.+\n$/u);
    });

    it("passes its inputs on, and does not fail on drift when it is told so", () => {
      const { status, stdout } = play(NPX, {
        stacks: "dev pr-*",
        shard: "2/5",
        "allow-no-stacks": "true",
        heal: "true",
        format: "json",
        "fail-on-drift": "false",
      });
      expect(status).to.equal(0);
      expect(stdout)
        .to.contain("--stack dev --stack pr-* --shard 2/5 --allow-no-stacks --heal\n")
        .and.match(/ --output json=[^]+report --output json=/u);
    });

    it("passes entries to ignore on as a file, and says so when the tool ended without a report", () => {
      const shows = `#!/bin/sh\ncat "$6"\nexit 1\n`;
      const { status, stdout, outputs } = play(shows, { ignore: "# known\ndev::vars::*", "fail-on-drift": "false" });
      expect([status, stdout]).to.deep.equal([1, "# known\ndev::vars::*\n"]);
      expect(outputs).to.match(/^status=error\n/u);
    });
  });
});

describe("jobs for GitLab CI in examples/", () => {
  const files = readdirSync(EXAMPLES, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".gitlab-ci.yml") && !file.includes("node_modules"),
  );
  const read = (file: string): string => readFileSync(join(EXAMPLES, file), "utf8");

  it("are there: for all pull requests, for drift", () => {
    expect(files.toSorted()).to.deep.equal([
      join("every-pull-request", "previews.gitlab-ci.yml"),
      join("pull-request", "drift.gitlab-ci.yml"),
    ]);
  });

  for (const file of files)
    it(`${file} has only keys that GitLab knows, a limit, one run at a time, and commands that a shell can parse`, () => {
      for (const { before_script, script } of Object.values(jobsOf(parse(read(file))))) {
        const { status, stderr } = spawnSync("bash", ["-n"], { input: [...before_script, ...script].join("\n") });
        expect(status, String(stderr)).to.equal(0);
      }
    });

  for (const file of files)
    it(`${file} keeps between runs what Node.js has compiled`, () => {
      for (const { variables, cache } of Object.values(jobsOf(parse(read(file)))))
        expect(cache?.paths.map((path) => `$CI_PROJECT_DIR/${path}`)).to.deep.equal([
          variables?.["NODE_COMPILE_CACHE"],
        ]);
    });
});

import { existsSync, readdirSync, readFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, delimiter } from "node:path";
import { expect } from "chai";
import * as z from "zod";
import manifest from "../package.json";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { parse } from "yaml";
import { identity } from "../tools/release/owner";

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

/** A job: the keys that GitLab's reference has and the examples need, and of these what is looked at here. */
const jobSchema = z.strictObject({
  image: z.string(),
  rules: z.array(z.strictObject({ if: z.string() })).min(1),
  resource_group: z.string(),
  timeout: z.string().regex(/^\d+ (?:minutes|hours)$/u),
  allow_failure: z.unknown().optional(),
  variables: z.record(z.string(), z.string()).optional(),
  cache: z.strictObject({ key: z.unknown(), paths: commands }).optional(),
  before_script: commands,
  script: commands,
  artifacts: z.unknown().optional(),
});

/** The jobs of a pipeline for GitLab, by name. @throws for a key that GitLab does not know */
function jobsOf(pipeline: unknown): Readonly<Record<string, z.output<typeof jobSchema>>> {
  return z.record(z.string(), jobSchema).parse(pipeline);
}

/** A step that looks for drift: the command, or the action of this repository. */
const ofDrift = new RegExp(`pulumi-previewenv drift|^${identity.githubOwner}/${identity.githubRepository}@`, "u");

const texts = z.record(z.string(), z.union([z.string(), z.boolean(), z.number()]).transform(String));
const Workflow = z.object({
  on: z.record(z.string(), z.unknown()),
  permissions: z.strictObject({}),
  jobs: z.record(
    z.string(),
    z.object({
      if: z.string().optional(),
      permissions: texts.default({}),
      env: texts.default({}),
      steps: z.array(
        z.object({
          name: z.string().optional(),
          if: z.string().optional(),
          uses: z.string().optional(),
          run: z.string().optional(),
          with: texts.default({}),
          env: texts.default({}),
        }),
      ),
    }),
  ),
});
/** An action by its commit, with the version in a comment. This repository's own by its tag, which is protected. */
const PINNED = new RegExp(
  `uses: (?:\\S+@[\\da-f]{40} # v\\d|${identity.githubOwner}/${identity.githubRepository}@v\\d+\\.\\d+\\.\\d+ )`,
  "u",
);
/** A secret, but for whether there is one. */
const SECRET = /\{\{ secrets\.\w+ \}\}/u;
/** A step with a secret runs Pulumi, or sends the message to a chat. */
const MAY_HAVE_SECRETS =
  /^(?:pulumi |npx pulumi-previewenv |\.\/preview\.sh |node pull-requests|tries=30\nuntil said="\$\(pulumi stack select |\[ -n "\$CHAT_WEBHOOK" \])/u;

describe("workflows for GitHub Actions in examples/", () => {
  const files = readdirSync(EXAMPLES, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".yml") && !file.includes("gitlab") && !file.includes("node_modules"),
  );
  const textOf = (file: string): string => readFileSync(join(EXAMPLES, file), "utf8");
  const read = (file: string): z.output<typeof Workflow> => Workflow.parse(parse(textOf(file)));
  /** Those that run the program of a pull request, for a comment. */
  const diffs = files.filter((file) => file.endsWith("-diff.yml"));

  for (const file of files)
    it(`${file} shows a secret to no step but those that run Pulumi, and says who else can read it`, () => {
      const jobs = Object.values(read(file).jobs);
      expect(jobs.filter(({ env }) => SECRET.test(JSON.stringify(env)))).to.deep.equal([]);
      const withSecret = jobs.flatMap(({ steps }) => steps).filter(({ env }) => SECRET.test(JSON.stringify(env)));
      for (const step of withSecret) {
        if (step.run !== undefined) expect(step.run).to.match(MAY_HAVE_SECRETS);
        else if (step.with["command"] === "preview") expect(step.uses).to.match(/^pulumi\/actions@/u);
        else expect(step.uses).to.match(ofDrift);
        expect(JSON.stringify({ ...step, env: {} })).not.to.contain("secrets.");
      }
      expect(textOf(file)).to.match(/[Ee]verybody who can push a branch|preview\.yml says who can read them/u);
    });

  for (const file of files)
    it(`${file} takes actions by their commit, leaves no credentials in the checkout, and has the program of the default branch unless it only previews`, () => {
      const used = textOf(file).match(/uses: .*$/gmu) ?? [];
      expect(used.filter((line) => !PINNED.test(line))).to.deep.equal([]);
      const { on, jobs } = read(file);
      expect(Object.keys(on).includes("pull_request")).to.equal(diffs.includes(file));
      const checkouts = Object.values(jobs).flatMap(({ steps }) =>
        steps.filter(({ uses = "" }) => uses.startsWith("actions/checkout@")),
      );
      // Without a `ref` it is the default branch: on a schedule, by hand, and for pull_request_target.
      expect(checkouts.map((step) => step.with)).to.deep.equal([{ "persist-credentials": "false" }]);
      expect(textOf(file)).not.to.match(/\bref: |refs\/pull/u);
    });

  for (const file of diffs)
    it(`${file} comments a preview, never for a fork, and changes nothing`, () => {
      const { on, jobs } = read(file);
      expect(Object.keys(on)).to.deep.equal(["pull_request"]);
      const [job, ...more] = Object.values(jobs);
      expect(more).to.deep.equal([]);
      expect(job?.if).to.match(/^github\.event\.pull_request\.head\.repo\.full_name == github\.repository && /u);
      expect(job?.permissions).to.deep.equal({ contents: "read", "pull-requests": "write" });
      const options = job?.steps.at(-1)?.with;
      expect(options).to.include({ command: "preview", refresh: "true", diff: "true", "comment-on-pr": "true" });
      const scripts = job?.steps.map(({ run }) => run).join();
      expect(scripts).not.to.match(/pulumi (?:up|destroy|refresh)|--create|preview\.sh/u);
    });

  /** What a step does in a folder with stand-ins for programs, each a script. */
  const playStep = (
    [file, job, name]: readonly [file: string, job: string, name?: string],
    env: Readonly<Record<string, string>>,
    programs: Readonly<Record<string, string>> = {},
  ) => {
    const step = read(file).jobs[job]?.steps.find((one) => one.name === name);
    expect(step?.run).not.to.contain("${{");
    const cwd = mkdtempSync(join(tmpdir(), "previewenv-step-"));
    try {
      for (const [program, text] of Object.entries(programs))
        writeFileSync(join(cwd, program), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
      writeFileSync(join(cwd, "report.md"), 'drift of `A`\nin "web" <!channel> &amp;\n');
      const ofGithub = { GITHUB_REPOSITORY: "acme/shop", GITHUB_OUTPUT: "output", GITHUB_STEP_SUMMARY: "summary" };
      const PATH = [cwd, process.env["PATH"]].join(delimiter);
      const { status, stdout, stderr } = spawnSync("bash", ["-eo", "pipefail", "-c", step?.run ?? ""], {
        cwd,
        env: { PATH, ...ofGithub, ...env },
        encoding: "utf8",
        timeout: 10_000,
      });
      expect(status, stderr + stdout).to.equal(0);
      return {
        stdout,
        files: Object.fromEntries(readdirSync(cwd).map((one) => [one, readFileSync(join(cwd, one), "utf8")])),
      };
    } finally {
      rmSync(cwd, { recursive: true });
    }
  };

  it("pull-request shows the address at the pull request: a deployment of its commit, until it is closed", () => {
    const preview = join("pull-request", "preview.yml");
    const gh = { gh: 'echo "$*" >> calls; case "$*" in *--jq*) echo 7; esac' };
    const given = { PULL_REQUEST: "42", COMMIT: "c0ffee", URL: "https://shop.example/" };
    expect(playStep([preview, "preview", "deployment"], given, gh).files["calls"]?.split("\n")).to.deep.equal([
      "api repos/acme/shop/deployments -f ref=c0ffee -f environment=pr-42 -F auto_merge=false -F required_contexts[] --jq .id",
      "api repos/acme/shop/deployments/7/statuses -f state=success -f environment_url=https://shop.example/ --silent",
      "",
    ]);
    expect(playStep([preview, "preview", "no deployment"], given, gh).files["calls"]?.split("\n")).to.deep.equal([
      "api repos/acme/shop/deployments?environment=pr-42 --jq .[].id",
      "api repos/acme/shop/deployments/7/statuses -f state=inactive --silent",
      "",
    ]);
  });

  describe("a workflow that may make a stack asks for the passphrase first, because GitHub makes an empty text of a missing secret", () => {
    const makers = files.flatMap((file) =>
      Object.entries(read(file).jobs).flatMap(([job, { steps }]) => {
        const at = steps.findIndex(({ run = "" }) => /--create|preview\.sh up/u.test(run));
        return at < 0
          ? []
          : [{ file, job, before: steps[at - 1]?.name, isMaker: steps[at]?.if, isAsked: steps[at - 1]?.if }];
      }),
    );

    it("right before that step, under the same condition", () => {
      expect(makers.map(({ file }) => file)).to.have.members([
        join("every-pull-request", "previews.yml"),
        join("pull-request", "preview.yml"),
      ]);
      for (const { before, isMaker, isAsked } of makers)
        expect([before, isAsked]).to.deep.equal(["passphrase", isMaker]);
    });

    for (const { file, job } of makers)
      it(`${file} fails without it, unless Pulumi Cloud has the state`, () => {
        const ask = (HAS_PASSPHRASE: string, PULUMI_ACCESS_TOKEN: string) => () =>
          playStep([file, job, "passphrase"], { HAS_PASSPHRASE, PULUMI_ACCESS_TOKEN });
        expect(ask("false", "")).to.throw("::error::The secret PULUMI_CONFIG_PASSPHRASE is missing");
        ask("true", "")();
        ask("false", "pul-1")();
      });
  });

  it("scale sends the settings with both tokens to Pulumi Cloud, and neither is on a command line or in a file", () => {
    const page = readFileSync(join(EXAMPLES, "scale", "README.md"), "utf8");
    const [, script = ""] = /```bash\n(stack=.*?)```/su.exec(page) ?? [];
    const cwd = mkdtempSync(join(tmpdir(), "previewenv-scale-"));
    try {
      const curl = '#!/bin/bash\necho "$*" >> calls\ncat "$3" >> headers\ncat > "$(basename "${@: -1}").json"\n';
      writeFileSync(join(cwd, "curl"), curl, { mode: 0o755 });
      for (const file of ["deployment-settings.json", "drift-schedule.json"])
        writeFileSync(join(cwd, file), readFileSync(join(EXAMPLES, "scale", file)));
      const PATH = [cwd, process.env["PATH"]].join(delimiter);
      const tokens = { PULUMI_ACCESS_TOKEN: "pul-s3cr3t", PREVIEWENV_API_TOKEN: "s3cr3t" };
      const options = { cwd, env: { PATH, ...tokens }, encoding: "utf8", timeout: 10_000 } as const;
      const { status, stderr } = spawnSync("bash", ["-euo", "pipefail", "-c", script], options);
      expect(status, stderr).to.equal(0);
      const textIn = (file: string): string => readFileSync(join(cwd, file), "utf8");
      expect(textIn("headers")).to.equal('header = "Authorization: token pul-s3cr3t"'.repeat(2));
      expect(textIn("settings.json")).to.contain('"secret": "s3cr3t"');
      expect(JSON.parse(textIn("schedules.json"))).to.deep.equal(JSON.parse(textIn("drift-schedule.json")));
      expect(textIn("calls") + textIn("deployment-settings.json")).not.to.contain("s3cr3t");
    } finally {
      rmSync(cwd, { recursive: true });
    }
  });

  describe("pull-request waits for the stack before it previews a change of the program", () => {
    const diff = join("pull-request", "preview-diff.yml");
    const SELECT = "stack select pr-77\n";
    /** The CLI has the stack when it is asked for the time of that number. */
    const wait = (appears: number, error = "error: no stack named 'pr-77' found") => {
      const pulumi = `echo "$*" >> calls; [ "$(wc -l < calls)" -ge ${appears} ] || { echo "${error}" >&2; exit 6; }`;
      return playStep([diff, "preview", "stack"], { PULL_REQUEST: "77", BRANCH: "-x" }, { pulumi, sleep: "" });
    };

    it("goes on when it appears, and not without it", () => {
      const { files: left } = wait(3);
      expect(left["calls"]).to.equal(`${SELECT.repeat(3)}config set -- branch -x\n`);
      expect(left["output"]).to.equal("exists=true\n");
      expect(read(diff).jobs["preview"]?.steps.at(-1)?.if).to.equal("steps.stack.outputs.exists == 'true'");
    });

    it("ends after five minutes, green, and says why: preview.yml is not on the default branch yet", () => {
      const { files: left, stdout } = wait(99);
      expect(left["calls"]).to.equal(SELECT.repeat(30));
      expect(left["output"]).to.equal(undefined);
      expect(left["summary"]).to.match(
        /^Skipped: preview\.yml has not created the stack pr-77\. .*default branch\.\n$/u,
      );
      expect(stdout).to.equal(`::notice title=No preview::${left["summary"]}`);
    });

    it("fails at once with any other error of the CLI", () => {
      const error = "error: PULUMI_ACCESS_TOKEN must be set";
      expect(() => wait(2, error)).to.throw(`${error}\n: expected 1 to equal`);
    });
  });

  const MESSAGE = [join("pull-request", "drift.yml"), "drift", "send a message"] as const;

  it("pull-request sends the report to a chat, and its address stands on no command line", () => {
    const curl = { curl: 'echo "$*" > arguments; cat > config' };
    const given = { REPORT: "report.md", CHAT_WEBHOOK: "https://chat.example/hooks/s3cr3t" };
    const { files: left } = playStep(MESSAGE, given, curl);
    // A branch may have this name, which Slack takes for a mention of everybody unless it is escaped.
    const text = 'drift of `A`\nin "web" &lt;!channel&gt; &amp;amp;\n';
    expect(JSON.parse(left["message.json"] ?? "")).to.deep.equal({ text });
    expect(left["arguments"]).to.equal("-fsS --json @message.json --config -\n");
    expect(left["config"]).to.equal('url = "https://chat.example/hooks/s3cr3t"\n');
  });

  it("pull-request sends nothing without such an address", () => {
    const { files: left } = playStep(MESSAGE, { REPORT: "report.md", CHAT_WEBHOOK: "" }, { curl: "exit 1" });
    expect(Object.keys(left)).to.have.members(["curl", "report.md"]);
  });

  it("every-pull-request lists the addresses in the summary of the run", () => {
    const pulumi = {
      pulumi: `echo '[{ "id": "1", "name": "shop ](x)\\\\n# pr-42", "url": "https://shop.example/a%20b?c=1&d" }, { "name": "b", "url": "https://b.example/> [x](y)" }]'`,
    };
    const { files: left } = playStep([join("every-pull-request", "previews.yml"), "previews", "addresses"], {}, pulumi);
    expect(left["summary"]).to.equal(
      "- shop x pr-42: <https://shop.example/a%20b?c=1&d>\n- b: <https://b.example/%3E%20%5Bx%5D(y)>\n",
    );
  });

  it("pull-request has one set of environment variables: heal runs the same program as a push", () => {
    const stepOf = (file: string, isMeant: RegExp): Readonly<Record<string, string>> => {
      const jobs = Object.values(read(join("pull-request", file)).jobs);
      const found = jobs.flatMap(({ env, steps }) =>
        steps.filter(({ run, uses }) => isMeant.test(`${run} ${uses}`)).map((step) => ({ ...env, ...step.env })),
      );
      expect(found).to.have.lengthOf(1);
      return found[0] ?? {};
    };
    const { PULL_REQUEST: number, BRANCH: branch, ...up } = stepOf("preview.yml", /^\.\/preview\.sh up/u);
    expect([number, branch]).to.deep.equal(["${{ github.event.number }}", "${{ github.head_ref }}"]);
    expect(stepOf("drift.yml", /pulumi-previewenv@/u)).to.deep.equal(up);
    // The clean-up runs no program.
    const { DATABASE_URL: _ofTheProgram, ...down } = up;
    expect(stepOf("preview.yml", /^\.\/preview\.sh down/u)).to.deep.equal({ ...down, PULL_REQUEST: number });
    expect(stepOf("drift.yml", /pull-requests\.mjs/u)).to.deep.equal({ ...down, GITHUB_TOKEN: "${{ github.token }}" });
  });

  for (const [whose, given, reason] of [
    ["somebody of the repository", {}, undefined],
    // Then the error of `up` says which variable is missing.
    ["somebody of the repository, without the secrets", { HAS_SECRETS: "false" }, undefined],
    ["a bot that is given the secrets", { BY_BOT: "true" }, undefined],
    [
      "a bot",
      { BY_BOT: "true", HAS_SECRETS: "false" },
      /^GitHub gives no secrets to runs for this bot\. .*drift\.yml removes\.$/u,
    ],
    ["a fork", { HEAD: "somebody/shop" }, /^the pull request comes from a fork/u],
    ["a fork that is gone", { HEAD: "" }, /^the pull request comes from a fork/u],
    [
      "a fork with a name that is a command",
      { HEAD: "$(touch injected)/`touch injected`" },
      /^the pull request comes from a fork/u,
    ],
  ] as const)
    it(`pull-request for a pull request of ${whose}: ${reason ? "green, and says why there is no preview" : "a preview"}`, () => {
      const pullRequest = { HEAD: "acme/shop", BY_BOT: "false", HAS_SECRETS: "true", ...given };
      const { files: left, stdout } = playStep([join("pull-request", "preview.yml"), "admit"], pullRequest);
      const { output, summary = "", "report.md": _report, ...rest } = left;
      expect(rest).to.deep.equal({});
      const [, said = ""] = /^Skipped: (.*)\n$/u.exec(summary) ?? [];
      if (reason === undefined) expect([output, summary, stdout]).to.deep.equal(["admitted=true\n", "", ""]);
      else {
        const notice = `::notice title=No preview::Skipped: ${said}\n`;
        expect([output, summary, stdout]).to.deep.equal([undefined, `Skipped: ${said}\n`, notice]);
        expect(said).to.match(reason);
      }
    });

  it("pull-request gives preview.sh every variable that its page exports for a run without CI", () => {
    const folder = join(EXAMPLES, "pull-request");
    const { jobs } = read(join("pull-request", "preview.yml"));
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
});

describe("jobs for GitLab CI in examples/", () => {
  const files = readdirSync(EXAMPLES, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".gitlab-ci.yml") && !file.includes("node_modules"),
  );
  const read = (file: string): string => readFileSync(join(EXAMPLES, file), "utf8");

  for (const file of files)
    it(`${file} has only keys that GitLab knows, a limit, one run at a time, and commands that a shell can parse`, () => {
      for (const { before_script, script } of Object.values(jobsOf(parse(read(file))))) {
        const { status, stderr } = spawnSync("bash", ["-n"], { input: [...before_script, ...script].join("\n") });
        expect(status, String(stderr)).to.equal(0);
      }
    });
});

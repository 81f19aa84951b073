import { execFile } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { expect } from "chai";
import { IGNORED } from "../../provider/src/drift/plan";
import { UNLISTED } from "../../provider/src/drift/program";
import { JOB_VARIABLES } from "../support/job-variables";
import { Tunnel } from "../support/listen";
import { type Flavour, IssueTracker } from "./issue-tracker";

const EXAMPLE = join(__dirname, "../../examples/pull-request");
const WORKFLOWS: Readonly<Record<Flavour, string>> = { github: "drift.yml", gitlab: "drift.gitlab-ci.yml" };
const FLAVOURS: readonly Flavour[] = ["github", "gitlab"];

/** What each service sets for its run of this number. */
const ofRun: Readonly<Record<Flavour, (run: string) => Readonly<Record<string, string>>>> = {
  github: (run) => ({
    GITHUB_SERVER_URL: "https://github.example",
    GITHUB_RUN_ID: run,
    GITHUB_WORKFLOW_REF: "acme/infra/.github/workflows/drift.yml@refs/heads/main",
  }),
  gitlab: (run) => ({ CI_JOB_URL: `https://gitlab.example/acme/infra/-/jobs/${run}` }),
};
/** Where runs are shown, and what an issue says about restoring: GitLab's job cannot. */
const TOLD: Readonly<Record<Flavour, readonly [string, string]>> = {
  github: [
    "https://github.example/acme/infra/actions/runs/",
    " To restore it, run [this workflow](https://github.example/acme/infra/actions/workflows/drift.yml) with `heal`.",
  ],
  gitlab: ["https://gitlab.example/acme/infra/-/jobs/", ""],
};

const RULE = "\n\n---\n\n";
const DUE = "Later checks do not report what was not started. Run `pulumi up` in these stacks, then close this issue:";

/** The command of a job, as its workflow has it, and the script's place in the repository. */
function commandOf(flavour: Flavour): { readonly command: string; readonly script: string } {
  const workflow = readFileSync(join(EXAMPLE, WORKFLOWS[flavour]), "utf8");
  const [, command = "", script = ""] =
    /(?:run:|-) ((?:if .+; then )?node (drift-issue\.mjs) .+)$/mu.exec(workflow) ?? [];
  return { command, script };
}

for (const flavour of FLAVOURS)
  describe(`the issue about drift that examples/pull-request keeps, on ${flavour}`, () => {
    let tracker: IssueTracker;
    let env: Readonly<Record<string, string>>;
    let folder: string;

    beforeEach(async () => {
      tracker = new IssueTracker(flavour);
      env = await tracker.start();
      folder = mkdtempSync(join(tmpdir(), "drift-issue-"));
      const script = join(folder, commandOf(flavour).script);
      mkdirSync(dirname(script), { recursive: true });
      copyFileSync(join(EXAMPLE, "drift-issue.mjs"), script);
    });

    afterEach(async () => {
      await tracker.stop();
      rmSync(folder, { recursive: true });
    });

    /** What the script printed after a check that ended like this. */
    const run = async (
      status: string,
      report: string,
      more: Readonly<Record<string, string>> = {},
      drift: readonly object[] = status === "drift" ? [{}] : [],
      builds: readonly object[] = [],
      others: readonly object[] = [],
    ): Promise<string> => {
      writeFileSync(
        join(folder, "drift.json"),
        JSON.stringify({
          version: 1,
          status,
          stacks: [
            { stack: "dev", drift: [], builds: [{ result: "succeeded" }] },
            { stack: "pr-7", drift, builds },
            ...others,
          ],
        }),
      );
      writeFileSync(join(folder, "drift.md"), `${report}\n`);
      const PATH = [dirname(process.execPath), process.env["PATH"]].join(delimiter);
      const outputs = { JSON: "drift.json", REPORT: "drift.md" };
      return new Promise((resolve, reject) => {
        const options = { cwd: folder, env: { PATH, ...outputs, ...env, ...more } };
        execFile("bash", ["-c", commandOf(flavour).command], options, (error, stdout, stderr) =>
          error ? reject(new Error(stderr)) : resolve(stdout.trim()),
        );
      });
    };

    it("is opened on drift, edited when the drift changes, and closed when all is in sync", async () => {
      expect(await run("drift", "LOG_LEVEL changed")).to.equal("Opened issue 1.");
      expect(await run("drift", "LOG_LEVEL changed, PORT deleted")).to.equal("Edited issue 1.");
      expect(tracker.issues[0]).to.include({ text: "LOG_LEVEL changed, PORT deleted", isOpen: true });
      expect(await run("in sync", "1 stack: 1 in sync.")).to.equal("Closed issue 1.");
      expect(tracker.issues).to.deep.equal([
        {
          number: 1,
          title: "Drift of preview environments",
          labels: ["previewenv-drift"],
          text: "LOG_LEVEL changed, PORT deleted",
          isOpen: false,
          comments: ["Everything is in sync again."],
        },
      ]);
      expect(await run("drift", "PORT changed")).to.equal("Opened issue 2.");
    });

    it("links the run that found the drift, and in its last comment that which found none", async () => {
      await run("drift", "LOG_LEVEL changed", ofRun[flavour]("5"));
      const [address, hint] = TOLD[flavour];
      expect(tracker.issues[0]?.text).to.equal(`LOG_LEVEL changed\n\n---\n\nFound by [this run](${address}5).${hint}`);
      expect(await run("drift", "LOG_LEVEL changed", ofRun[flavour]("6"))).to.equal("Issue 1 already says this.");
      await run("healed", "", ofRun[flavour]("7"));
      expect(tracker.issues[0]?.comments).to.deep.equal([
        `Everything is in sync again, as [this run](${address}7) found.`,
      ]);
    });

    it("fails with the status of a refused call, without the token", async () => {
      const token = flavour === "github" ? "GITHUB_TOKEN" : "GITLAB_TOKEN";
      const failure = await run("drift", "one", { [token]: "wrong" }).catch(String);
      expect(failure)
        .to.match(/status 401/u)
        .and.not.contain("wrong");
      // GitHub's jobs have a token. On GitLab, the issue is optional.
      const without = await run("drift", "one", { [token]: "" }).catch(String);
      if (flavour === "github") expect(without).to.contain("GITHUB_TOKEN is missing");
      else expect(without).to.equal("");
    });

    // The rest is the same for both.
    if (flavour === "gitlab") return;

    it("is not touched by the same drift again, nor by an error", async () => {
      await run("drift", "LOG_LEVEL changed");
      tracker.writes.length = 0;
      expect(await run("drift", "LOG_LEVEL changed")).to.equal("Issue 1 already says this.");
      expect(await run("error", "the service cannot be reached")).to.contain("stays as it is");
      expect(tracker.writes).to.deep.equal([]);
    });

    it("tells the drift of other stacks when one ends with an error, and is not closed then", async () => {
      const restored = [{ restored: true }];
      expect(await run("error", "healed, and one error", {}, restored)).to.contain("stays as it is");
      expect(await run("error", "LOG_LEVEL changed, and one error", {}, [{}])).to.equal("Opened issue 1.");
      expect(await run("error", "PORT changed, and one error", {}, [{ restored: false }])).to.equal("Edited issue 1.");
      expect(await run("error", "one error")).to.contain("stays as it is");
      expect(tracker.issues[0]?.isOpen).to.equal(true);
    });

    it("stays open until a person closes it, after a --heal that left what only an up starts, also beside an error", async () => {
      const restored = [{ restored: true }];
      const lasting = `${RULE}${DUE}\n- \`pr-7\``;
      const left = [{ result: "not started" }];
      expect(await run("error", "not started, and one error", {}, restored, left)).to.equal("Opened issue 1.");
      expect(tracker.issues[0]?.text).to.equal(`not started, and one error${lasting}`);
      expect(await run("in sync", "1 stack: 1 in sync.")).to.equal(
        "Issue 1 stays open: run `pulumi up`, then close it.",
      );
      expect(await run("drift", "PORT changed")).to.equal("Edited issue 1.");
      expect(await run("drift", "PORT changed", ofRun[flavour]("5"))).to.equal("Issue 1 already says this.");
      expect(await run("drift", "API changed", ofRun[flavour]("6"))).to.equal("Edited issue 1.");
      const [address, hint] = TOLD[flavour];
      expect(tracker.issues[0]?.text).to.equal(`API changed${RULE}Found by [this run](${address}6).${hint}${lasting}`);
      expect(await run("healed", "", {}, restored)).to.contain("stays open");
      expect(tracker.issues[0]).to.deep.include({ isOpen: true, comments: [] });
    });

    it("does not send to an up that would undo what --ignore keeps, or forget an environment", async () => {
      const left = { result: "not started", reason: "it is due now" };
      const restored = [{ restored: true }];
      for (const [index, reason] of [`${IGNORED}: web`, UNLISTED].entries()) {
        const kept = { result: "not started", reason };
        const title = { DRIFT_ISSUE_TITLE: reason };
        expect(await run("drift", "due", title, restored, [left])).to.equal(`Opened issue ${index + 1}.`);
        // An `up` for the action would request the build, too.
        expect(await run("drift", "left", title, restored, [left, kept])).to.equal(`Edited issue ${index + 1}.`);
        expect(tracker.issues[index]?.text).to.equal("left");
        expect(await run("in sync", "1 stack: 1 in sync.", title)).to.equal(`Closed issue ${index + 1}.`);
      }
      // The ignored resource is a set. The action hangs on another one, which was restored.
      const ignored = [...restored, { restored: false, reason: `${IGNORED}: A` }];
      expect(await run("drift", "set", { DRIFT_ISSUE_TITLE: "set" }, ignored, [left])).to.equal("Opened issue 3.");
      expect(tracker.issues[2]?.text).to.equal("set");
    });

    it("is opened for a build that failed beside an error, and closed once all is in sync: later checks report such a build", async () => {
      expect(await run("error", "failed", {}, [{ restored: true }], [{ result: "failed" }])).to.equal(
        "Opened issue 1.",
      );
      expect(await run("in sync", "1 stack: 1 in sync.")).to.equal("Closed issue 1.");
    });

    it("is not opened while all is in sync", async () => {
      expect(await run("in sync", "1 stack: 1 in sync.")).to.equal("In sync: no issue is open.");
      expect(tracker.writes).to.deep.equal([]);
    });

    it("is one for each title, so that two projects of a repository have their own", async () => {
      await run("drift", "one");
      expect(await run("drift", "other", { DRIFT_ISSUE_TITLE: "Drift of shop" })).to.equal("Opened issue 2.");
      expect(await run("healed", "", { DRIFT_ISSUE_TITLE: "Drift of shop" })).to.equal("Closed issue 2.");
      expect(tracker.issues.map(({ isOpen }) => isOpen)).to.deep.equal([true, false]);
    });

    it("stays within the size of a text that the service takes", async () => {
      await run("drift", "x".repeat(70_000));
      expect(tracker.issues[0]?.text)
        .to.have.length.below(65_536)
        .and.match(/The rest is in the report of the job\.$/u);
      expect(await run("drift", "x".repeat(70_000))).to.equal("Issue 1 already says this.");
    });

    it("names stacks of a large fleet within that size, and says lastingly when it cannot name all", async () => {
      const fleet = (count: number, length: number): readonly object[] =>
        Array.from({ length: count }, (_, index) => ({
          stack: `pr-${index}`.padEnd(length, "x"),
          drift: [],
          builds: [{ result: "not started" }],
        }));
      const report = "a line\n".repeat(8_571);
      expect(await run("drift", report, ofRun.github("5"), [], [], fleet(220, 22))).to.equal("Opened issue 1.");
      expect(tracker.issues[0]?.text).to.match(/\n- `pr-219x+`$/u);
      expect(await run("drift", report, ofRun.github("6"), [], [], fleet(220, 22))).to.contain("already says this");
      expect(await run("drift", report, ofRun.github("7"), [], [], fleet(2_000, 100))).to.equal("Edited issue 1.");
      const others = "- others, for which this list has no room";
      const listed = tracker.issues[0]?.text.split(DUE)[1] ?? "";
      expect(listed).to.match(/\n- `pr-219x+`\n/u);
      expect(listed.split("\n").slice(-1)).to.deep.equal([others]);
      expect(tracker.issues[0]?.text).to.match(/^(?:a line\n){3000}/u);
      expect(await run("drift", report, ofRun.github("8"), [], [], fleet(1, 22))).to.equal(
        "Issue 1 already says this.",
      );
      expect(await run("drift", "one", ofRun.github("9"))).to.equal("Edited issue 1.");
      expect(tracker.issues[0]?.text.split(DUE)[1]).to.equal(listed);
    });

    it("says in the service's own words why it cannot be kept, as where issues are switched off", async () => {
      tracker.refusal = { status: 410, body: { message: "Issues has been disabled in this repository." } };
      expect(await run("drift", "one").catch(String)).to.match(
        /drift-issue: POST .*: status 410, "Issues has been disabled in this repository\."\n/u,
      );
      tracker.refusal = { status: 400, body: { message: { title: ["is too long"] } } };
      expect(await run("drift", "one").catch(String)).to.contain('status 400, {"title":["is too long"]}');
      tracker.refusal = { status: 502, body: [] };
      expect(await run("drift", "one").catch(String)).to.match(/status 502\n/u);
    });

    it("is the same under whatever a job sets for all its programs, and comes through its proxy", async () => {
      await using tunnel = await Tunnel.open();
      const job = { ...JOB_VARIABLES, HTTP_PROXY: `http://${tunnel.address}` };
      expect(await run("drift", "one", job)).to.equal("Opened issue 1.");
      expect(await run("drift", "one")).to.equal("Issue 1 already says this.");
      expect(await run("drift", "one", { http_proxy: tunnel.address })).to.equal("Issue 1 already says this.");
      expect(tunnel.asked).to.have.lengthOf(3);
      const failure = await run("drift", "one", { HTTPS_PROXY: "http://name:pass-of-the-proxy@:x" }).catch(String);
      expect(failure).to.contain("drift-issue: HTTPS_PROXY is not the address of a proxy").and.not.contain("pass-of");
    });
  });

/** Instead of the Pulumi CLI: it notes its arguments, has the stacks of $STACKS, and takes a variable for a flag. */
const PULUMI = `#!/usr/bin/env bash
if [ -n "\${!PULUMI_OPTION_*}" ]; then echo "a flag: \${!PULUMI_OPTION_*}" >&2; exit 1; fi
if [ "$*" = "stack ls --json" ]; then
  if [ -z "$STACKS" ]; then echo "error: place 1: unexpected end of JSON input" >&2; exit 1; fi
  printf '%s' "$STACKS"; exit
fi
printf '%s\\n' "$*" >> "$CALLS"
case "$*" in
"destroy --yes --run-program=false --stack $FAILS") exit 1 ;;
"stack select --create "*) exit ;;
"stack output "*) printf '%s\\n' "$URL" ;;
"stack select "*) case "$STACKS" in *'"'"$3"'"'*) ;; *) echo "error: no stack named '$3' found" >&2; exit 6 ;; esac ;;
esac
`;

// preview.sh with the real CLI: tests/outside/ci-guides.ts.
describe("examples/pull-request/pull-requests.mjs", () => {
  let github: IssueTracker;
  let env: Readonly<Record<string, string>>;
  let folder: string;

  beforeEach(async () => {
    github = new IssueTracker("github");
    env = await github.start();
    folder = mkdtempSync(join(tmpdir(), "pull-requests-"));
    for (const file of ["pull-requests.mjs", "preview.sh"]) cpSync(join(EXAMPLE, file), join(folder, file));
    writeFileSync(join(folder, "pulumi"), PULUMI);
    chmodSync(join(folder, "pulumi"), 0o755);
  });

  afterEach(async () => {
    await github.stop();
    rmSync(folder, { recursive: true });
  });

  /** What it does with stacks: the calls of the CLI, what it prints, and its exit code. */
  const run = async (
    stacks: readonly string[],
    more: Readonly<Record<string, string>> = {},
    program: readonly [string, readonly string[]] = [process.execPath, ["pull-requests.mjs"]],
  ) => {
    const calls = join(folder, "calls");
    writeFileSync(calls, "");
    const PATH = [folder, dirname(process.execPath), process.env["PATH"]].join(delimiter);
    const STACKS = JSON.stringify(stacks.map((name) => ({ name })));
    const options = { cwd: folder, env: { PATH, CALLS: calls, STACKS, FAILS: "", ...env, ...more } };
    return new Promise<{ readonly code: number; readonly text: string; readonly calls: readonly string[] }>(
      (resolve) => {
        execFile(...program, options, (error, stdout, stderr) => {
          const lines = readFileSync(calls, "utf8").split("\n").slice(0, -1);
          // Without what a job lets Node.js say of its connections.
          const text = (stdout + stderr).match(/^(?:pr-|pull-requests: |error: ).*\n/gmu)?.join("") ?? "";
          resolve({ code: error === null ? 0 : 1, text, calls: lines });
        });
      },
    );
  };
  const down = (stack: string): readonly string[] => [
    `stack select ${stack}`,
    `destroy --yes --run-program=false --stack ${stack}`,
    `stack rm --yes ${stack}`,
  ];

  it("removes the stack of a closed one, tells an open one's stack its branch, and looks at no other stack", async () => {
    github.pullRequests.set(1, { state: "closed", branch: "feature/one" });
    github.pullRequests.set(2, { state: "open", branch: "feature/two $(date)" });
    github.pullRequests.set(3, { state: "closed", branch: "feature/three" });
    expect(await run(["dev", "pr-1", "pr-2", "acme/pr-3", "pr-x", "pr-001", "old-pr-1"])).to.deep.include({
      code: 0,
      calls: [...down("pr-1"), "config set --stack pr-2 -- branch feature/two $(date)"],
    });
  });

  it("keeps a stack without GitHub's answer about its own number, goes on, and fails", async () => {
    github.pullRequests.set(2, { state: "closed", branch: "feature/two" });
    github.pullRequests.set(3, { state: "closed", branch: "feature/two", number: 2 });
    const { code, text, calls } = await run(["pr-1", "pr-2", "pr-3"]);
    expect(code).to.equal(1);
    expect(text).to.match(
      /pr-1: GET .*\/pulls\/1: status 404, "Not Found"\. The stack is kept\..*pr-3: .* The stack is kept\./su,
    );
    expect(calls).to.deep.equal(down("pr-2"));
  });

  it("keeps every stack when GitHub refuses the token, and does not print it", async () => {
    github.pullRequests.set(1, { state: "closed", branch: "feature/one" });
    const { code, text, calls } = await run(["pr-1"], { GITHUB_TOKEN: "expired" });
    expect(code).to.equal(1);
    expect(text).to.contain("status 401").and.not.contain("expired");
    expect(calls).to.deep.equal([]);
  });

  it("goes on after a destroy that fails, keeps that stack, and fails", async () => {
    for (const number of [1, 2]) github.pullRequests.set(number, { state: "closed", branch: "feature" });
    const { code, calls } = await run(["pr-1", "pr-2"], { FAILS: "pr-1" });
    expect(code).to.equal(1);
    expect(calls).to.deep.equal([...down("pr-1").slice(0, -1), ...down("pr-2")]);
  });

  it("does the same under whatever a job sets for all its programs, and reaches GitHub through its proxy", async () => {
    github.pullRequests.set(1, { state: "closed", branch: "feature/one" });
    github.pullRequests.set(2, { state: "open", branch: "feature/two" });
    await using tunnel = await Tunnel.open();
    const stacks = ["pr-1", "pr-2", "pr-3"];
    const alone = await run(stacks);
    expect(alone.calls).to.have.lengthOf(4);
    for (const job of [{ ...JOB_VARIABLES, HTTP_PROXY: `http://${tunnel.address}` }, { http_proxy: tunnel.address }]) {
      expect(await run(stacks, job)).to.deep.equal(alone);
      // One connection may serve several requests.
      expect(new Set(tunnel.asked.splice(0))).to.deep.equal(new Set([new URL(env["GITHUB_API_URL"] ?? "").host]));
    }
    const { code, text } = await run(stacks, { HTTPS_PROXY: "http://name:pass-of-the-proxy@:x" });
    expect({ code, text }).to.deep.equal({
      code: 1,
      text: "pull-requests: HTTPS_PROXY is not the address of a proxy\n",
    });
  });

  it("ends with the words of the Pulumi CLI when that cannot list the stacks", async () => {
    expect(await run([], { STACKS: "" })).to.deep.equal({
      code: 1,
      text: "error: place 1: unexpected end of JSON input\npull-requests: Command failed: pulumi stack ls --json\n",
      calls: [],
    });
  });

  describe("and preview.sh, which it calls", () => {
    const preview = (direction: string) => ["bash", ["preview.sh", direction]] as const;
    const HOSTILE = ["$(touch injected)`touch injected`x;touch injected '\"|&<>*?~!\\n", "--help", "-", "@file"];

    for (const branch of HOSTILE)
      it(`takes the branch ${branch} for a name, whoever chose it`, async () => {
        const more = { PULL_REQUEST: "7", BRANCH: branch };
        expect(await run([], more, preview("up"))).to.deep.equal({
          code: 0,
          text: "",
          calls: [
            "stack select --create pr-7",
            `config set --stack pr-7 -- branch ${branch}`,
            "up --yes --refresh --stack pr-7",
            "stack output --stack pr-7 url",
          ],
        });
        expect(readdirSync(folder)).not.to.include("injected");
        github.pullRequests.set(7, { state: "open", branch });
        expect((await run(["pr-7"])).calls).to.deep.equal([`config set --stack pr-7 -- branch ${branch}`]);
      });

    it("takes no other text for the number of a pull request", async () => {
      for (const PULL_REQUEST of ["", "7 --cwd /", "$(touch injected)", "-7"]) {
        const { code, calls } = await run([], { PULL_REQUEST, BRANCH: "main" }, preview("up"));
        expect({ code, calls }).to.deep.equal({ code: 1, calls: [] });
      }
    });

    it("shows the address in the summary, and nothing of it becomes Markdown", async () => {
      const GITHUB_STEP_SUMMARY = join(folder, "summary");
      const more = { PULL_REQUEST: "7", BRANCH: "main", URL: "https://a.example/?b=1> [c](d)", GITHUB_STEP_SUMMARY };
      await run([], more, preview("up"));
      expect(readFileSync(GITHUB_STEP_SUMMARY, "utf8")).to.equal("Deployed to <https://a.example/?b=1c(d)>\n");
    });

    it("makes no stack without a branch", async () => {
      const { code, calls } = await run([], { PULL_REQUEST: "7", BRANCH: "" }, preview("up"));
      expect({ code, calls }).to.deep.equal({ code: 1, calls: [] });
    });

    it("has nothing to do, and needs no secret, when a pull request without a stack is closed", async () => {
      const { code, calls } = await run(["pr-70"], { PULL_REQUEST: "7" }, preview("down"));
      expect({ code, calls }).to.deep.equal({ code: 0, calls: ["stack select pr-7"] });
    });
  });
});

import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { expect } from "chai";
import { JOB_VARIABLES } from "../support/job-variables";
import { Tunnel } from "../support/tunnel";
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

/** The command of a job, as its workflow has it, and the script's place in the repository. */
function commandOf(flavour: Flavour): { readonly command: string; readonly script: string } {
  const workflow = readFileSync(join(EXAMPLE, WORKFLOWS[flavour]), "utf8");
  const [, command = "", script = ""] = /(?:run:|-) (node (drift-issue\.mjs) .+)$/mu.exec(workflow) ?? [];
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
    ): Promise<string> => {
      writeFileSync(join(folder, "drift.json"), JSON.stringify({ version: 1, status }));
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

    it("is not touched by the same drift again, nor by an error", async () => {
      await run("drift", "LOG_LEVEL changed");
      tracker.writes.length = 0;
      expect(await run("drift", "LOG_LEVEL changed")).to.equal("Issue 1 already says this.");
      expect(await run("error", "the service cannot be reached")).to.contain("stays as it is");
      expect(tracker.writes).to.deep.equal([]);
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

    it("fails with the status of a refused call, without the token", async () => {
      const token = flavour === "github" ? "GITHUB_TOKEN" : "GITLAB_TOKEN";
      const failure = await run("drift", "one", { [token]: "wrong" }).catch(String);
      expect(failure)
        .to.match(/status 401/u)
        .and.not.contain("wrong");
      expect(await run("drift", "one", { [token]: "" }).catch(String)).to.contain(`${token} is missing`);
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

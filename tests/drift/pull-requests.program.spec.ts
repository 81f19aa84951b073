import { execFile } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { expect } from "chai";
import { JOB_VARIABLES } from "../support/job-variables";
import { Tunnel } from "../support/tunnel";
import { IssueTracker } from "./issue-tracker";

const EXAMPLE = join(__dirname, "../../examples/pull-request");
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
    expect(await run(["dev", "pr-1", "acme/pr-2", "pr-x", "old-pr-1"])).to.deep.include({
      code: 0,
      calls: [...down("pr-1"), "config set --stack acme/pr-2 -- branch feature/two $(date)"],
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

  it("does nothing without a stack", async () => {
    expect(await run([])).to.deep.equal({ code: 0, text: "", calls: [] });
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
    const HOSTILE = [
      "$(touch injected)",
      "`touch injected`",
      "--help",
      "-",
      "x;touch injected",
      "'\"|&<>*?~!\\n",
      "@file",
    ];

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

    it("has nothing to do, and needs no secret, when a pull request without a stack is closed", async () => {
      const { code, calls } = await run(["pr-70"], { PULL_REQUEST: "7" }, preview("down"));
      expect({ code, calls }).to.deep.equal({ code: 0, calls: ["stack select pr-7"] });
    });
  });
});

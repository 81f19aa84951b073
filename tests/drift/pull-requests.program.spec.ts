import { execFile } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { expect } from "chai";
import { IssueTracker } from "./issue-tracker";

const EXAMPLE = join(__dirname, "../../examples/pull-request");
/** Instead of the Pulumi CLI: it notes its arguments, and has the stacks of $STACKS. */
const PULUMI = `#!/usr/bin/env bash
if [ "$*" = "stack ls --json" ]; then printf '%s' "$STACKS"; exit; fi
echo "$*" >> "$CALLS"
if [ "$*" = "destroy --yes --stack $FAILS" ]; then exit 1; fi
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
  const run = async (stacks: readonly string[], more: Readonly<Record<string, string>> = {}) => {
    const calls = join(folder, "calls");
    writeFileSync(calls, "");
    const PATH = [folder, dirname(process.execPath), process.env["PATH"]].join(delimiter);
    const STACKS = JSON.stringify(stacks.map((name) => ({ name })));
    const options = { env: { PATH, CALLS: calls, STACKS, FAILS: "", ...env, ...more } };
    return new Promise<{ readonly code: number; readonly text: string; readonly calls: readonly string[] }>(
      (resolve) => {
        execFile(process.execPath, [join(folder, "pull-requests.mjs")], options, (error, stdout, stderr) => {
          const lines = readFileSync(calls, "utf8").split("\n").slice(0, -1);
          resolve({ code: error === null ? 0 : 1, text: stdout + stderr, calls: lines });
        });
      },
    );
  };
  const down = (stack: string): readonly string[] => [
    `stack select --create ${stack}`,
    `destroy --yes --stack ${stack}`,
    `stack rm --yes ${stack}`,
  ];

  it("removes the stack of a closed one, tells an open one's stack its branch, and looks at no other stack", async () => {
    github.pullRequests.set(1, { state: "closed", branch: "feature/one" });
    github.pullRequests.set(2, { state: "open", branch: "feature/two $(date)" });
    expect(await run(["dev", "pr-1", "acme/pr-2", "pr-x", "old-pr-1"])).to.deep.include({
      code: 0,
      calls: [...down("pr-1"), "config set --stack acme/pr-2 branch feature/two $(date)"],
    });
  });

  it("keeps a stack without GitHub's answer about its own number, goes on, and fails", async () => {
    github.pullRequests.set(2, { state: "closed", branch: "feature/two" });
    github.pullRequests.set(3, { state: "closed", branch: "feature/two", number: 2 });
    const { code, text, calls } = await run(["pr-1", "pr-2", "pr-3"]);
    expect(code).to.equal(1);
    expect(text).to.match(/pr-1: GET .*\/pulls\/1: status 404\. The stack is kept\..*pr-3: .* The stack is kept\./su);
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
});

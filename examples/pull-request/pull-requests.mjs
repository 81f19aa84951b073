// Asks GitHub for the pull request of each stack pr-N. When GitHub answers that it is closed, the stack is removed: its run at
// the close was missed or failed. When it is open, its branch is written to the stack's config, which `heal` needs.
// Without such an answer the stack stays, and this fails at its end. Other stacks are left alone.
// node pull-requests.mjs
// Needs Node 22 and no package, the environment of preview.sh, GITHUB_REPOSITORY and GITHUB_TOKEN.
import { execFileSync } from "node:child_process";

const { env } = process;
const folder = import.meta.dirname;

function stacks() {
  const listed = execFileSync("pulumi", ["stack", "ls", "--json"], { cwd: folder, encoding: "utf8" });
  return JSON.parse(listed).map(({ name }) => name);
}

/** What GitHub itself says about one pull request. That a list does not have it would prove nothing. */
async function ask(number) {
  const address = `${env.GITHUB_API_URL ?? "https://api.github.com"}/repos/${env.GITHUB_REPOSITORY}/pulls/${number}`;
  const response = await fetch(address, {
    headers: { authorization: `Bearer ${env.GITHUB_TOKEN}`, accept: "application/vnd.github+json" },
    signal: AbortSignal.timeout(30_000),
  });
  if (!response.ok) throw new Error(`GET ${address}: status ${response.status}`);
  const answer = await response.json();
  if (answer.number !== number) throw new Error(`GET ${address}: an answer about something else`);
  return answer;
}

async function bringInLine(stack, number) {
  const { state, head } = await ask(number);
  if (state === "closed") {
    process.stdout.write(`${stack}: pull request ${number} is closed, the stack is removed\n`);
    run("bash", ["preview.sh", "down"], { PULL_REQUEST: String(number) });
  } else if (state === "open") run("pulumi", ["config", "set", "--stack", stack, "branch", head.ref]);
  else throw new Error(`pull request ${number} is neither open nor closed`);
}

function run(command, args, more = {}) {
  execFileSync(command, args, { cwd: folder, env: { ...env, ...more }, stdio: "inherit" });
}

for (const stack of stacks()) {
  const [, number] = /(?:^|\/)pr-(\d+)$/.exec(stack) ?? [];
  if (number === undefined) continue;
  try {
    await bringInLine(stack, Number(number));
  } catch (error) {
    process.stderr.write(`${stack}: ${error.message}. The stack is kept.\n`);
    process.exitCode = 1;
  }
}

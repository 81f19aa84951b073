// Asks GitHub for the pull request of each stack pr-N. If GitHub answers that it is closed, the script removes the stack, because the run at
// the close was missed or failed. If it is open, the script writes its branch into the stack's config, which `heal` needs.
// Without such an answer, the stack stays, and the script fails at its end. It does not touch other stacks.
// node pull-requests.mjs
// It needs Node 22 (behind a proxy, 24.14) and no package, the environment of preview.sh, GITHUB_REPOSITORY and GITHUB_TOKEN.
import { execFileSync } from "node:child_process";
import http from "node:http";

const { env } = process;
const folder = import.meta.dirname;
/** Only the arguments decide what a call does. Variables that stand for options were set for other calls. */
const forPulumi = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("PULUMI_OPTION_")));

function stacks() {
  const options = { cwd: folder, env: forPulumi, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] };
  return JSON.parse(execFileSync("pulumi", ["stack", "ls", "--json"], options)).map(({ name }) => name);
}

/** Lets fetch use the proxy of the job, as the provider does. An address without a scheme means plain http. */
function useProxy() {
  const names = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"].filter((name) => env[name]);
  const whole = names.map((name) => [name, env[name].includes("://") ? env[name] : `http://${env[name]}`]);
  try {
    http.setGlobalProxyFromEnv?.({ ...env, ...Object.fromEntries(whole) });
  } catch {
    // Node's own text shows the address, which may contain a password.
    throw new Error(`${names.join(" or ")} is not the address of a proxy`);
  }
}

/** GitHub's answer about one pull request. A list without it would prove nothing. */
async function ask(number) {
  const address = `${env.GITHUB_API_URL ?? "https://api.github.com"}/repos/${env.GITHUB_REPOSITORY}/pulls/${number}`;
  const response = await fetch(address, {
    headers: { authorization: `Bearer ${env.GITHUB_TOKEN}`, accept: "application/vnd.github+json" },
    signal: AbortSignal.timeout(30_000),
  }).catch((error) => {
    throw new Error(`GET ${address}: ${error.cause?.message ?? error.message}`);
  });
  const answer = await response.json().catch(() => ({}));
  const said = answer.message ? `, ${JSON.stringify(answer.message)}` : "";
  if (!response.ok) throw new Error(`GET ${address}: status ${response.status}${said}`);
  if (answer.number !== number) throw new Error(`GET ${address}: an answer about something else`);
  return answer;
}

async function bringInLine(stack, number) {
  const { state, head } = await ask(number);
  if (state === "closed") {
    process.stdout.write(`${stack}: pull request ${number} is closed, the stack is removed\n`);
    run("bash", ["preview.sh", "down"], { PULL_REQUEST: String(number) });
  } else if (state === "open") run("pulumi", ["config", "set", "--stack", stack, "--", "branch", head.ref]);
  else throw new Error(`pull request ${number} is neither open nor closed`);
}

function run(command, args, more = {}) {
  execFileSync(command, args, { cwd: folder, env: { ...forPulumi, ...more }, stdio: "inherit" });
}

async function bringAllInLine() {
  useProxy();
  for (const stack of stacks()) {
    const [, number] = /^pr-([1-9]\d*)$/.exec(stack) ?? [];
    if (number === undefined) continue;
    try {
      await bringInLine(stack, Number(number));
    } catch (error) {
      process.stderr.write(`${stack}: ${error.message}. The stack is kept.\n`);
      process.exitCode = 1;
    }
  }
}

try {
  await bringAllInLine();
} catch (error) {
  process.stderr.write(`pull-requests: ${error.message}\n`);
  process.exitCode = 1;
}

// Keeps one issue about drift, on GitHub or GitLab. It opens the issue if there is drift, edits it if the drift changes, and closes it if
// everything is in sync. Nobody is notified twice of the same drift, because an edit of an issue's text sends no message.
// An issue that names what only `pulumi up` starts is closed by a person: `drift --heal` reports that once, and later checks do not.
// The issue links to the CI run that found the drift, and to the one that found it gone.
// node drift-issue.mjs drift.json drift.md
// The first file is the report of `drift` as JSON, the second as Markdown. It needs Node 22 (behind a proxy, 24.14) and no package.
import { readFileSync } from "node:fs";
import http from "node:http";

const LABEL = "previewenv-drift";
const { env } = process;
const title = env.DRIFT_ISSUE_TITLE || "Drift of preview environments";
/** GitHub accepts at most 65,536 characters. */
const MAX_TEXT = 65_000;
/** Of these, at most so many are the list of what is due. */
const MAX_LIST = 30_000;
const REST = "\n\nThe rest is in the report of the job.";
/** Between the report, the text about the run, and what is due. No report has such a line. */
const RULE = "\n\n---\n\n";
const RUN = "Found by ";
const DUE = "Later checks do not report what was not started. Run `pulumi up` in these stacks, then close this issue:";
const ITEM = "\n- ";
/** The end of a list that was too long. It stays, because nobody remembers these stacks. */
const OTHERS = "others, for which this list has no room";
/**
 * How a reason begins because of which `pulumi up` is no advice: it would undo what `--ignore` keeps, or take an environment out of state. The
 * report says what to do instead.
 */
const NO_UP = ["an update would also restore what is ignored", "the program does not declare it now"];

/** How each service names its calls. GitLab sets CI_API_V4_URL in every job. */
const serviceOf = () =>
  env.CI_API_V4_URL
    ? {
        issues: `${env.CI_API_V4_URL}/projects/${env.CI_PROJECT_ID}/issues`,
        headers: { "private-token": needed("GITLAB_TOKEN") },
        open: `?state=opened&labels=${LABEL}&per_page=100`,
        edit: "PUT",
        number: (issue) => issue.iid,
        textOf: (issue) => issue.description,
        create: (text) => ({ title, description: text, labels: LABEL }),
        change: (text) => ({ description: text }),
        close: { state_event: "close" },
        comments: "notes",
      }
    : {
        issues: `${env.GITHUB_API_URL ?? "https://api.github.com"}/repos/${needed("GITHUB_REPOSITORY")}/issues`,
        headers: { authorization: `Bearer ${needed("GITHUB_TOKEN")}`, accept: "application/vnd.github+json" },
        open: `?state=open&labels=${LABEL}&per_page=100`,
        edit: "PATCH",
        number: (issue) => issue.number,
        textOf: (issue) => issue.body,
        create: (text) => ({ title, body: text, labels: [LABEL] }),
        change: (text) => ({ body: text }),
        close: { state: "closed", state_reason: "completed" },
        comments: "comments",
      };

function needed(name) {
  const value = env[name];
  if (!value) throw new Error(`the environment variable ${name} is missing`);
  return value;
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

async function call(service, method, path, body) {
  const address = `${service.issues}${path}`;
  const response = await fetch(address, {
    method,
    headers: { ...service.headers, "content-type": "application/json" },
    signal: AbortSignal.timeout(30_000),
    ...(body && { body: JSON.stringify(body) }),
  }).catch((error) => {
    throw new Error(`${method} ${address}: ${error.cause?.message ?? error.message}`);
  });
  if (response.ok) return response.json();
  // Such as "Issues has been disabled in this repository."
  const { message, error = message } = await response.json().catch(() => ({}));
  throw new Error(`${method} ${address}: status ${response.status}${error ? `, ${JSON.stringify(error)}` : ""}`);
}

/** A link to this CI run. Nothing outside CI. */
function runLink() {
  const address = env.CI_JOB_URL ?? (env.GITHUB_RUN_ID && `${pages()}/actions/runs/${env.GITHUB_RUN_ID}`);
  return address && `[this run](${address})`;
}

/** On GitHub, how to restore. GITHUB_WORKFLOW_REF is `acme/shop/.github/workflows/drift.yml@refs/heads/main`. */
function healHint() {
  const [, file] = /\/([^/]+)@/.exec(env.GITHUB_WORKFLOW_REF ?? "") ?? [];
  return file && ` To restore it, run [this workflow](${pages()}/actions/workflows/${file}) with \`heal\`.`;
}

function pages() {
  return `${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}`;
}

/** The text of the issue. The report is as the service returns it, so that equal reports compare equal. @param due the stacks to list */
function textOf(file, due) {
  const report = readFileSync(file, "utf8").trim();
  const run = runLink();
  const others = [run && `${RUN}${run}.${healHint() ?? ""}`, due.length > 0 && listOf(due)].filter(Boolean);
  const space = MAX_TEXT - ["", ...others].join(RULE).length;
  const shown = report.length <= space ? report : report.slice(0, space - REST.length) + REST;
  return [shown, ...others].join(RULE);
}

/** The list of these stacks, or of the first ones. */
function listOf(due) {
  const names = due.filter((name) => name !== OTHERS);
  const list = [DUE, ...names].join(ITEM);
  const shown = list.length <= MAX_LIST ? list : list.slice(0, list.lastIndexOf(ITEM, MAX_LIST));
  return shown === list && names.length === due.length ? list : shown + ITEM + OTHERS;
}

/** What an issue says, apart from the run. */
function findingsIn(text) {
  const parts = (text ?? "").replaceAll("\r\n", "\n").split(RULE);
  return parts.map((part) => part.trim()).filter((part) => !part.startsWith(RUN));
}

/** The stacks that an issue names as due. */
function dueIn(text) {
  const due = findingsIn(text).find((part) => part.startsWith(DUE));
  return due?.split(ITEM).slice(1) ?? [];
}

/** The stacks that have a build or an action with one of these results. */
function withResult(stacks, ...results) {
  return stacks.filter(({ builds }) => builds.some(({ result }) => results.includes(result)));
}

/** Whether `pulumi up` would do harm in a stack. */
function isHarmedByUp({ drift, builds }) {
  return [...drift, ...builds].some(({ reason = "" }) => NO_UP.some((beginning) => reason.startsWith(beginning)));
}

/** The names of some stacks, as an issue lists them. */
function namesOf(stacks) {
  return stacks.map(({ stack }) => `\`${stack}\``);
}

/** Makes the issue match the report. Returns a text that says what was done. */
async function keep(json, markdown) {
  const { status, stacks } = JSON.parse(readFileSync(json, "utf8"));
  // The error is about some stacks, and drift of the others is still told. Without any, it is not known whether there is drift.
  const isDrifted = stacks.some(({ drift }) => drift.some(({ restored }) => !restored));
  const isLeft = isDrifted || withResult(stacks, "not started", "failed").length > 0;
  if (status === "error" && !isLeft) return "The check ended with an error: the issue stays as it is.";
  const service = serviceOf();
  const found = await call(service, "GET", service.open);
  const issue = found.find((candidate) => candidate.title === title && !candidate.pull_request);
  const isInSync = status === "in sync" || status === "healed";
  const before = issue && service.textOf(issue);
  const due = new Set([...dueIn(before), ...namesOf(withResult(stacks, "not started"))]);
  for (const name of namesOf(stacks.filter(isHarmedByUp))) due.delete(name);
  const text = textOf(markdown, [...due]);
  if (issue === undefined) {
    if (isInSync) return "In sync: no issue is open.";
    const made = await call(service, "POST", "", service.create(text));
    return `Opened issue ${service.number(made)}.`;
  }
  const number = service.number(issue);
  if (isInSync && due.size > 0) return `Issue ${number} stays open: run \`pulumi up\`, then close it.`;
  if (isInSync) {
    const run = runLink();
    const body = `Everything is in sync again${run ? `, as ${run} found` : ""}.`;
    await call(service, "POST", `/${number}/${service.comments}`, { body });
    await call(service, service.edit, `/${number}`, service.close);
    return `Closed issue ${number}.`;
  }
  if (findingsIn(before).join(RULE) === findingsIn(text).join(RULE)) return `Issue ${number} already says this.`;
  await call(service, service.edit, `/${number}`, service.change(text));
  return `Edited issue ${number}.`;
}

const [json, markdown] = process.argv.slice(2);
try {
  useProxy();
  process.stdout.write(`${await keep(json, markdown)}\n`);
} catch (error) {
  process.stderr.write(`drift-issue: ${error.message}\n`);
  process.exitCode = 1;
}

// Keeps one issue about drift, on GitHub or GitLab: opens it when drift is found, edits it when the drift changes, closes it
// when everything is in sync. Nobody is notified twice of the same drift: an edit of an issue's text sends no message.
// node drift-issue.mjs drift.json drift.md
// The first file is the report of previewenv-drift as JSON, the second as Markdown. Needs Node 22 and no package.
import { readFileSync } from "node:fs";

const LABEL = "previewenv-drift";
const { env } = process;
const title = env.DRIFT_ISSUE_TITLE || "Drift of preview environments";
/** GitHub takes at most 65,536 characters. */
const MAX_TEXT = 60_000;

/** How each service names its calls. GitLab sets CI_API_V4_URL in every job. */
const service = env.CI_API_V4_URL
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
  if (value) return value;
  console.error(`drift-issue: the environment variable ${name} is missing.`);
  process.exit(1);
}

async function call(method, path, body) {
  const response = await fetch(`${service.issues}${path}`, {
    method,
    headers: { ...service.headers, "content-type": "application/json" },
    signal: AbortSignal.timeout(30_000),
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${service.issues}${path}: status ${response.status}`);
  return response.json();
}

/** The text as the service will give it back, so that equal texts compare equal. */
function textOf(file) {
  const text = readFileSync(file, "utf8").trim();
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}\n\nThe rest is in the report of the job.`;
}

const [json, markdown] = process.argv.slice(2);
const { status } = JSON.parse(readFileSync(json, "utf8"));
const found = await call("GET", service.open);
const issue = found.find((candidate) => candidate.title === title && !candidate.pull_request);

if (status === "error") {
  // Whether there is drift is not known: the issue stays as it is, and the job fails by itself.
  console.log("The check ended with an error: the issue stays as it is.");
} else if (status === "in sync" || status === "healed") {
  if (issue) {
    const path = `/${service.number(issue)}`;
    await call("POST", `${path}/${service.comments}`, { body: "Everything is in sync again." });
    await call(service.edit, path, service.close);
  }
  console.log(issue ? `Closed issue ${service.number(issue)}.` : "In sync: no issue is open.");
} else if (!issue) {
  const made = await call("POST", "", service.create(textOf(markdown)));
  console.log(`Opened issue ${service.number(made)}.`);
} else if (service.textOf(issue)?.replaceAll("\r\n", "\n").trim() === textOf(markdown)) {
  console.log(`Issue ${service.number(issue)} already says this.`);
} else {
  await call(service.edit, `/${service.number(issue)}`, service.change(textOf(markdown)));
  console.log(`Edited issue ${service.number(issue)}.`);
}

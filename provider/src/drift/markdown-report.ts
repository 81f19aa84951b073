import { escapeUnseen } from "../client/error-text";
import {
  countsOf,
  type EnvironmentRows,
  hintsOf,
  isTold,
  linesOf,
  plural,
  type Row,
  rowsOf,
  someOf,
  statusOf,
} from "./report-rows";
import type { Report, StackReport } from "./report-schema";

/** GitHub takes 65,536 characters in a comment. A job that posts the report may add some. */
const MAX_CHARACTERS = 60_000;
/** Between paragraphs. */
const BETWEEN = "\n\n";
const MAX_ROWS = 100;
const MAX_ERROR_LINES = 40;
/** Own words, times and numbers: no character that is, or may become, markup, a link, a mention or a reference. */
const HARMLESS = /^(?:[A-Za-z0-9 ,:;()'-]|\.(?= |$))*$/u;

/** The report for a pull request, an issue or a job summary. */
export function markdownReport(report: Report): string {
  const { stacks, unusedIgnores, errors } = report;
  const head = [
    "## Drift of preview environments",
    ...(errors.length > 0 ? [fenced(errors)] : [countsOf(report, code)]),
  ];
  const foot = [
    ...unusedIgnores.map((text) => `Ignored nothing: ${code(text)}`).slice(0, MAX_ROWS),
    ...hintsOf(report),
  ];
  const budget = MAX_CHARACTERS - [...head, ...foot].join(BETWEEN).length;
  return [...head, ...withinBudget(stacks.filter(isTold), budget), ...foot].join(BETWEEN);
}

/** As many stacks as there is space for. The others by name. */
function withinBudget(stacks: readonly StackReport[], characters: number): readonly string[] {
  let space = characters;
  const shown: string[] = [];
  for (const stack of stacks) {
    const text = ofStack(stack).join(BETWEEN);
    space -= text.length + BETWEEN.length;
    if (space < 0) break;
    shown.push(text);
  }
  const others = stacks.slice(shown.length).map(({ stack }) => code(stack));
  return others.length === 0 ? shown : [...shown, `${plural(others.length, "more stack")}: ${someOf(others)}.`];
}

function ofStack(report: StackReport): readonly string[] {
  const { stack, drift, builds, errors } = report;
  const items = [...drift, ...builds];
  const more = items.length - MAX_ROWS;
  return [
    `### ${code(stack)}: ${statusOf(report)}`,
    ...rowsOf(items.slice(0, MAX_ROWS)).flatMap(ofEnvironment),
    ...(more > 0 ? [`${plural(more, "more line")}.`] : []),
    ...(errors.length > 0 ? [fenced(errors)] : []),
  ];
}

function ofEnvironment({ title, url, rows }: EnvironmentRows): readonly string[] {
  const address = webAddress(url);
  const name = address === undefined ? code(title) : `[${code(title)}](${address})`;
  const lines = rows.map((row) => `| ${cellsOf(row).join(" | ")} |`);
  return [
    `Environment ${name}`,
    ["| resource | type | name | change | |", "|---|---|---|---|---|", ...lines].join("\n"),
  ];
}

function cellsOf({ resource, type, name, kind, facts }: Row): readonly string[] {
  return [code(resource), type, name === "" ? "" : code(name), kind, facts.map(words).join(", ")];
}

function fenced(errors: readonly string[]): string {
  const lines = errors.flatMap(linesOf).map((line) => line.replaceAll("```", "'''"));
  const more = lines.length - MAX_ERROR_LINES;
  const shown = [...lines.slice(0, MAX_ERROR_LINES), ...(more > 0 ? [plural(more, "more line")] : [])];
  return ["```text", ...shown, "```"].join("\n");
}

function words(text: string): string {
  return HARMLESS.test(text) ? text : code(text);
}

/** An address that may stand in a link: of the web, and without a character that would end the link. */
export function webAddress(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { protocol, username, password, href } = new URL(url);
  if (!["http:", "https:"].includes(protocol) || username !== "" || password !== "") return undefined;
  return href.replaceAll(/[^\w\-./:?#&=%~+,;@!$*]/gu, (character) => `%${character.charCodeAt(0).toString(16)}`);
}

/**
 * Others' text. In a code span it is no markup, no link and no mention, which a backslash does not prevent. A `|` would end
 * the cell of a table even there.
 */
function code(text: string): string {
  const plain = escapeUnseen(text)
    .replaceAll("|", String.raw`\u{7c}`)
    .replaceAll(/\s+/gu, " ");
  const longest = Math.max(0, ...Array.from(plain.matchAll(/`+/gu), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = plain.startsWith("`") || plain.endsWith("`") || plain.trim() === "" ? " " : "";
  return `${fence}${pad}${plain}${pad}${fence}`;
}

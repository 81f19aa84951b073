import { escapeUnseen } from "../client/error-text";
import {
  countsOf,
  type EnvironmentRows,
  fitting,
  hintsOf,
  isHarmless,
  isTold,
  linesOf,
  plural,
  type Row,
  rowsOf,
  someOf,
  statusOf,
  webAddress,
} from "./report-rows";
import type { Report, StackReport } from "./report-schema";

const TITLE = "Drift of preview environments";
/** Slack takes 50 blocks, 3,000 characters in each, and refuses messages of about 13,000 in all of them together. */
const MAX_BLOCKS = 40;
const MAX_BLOCK_CHARACTERS = 2900;
const MAX_CHARACTERS = 10_000;

interface Section {
  readonly type: "section";
  readonly text: { readonly type: "mrkdwn"; readonly text: string; readonly verbatim: true };
}

/** The body of a request to an incoming webhook of Slack. */
export interface SlackMessage {
  /** What a notification shows. */
  readonly text: string;
  readonly blocks: readonly (Section | { readonly type: "header"; readonly text: object })[];
  readonly unfurl_links: false;
}

/** The report for a chat. */
export function slackReport(report: Report): SlackMessage {
  const { stacks, unusedIgnores, errors } = report;
  const first = errors.length > 0 ? bounded("", errors.flatMap(linesOf).map(escape)) : countsOf(report, code);
  const foot = [...unusedIgnores.map((text) => `Ignored nothing: ${code(text)}`), ...hintsOf(report)];
  const title = { type: "plain_text", text: TITLE } as const;
  return {
    text: `${TITLE}: ${errors.length > 0 ? "error" : countsOf(report, code)}`,
    blocks: [
      { type: "header", text: title },
      ...[first, ...withinBudget(stacks.filter(isTold)), ...(foot.length > 0 ? [bounded("", foot)] : [])].map(section),
    ],
    unfurl_links: false,
  };
}

/** As many stacks as there is space for; the others by name. */
function withinBudget(stacks: readonly StackReport[]): readonly string[] {
  const { shown, others } = fitting(stacks, { characters: MAX_CHARACTERS, stacks: MAX_BLOCKS }, ofStack);
  const more = bounded(`${plural(others.length, "more stack")}: `, [someOf(others.map(code))]);
  return others.length === 0 ? shown : [...shown, more];
}

function ofStack(report: StackReport): string {
  const lines = [...rowsOf(report).flatMap(ofEnvironment), ...report.errors.flatMap(linesOf).map(code)];
  return bounded(`*${code(report.stack)}* ${statusOf(report)}\n`, lines);
}

function ofEnvironment({ title, url, rows }: EnvironmentRows): readonly string[] {
  const address = webAddress(url);
  return [[code(title), ...(address === undefined ? [] : [`<${escape(address)}>`])].join(" "), ...rows.map(ofRow)];
}

function ofRow({ resource, type, name, kind, facts }: Row): string {
  const what = name === "" ? kind : `${code(name)} ${kind}`;
  return `• ${what} in ${code(resource)} (${type})${facts.map((fact) => `, ${words(fact)}`).join("")}`;
}

/** As many whole lines as one block may have. */
function bounded(head: string, lines: readonly string[]): string {
  let text = head;
  for (const [index, line] of lines.entries()) {
    const more = plural(lines.length - index, "more line");
    if (text.length + line.length + 1 > MAX_BLOCK_CHARACTERS) return `${text}${more}`;
    text += `${line}\n`;
  }
  return text.trimEnd();
}

function section(text: string): Section {
  // `verbatim`: names of channels and people, and addresses, stay text.
  return { type: "section", text: { type: "mrkdwn", text, verbatim: true } };
}

function words(text: string): string {
  return isHarmless(text) ? text : code(text);
}

/** Others' text. In a code span it is no markup; only a backtick would end it. */
function code(text: string): string {
  return `\`${escape(text).replaceAll("`", "'")}\``;
}

/** The three characters that Slack's markup takes as its own. */
function escape(text: string): string {
  return escapeUnseen(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

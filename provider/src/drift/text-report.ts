import { escapeUnseen } from "../client/error-text";
import {
  countsOf,
  type EnvironmentRows,
  hintsOf,
  isTold,
  linesOf,
  type Row,
  rowsOf,
  someOf,
  statusOf,
} from "./report-rows";
import type { Report, StackReport } from "./report-schema";

/** A column is no wider than this because of one long name. That name takes more. */
const MAX_COLUMN = 40;

/** The report for a terminal: what needs attention first, and the rest in one line. */
export function textReport(report: Report): string {
  const { stacks, unusedIgnores, errors } = report;
  const quiet = stacks.filter((stack) => !isTold(stack)).map((stack) => escapeUnseen(labelOf(stack)));
  const unused = unusedIgnores.map((text) => `ignored nothing: ${escapeUnseen(text)}`);
  const paragraphs = [
    ...stacks.filter(isTold).map(ofStack),
    ...(quiet.length > 0 ? [`in sync: ${someOf(quiet)}`] : []),
    ...errors.map((error) => ["error", ...indented(linesOf(error))].join("\n")),
    [...unused, ...(errors.length > 0 ? [] : [countsOf(report, escapeUnseen)]), ...hintsOf(report)].join("\n"),
  ];
  return paragraphs.filter((text) => text !== "").join("\n\n");
}

/** A stack that is in sync, and how many differences of it are ignored. */
function labelOf({ stack, ignored }: StackReport): string {
  return ignored.length === 0 ? stack : `${stack} (${ignored.length} ignored)`;
}

function ofStack(report: StackReport): string {
  const environments = rowsOf([...report.drift, ...report.builds]);
  const rows = environments.flatMap((environment) => environment.rows.map(cellsOf));
  const widths = [0, 1, 2].map((column) =>
    Math.max(0, ...rows.map((row) => row[column]?.length ?? 0).filter((width) => width <= MAX_COLUMN)),
  );
  const lines = environments.flatMap((environment) => ofEnvironment(environment, widths));
  const errors = report.errors.flatMap(linesOf);
  return [`${escapeUnseen(report.stack)}: ${statusOf(report)}`, ...indented([...lines, ...errors])].join("\n");
}

function ofEnvironment({ title, url, rows }: EnvironmentRows, widths: readonly number[]): readonly string[] {
  const address = url === undefined ? [] : [escapeUnseen(url)];
  const lines = rows.map((row) =>
    cellsOf(row)
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join("  "),
  );
  return [["environment", escapeUnseen(title), ...address].join(" "), ...indented(lines)];
}

function cellsOf({ resource, type, name, kind, facts }: Row): readonly string[] {
  return [`${resource} (${type})`, name, kind, facts.join(", ")].map(escapeUnseen);
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`.trimEnd());
}

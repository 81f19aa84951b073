import { escapeUnseen } from "../client/error-text";
import type { BuildItem, DriftItem, StackReport } from "./drift-item";

/** How the report can be written. */
export const FORMATS = ["text", "markdown", "json"] as const;
export type Format = (typeof FORMATS)[number];

/** Version of the JSON; raised when something in it changes its meaning. */
const JSON_VERSION = 1;

/** Of these, `JSON.stringify` escapes none. */
const UNSEEN_IN_JSON = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+/gu;
const HEXADECIMAL = 16;
const JSON_DIGITS = 4;

const HINTS = {
  drift: "Restore it: `previewenv-drift --heal`, or `pulumi up --refresh`.",
  error:
    "After an error run `pulumi up`: state may already hold the drifted values, and later checks then find no difference.",
  gone: "Take what is gone out of state: `pulumi destroy` or `pulumi refresh`.",
  left: "Restore the rest and deploy the program: `pulumi up --refresh`.",
} as const;

const WRITERS: Readonly<Record<Format, (stacks: readonly StackReport[]) => string>> = {
  text: (stacks) => [...stacks.map(asText), summary(stacks)].join("\n"),
  markdown: (stacks) =>
    ["## Drift of preview environments", summary(stacks), ...stacks.flatMap(asMarkdown)].join("\n\n"),
  json: (stacks) => escapeJson(JSON.stringify({ version: JSON_VERSION, stacks }, undefined, 2)),
};

/** Writes what was found in all stacks; ends with a line feed. */
export function writeReport(format: Format, stacks: readonly StackReport[]): string {
  return `${WRITERS[format](stacks)}\n`;
}

/** A line of a table. */
interface Row {
  readonly resource: string;
  readonly type: string;
  readonly name: string;
  readonly kind: string;
  readonly facts: string;
}

function asText(report: StackReport): string {
  const rows = rowsOf(report).map((row) =>
    [`${row.resource} (${row.type})`, row.name, row.kind, row.facts].map(escapeUnseen),
  );
  const widths = [0, 1, 2].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((text, column) => text.padEnd(widths[column] ?? 0)).join("  "));
  const notes = report.errors.flatMap(linesOf);
  const head = `${escapeUnseen(report.stack)}: ${report.status}`;
  return [head, ...[...lines, ...notes].map((line) => `  ${line}`.trimEnd()), ""].join("\n");
}

function asMarkdown(report: StackReport): readonly string[] {
  const { stack, status, errors } = report;
  const rows = rowsOf(report).map(
    (row) => `| ${[row.resource, row.type, row.name, row.kind, row.facts].map(literal).join(" | ")} |`,
  );
  if (rows.length === 0 && errors.length === 0) return [];
  const head = ["| resource | type | name | kind | |", "|---|---|---|---|---|"];
  const fence = ["```text", ...errors.flatMap(linesOf).map((line) => line.replaceAll("```", "'''")), "```"];
  return [
    `### ${literal(stack)}: ${status}`,
    ...(rows.length > 0 ? [[...head, ...rows].join("\n")] : []),
    ...(errors.length > 0 ? [fence.join("\n")] : []),
  ];
}

function rowsOf({ drift, builds }: StackReport): readonly Row[] {
  return [
    ...drift.map((item) => ({ ...item, name: item.name ?? "", facts: facts(item) })),
    ...builds.map((item) => ({ ...item, name: "", kind: "build", facts: ending(item) })),
  ];
}

function facts({ kind, detail, since, environmentId, restored, reason }: DriftItem): string {
  const environment = kind === "gone" && environmentId !== undefined ? `environment ${environmentId}` : undefined;
  const found = [environment, detail, since && `since ${since}`].filter((fact) => fact !== undefined).join(", ");
  const healed = restored ? "restored" : because("not restored", reason);
  return [found, ...(restored === undefined ? [] : [healed])].filter(Boolean).join("; ");
}

function ending({ id, result, reason }: BuildItem): string {
  return [id, because(result === "failed" ? "did not succeed" : result, reason)].filter(Boolean).join(" ");
}

function because(what: string, reason: string | undefined): string {
  return reason === undefined ? what : `${what}: ${reason}`;
}

/** A line of the engine's text is a line here; nothing within it acts upon the terminal. */
function linesOf(error: string): readonly string[] {
  return error.split(/\r?\n/u).map((line) => escapeUnseen(line.replaceAll("\t", "  ")));
}

/** The same JSON, with nothing in it that a terminal acts upon or does not show. */
function escapeJson(json: string): string {
  return json.replaceAll(UNSEEN_IN_JSON, (text) =>
    Array.from({ length: text.length }, (_, at) => jsonEscape(text.charCodeAt(at))).join(""),
  );
}

function jsonEscape(unit: number): string {
  return `\\u${unit.toString(HEXADECIMAL).padStart(JSON_DIGITS, "0")}`;
}

/** Names are others' text: nothing in them may end the cell, or become HTML, a link or a mention. */
function literal(text: string): string {
  return escapeUnseen(text)
    .replaceAll(/[\\`*_[\]<#|~@]/gu, String.raw`\$&`)
    .replaceAll(/\s+/gu, " ");
}

function summary(stacks: readonly StackReport[]): string {
  const counts = new Map<string, number>();
  for (const { status } of stacks) counts.set(status, (counts.get(status) ?? 0) + 1);
  const parts = [...counts].map(([status, count]) => `${count} ${status}`);
  const hints = new Set(stacks.flatMap(hintsOf));
  const total = `${stacks.length} ${stacks.length === 1 ? "stack" : "stacks"}`;
  const order = Object.values(HINTS).filter((hint) => hints.has(hint));
  return [`${[total, parts.join(", ")].filter(Boolean).join(": ")}.`, ...order].join(" ");
}

function hintsOf({ drift, builds, errors }: StackReport): readonly string[] {
  const isTried = drift.some(({ restored }) => restored !== undefined);
  const ofDrift = drift
    .filter(({ restored }) => restored !== true)
    .map(({ kind, restored }) => {
      if (kind === "gone") return HINTS.gone;
      return restored === undefined ? HINTS.drift : HINTS.left;
    });
  const ofBuilds = builds.filter(({ result }) => result === "not started").map(() => HINTS.left);
  if (errors.length > 0 && isTried) return [HINTS.error];
  return [...ofDrift, ...ofBuilds];
}

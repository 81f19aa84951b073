import { escapeUnseen } from "../client/error-text";
import type { DriftItem, StackReport } from "./drift-item";

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
  gone: "Take what is gone out of state: `pulumi destroy` or `pulumi refresh`.",
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

function asText({ stack, status, drift, errors }: StackReport): string {
  const rows = drift.map((item) =>
    [`${item.resource} (${item.type})`, item.name ?? "", item.kind, facts(item)].map(escapeUnseen),
  );
  const widths = [0, 1, 2].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((text, column) => text.padEnd(widths[column] ?? 0)).join("  "));
  const notes = errors.flatMap(linesOf);
  return [`${escapeUnseen(stack)}: ${status}`, ...[...lines, ...notes].map((line) => `  ${line}`.trimEnd()), ""].join(
    "\n",
  );
}

function asMarkdown({ stack, status, drift, errors }: StackReport): readonly string[] {
  if (drift.length === 0 && errors.length === 0) return [];
  const rows = drift.map(
    (item) => `| ${[item.resource, item.type, item.name ?? "", item.kind, facts(item)].map(literal).join(" | ")} |`,
  );
  const head = ["| resource | type | name | kind | |", "|---|---|---|---|---|"];
  const fence = ["```text", ...errors.flatMap(linesOf).map((line) => line.replaceAll("```", "'''")), "```"];
  return [
    `### ${literal(stack)}: ${status}`,
    ...(rows.length > 0 ? [[...head, ...rows].join("\n")] : []),
    ...(errors.length > 0 ? [fence.join("\n")] : []),
  ];
}

function facts({ kind, detail, since, environmentId }: DriftItem): string {
  const environment = kind === "gone" && environmentId !== undefined ? `environment ${environmentId}` : undefined;
  return [environment, detail, since && `since ${since}`].filter((fact) => fact !== undefined).join(", ");
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
  const kinds = new Set(stacks.filter(({ status }) => status !== "healed").flatMap(({ drift }) => drift.map(hintOf)));
  const total = `${stacks.length} ${stacks.length === 1 ? "stack" : "stacks"}`;
  return [`${[total, parts.join(", ")].filter(Boolean).join(": ")}.`, ...[...kinds].toSorted()].join(" ");
}

function hintOf({ kind }: DriftItem): string {
  return kind === "gone" ? HINTS.gone : HINTS.drift;
}

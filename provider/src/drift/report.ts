import { markdownReport } from "./markdown-report";
import type { Report } from "./report-schema";
import { textReport } from "./text-report";
import type { Format } from "./usage";

/** Of these, `JSON.stringify` escapes none. */
const UNSEEN_IN_JSON = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+/gu;
const HEXADECIMAL = 16;
const JSON_DIGITS = 4;

const WRITERS: Readonly<Record<Format, (report: Report) => string>> = {
  text: textReport,
  markdown: markdownReport,
  json,
};

/** Writes the report; ends with a line feed. */
export function writeReport(format: Format, report: Report): string {
  return `${WRITERS[format](report)}\n`;
}

/** JSON with nothing in it that a terminal acts upon or does not show. */
function json(value: object): string {
  return JSON.stringify(value, undefined, 2).replaceAll(UNSEEN_IN_JSON, (text) =>
    Array.from({ length: text.length }, (_, at) => jsonEscape(text.charCodeAt(at))).join(""),
  );
}

function jsonEscape(unit: number): string {
  return `\\u${unit.toString(HEXADECIMAL).padStart(JSON_DIGITS, "0")}`;
}

import { writeFileSync } from "node:fs";
import type { OutputFile } from "./arguments";
import { markdownReport } from "./markdown-report";
import type { Report } from "./report-schema";
import { textReport } from "./text-report";
import type { Format } from "./usage";

const HEXADECIMAL = 16;
const JSON_DIGITS = 4;

const WRITERS: Readonly<Record<Format, (report: Report) => string>> = {
  text: textReport,
  markdown: markdownReport,
  json,
};

/** Writes the report. Ends with a line feed. */
export function writeReport(format: Format, report: Report): string {
  return `${WRITERS[format](report)}\n`;
}

/**
 * Writes a report to each of the files. One that cannot be written keeps no other one from being written.
 * @throws Error that names every file that could not be written, and why
 */
export function writeReportFiles(report: Report, files: readonly OutputFile[]): void {
  const failures: string[] = [];
  for (const { format, file, isAppended } of files)
    try {
      writeFileSync(file, writeReport(format, report), { flag: isAppended ? "a" : "w" });
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error));
    }
  if (failures.length > 0) throw new Error(`Could not write the report: ${failures.join("; ")}`);
}

/** JSON in ASCII: nothing in it that a terminal acts upon or does not show. */
function json(value: object): string {
  return JSON.stringify(value, undefined, 2).replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(HEXADECIMAL).padStart(JSON_DIGITS, "0")}`,
  );
}

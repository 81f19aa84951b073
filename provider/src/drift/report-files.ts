import { writeFileSync } from "node:fs";
import type { OutputFile } from "./arguments";
import { writeReport } from "./report";
import type { Report } from "./report-schema";

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

import { appendFileSync, writeFileSync } from "node:fs";
import type { OutputFile } from "./arguments";
import { writeReport } from "./report";
import type { Report } from "./report-schema";

/** Files that a report goes to. */
export interface ReportFiles {
  readonly outputs: readonly OutputFile[];
  /** The report is added to the end of this file, as Markdown. */
  readonly summary?: string | undefined;
}

/**
 * Writes a report to each of the files. One that cannot be written keeps no other one from being written.
 * @throws Error that names every file that could not be written, and why
 */
export function writeReportFiles(report: Report, { outputs, summary }: ReportFiles): void {
  const writes = outputs.map(
    ({ format, file }) =>
      (): void =>
        writeFileSync(file, writeReport(format, report)),
  );
  if (summary !== undefined) writes.push(() => appendFileSync(summary, writeReport("markdown", report)));
  const failures = writes.flatMap((write) => {
    try {
      write();
      return [];
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    }
  });
  if (failures.length > 0) throw new Error(`Could not write the report: ${failures.join("; ")}`);
}

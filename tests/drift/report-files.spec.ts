import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { writeReport, writeReportFiles } from "../../provider/src/drift/report";
import { reportOf, stack } from "./support/reports";

const report = reportOf(stack("dev"));

describe("drift: files of the report", () => {
  let folder = "";

  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "previewenv-report-"))));

  afterEach(() => rmSync(folder, { recursive: true }));

  it("each has its format; the summary gets the report at its end", () => {
    const summary = join(folder, "summary");
    writeFileSync(summary, "before\n");
    writeReportFiles(report, [
      { format: "json", file: join(folder, "json"), isAppended: false },
      { format: "markdown", file: summary, isAppended: true },
    ]);
    expect(readFileSync(join(folder, "json"), "utf8")).to.equal(writeReport("json", report));
    expect(readFileSync(summary, "utf8")).to.equal(`before\n${writeReport("markdown", report)}`);
  });

  it("one that cannot be written keeps no other one from being written, and the error names it", () => {
    const missing = join(folder, "missing", "text");
    const files = [
      { format: "text", file: missing, isAppended: false },
      { format: "json", file: join(folder, "json"), isAppended: false },
      { format: "markdown", file: join(folder, "summary"), isAppended: true },
    ] as const;
    const write = (): void => writeReportFiles(report, files);
    expect(write).to.throw("Could not write the report").with.property("message").that.contains(missing);
    expect(readdirSync(folder)).to.deep.equal(["json", "summary"]);
  });
});

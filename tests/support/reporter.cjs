"use strict";

const { writeFileSync } = require("node:fs");
const { reporters } = require("mocha");

/**
 * mocha's Spec reporter, closed by one line: `N passed, N failed, N skipped`. tools/setup/verify.mjs prints more after mocha has ended;
 * it names a file in PREVIEWENV_TEST_SUMMARY, which gets the line then, so that it stays the last one.
 */
class ClosingLineReporter extends reporters.Spec {
  epilogue() {
    super.epilogue();
    const { passes, failures, pending } = this.stats;
    const line = `${passes} passed, ${failures} failed, ${pending} skipped`;
    const file = process.env.PREVIEWENV_TEST_SUMMARY;
    if (file) writeFileSync(file, `${line}\n`);
    else reporters.Base.consoleLog(line);
  }
}

module.exports = ClosingLineReporter;

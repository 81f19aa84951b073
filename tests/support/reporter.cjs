"use strict";

const { reporters } = require("mocha");

/** mocha's Spec reporter, closed by one line: `N passed, N failed, N skipped`. */
class ClosingLineReporter extends reporters.Spec {
  epilogue() {
    super.epilogue();
    const { passes, failures, pending } = this.stats;
    reporters.Base.consoleLog(`${passes} passed, ${failures} failed, ${pending} skipped`);
  }
}

module.exports = ClosingLineReporter;

import { createRequire } from "node:module";

/** Where tests/support/reporter.cjs puts its line when something is still to be printed after it. */
export const SUMMARY_VARIABLE = "PREVIEWENV_TEST_SUMMARY";

/**
 * The arguments of Node that run spec files; everything else about mocha stands in package.json.
 * @param {readonly string[]} files
 * @param {readonly string[]} options
 */
export function mochaArguments(files, options = []) {
  const mocha = createRequire(import.meta.url).resolve("mocha/bin/mocha.js");
  return [mocha, ...options, ...(process.stdout.isTTY ? ["--color"] : []), ...files];
}

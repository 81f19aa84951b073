// What `npm test` runs: the static checks, then every test with coverage; the line "N passed, N failed, N skipped" comes last, once. With
// arguments (`npm test -- --grep retry`) only mocha, with these arguments.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { SUMMARY_VARIABLE } from "../test/mocha.mjs";
import { exitCodeOf, FORWARDED, runScript } from "./run-script.mjs";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..", "..");

/** @type {number | undefined} */
let stopped;
for (const signal of FORWARDED) process.on(signal, () => (stopped = exitCodeOf(signal)));

/** @param {number} ms */
const seconds = (ms) => Math.round(ms / 1000);

/** @param {string} file */
function readSummary(file) {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return undefined;
  }
}

/** @param {string[]} args */
async function main(args) {
  const folder = mkdtempSync(join(tmpdir(), "previewenv-tests-"));
  const summary = join(folder, "summary.txt");
  const env = { ...process.env, [SUMMARY_VARIABLE]: summary };
  try {
    const isWhole = args.length === 0;
    const begin = Date.now();
    const checks = isWhole ? await runScript(ROOT, "check", [], env) : 0;
    const checked = Date.now();
    if (stopped !== undefined) return stopped;
    const tests = await runScript(ROOT, isWhole ? "test:coverage" : "test:mocha", args, env);
    if (stopped !== undefined) return stopped;
    const line = readSummary(summary);
    if (isWhole)
      console.log(`npm run check took ${seconds(checked - begin)} s, the tests ${seconds(Date.now() - checked)} s.`);
    if (checks !== 0) console.error(`npm run check failed (exit ${checks}); its messages are above the tests.`);
    if (tests !== 0) console.error(`The tests${isWhole ? " or the coverage limits" : ""} failed (exit ${tests}).`);
    if (line === undefined) console.error("The tests did not run to their end.");
    else console.log(line);
    return checks || tests || (line === undefined ? 1 : 0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main(process.argv.slice(2));

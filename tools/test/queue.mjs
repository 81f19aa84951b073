// Runs every test: one mocha process for each job (groups.mjs), as many side by side as the machine has cores, and one more, because those with
// the real Pulumi CLI often wait for others. What a job prints comes in one piece when it ends; the closing line counts all.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { exitCodeOf, FORWARDED } from "../setup/run-script.mjs";
import { jobsOf } from "./groups.mjs";
import { mochaArguments, SUMMARY_VARIABLE } from "./mocha.mjs";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..", "..");
const WORKERS = availableParallelism() + 1;

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();
/** @type {{ job: import("./groups.mjs").Job, summary: string }[]} */
const waiting = [];
for (const signal of FORWARDED)
  process.on(signal, () => {
    waiting.length = 0;
    for (const child of running) child.kill(signal);
  });

/** How many jobs are named with the time that they took. */
const NAMED_JOBS = 8;
const MS_PER_SECOND = 1000;

/**
 * @param {import("./groups.mjs").Job} job
 * @param {string} summary
 * @returns {Promise<number>} The exit code.
 */
function run({ files, isCovered }, summary) {
  const { NODE_V8_COVERAGE: folder, ...rest } = process.env;
  const env = { ...rest, ...(isCovered && folder && { NODE_V8_COVERAGE: folder }), [SUMMARY_VARIABLE]: summary };
  const child = spawn(process.execPath, mochaArguments(files), { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
  running.add(child);
  /** @type {Buffer[]} */
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => chunks.push(chunk));
  return new Promise((settle, fail) => {
    child.once("error", fail);
    child.once("close", (code, signal) => {
      running.delete(child);
      process.stdout.write(Buffer.concat(chunks));
      settle(code ?? exitCodeOf(signal));
    });
  });
}

/**
 * The sum of closing lines; undefined when one of them is missing, because its job did not come to its end.
 * @param {readonly string[]} files
 */
function total(files) {
  const sums = [0, 0, 0];
  for (const file of files) {
    const found = /^(\d+) passed, (\d+) failed, (\d+) skipped$/m.exec(read(file));
    if (found === null) return undefined;
    found.slice(1).forEach((count, index) => (sums[index] = (sums[index] ?? 0) + Number(count)));
  }
  return `${sums[0]} passed, ${sums[1]} failed, ${sums[2]} skipped`;
}

/** @param {import("./groups.mjs").Job} job */
function nameOf({ files: [first = "", ...others] }) {
  return others.length > 0 ? `${first} and ${others.length} more` : first;
}

/** @param {number} from */
function secondsSince(from) {
  return Math.round((Date.now() - from) / MS_PER_SECOND);
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

async function main() {
  const folder = mkdtempSync(join(tmpdir(), "previewenv-jobs-"));
  try {
    const jobs = jobsOf(ROOT).map((job, index) => ({ job, summary: join(folder, `${index}.txt`) }));
    waiting.push(...jobs);
    const begin = Date.now();
    /** @type {{ name: string, code: number, seconds: number }[]} */
    const ended = [];
    const work = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const from = Date.now();
        const code = await run(next.job, next.summary);
        ended.push({ name: nameOf(next.job), code, seconds: secondsSince(from) });
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, work));
    const longest = ended.toSorted((one, other) => other.seconds - one.seconds).slice(0, NAMED_JOBS);
    console.log(`${ended.length} jobs took ${secondsSince(begin)} s with ${WORKERS} side by side; the longest:`);
    for (const { name, seconds } of longest) console.log(`${String(seconds).padStart(6)} s  ${name}`);
    const failed = ended.filter(({ code }) => code !== 0);
    for (const { name } of failed) console.error(`Failed, with its reasons above: ${name}`);
    const line = total(jobs.map(({ summary }) => summary));
    const wanted = process.env[SUMMARY_VARIABLE];
    if (line !== undefined && wanted) writeFileSync(wanted, `${line}\n`);
    else if (line !== undefined) console.log(line);
    return failed[0]?.code ?? (line === undefined ? 1 : 0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main();

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
    /** @type {{ files: string[], code: number }[]} */
    const failed = [];
    const work = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const code = await run(next.job, next.summary);
        if (code !== 0) failed.push({ files: next.job.files, code });
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, work));
    for (const { files } of failed)
      console.error(`Failed, with its reasons above: ${files.length > 1 ? dirname(files[0] ?? "") : files[0]}`);
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

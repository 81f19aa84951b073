// Runs every test in two mocha processes side by side: those with the real Pulumi CLI, which mostly wait for other processes, and the rest. The
// second half's output comes after the first one's; the closing line counts both.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { exitCodeOf, FORWARDED } from "./run-script.mjs";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..", "..");
const MOCHA = createRequire(import.meta.url).resolve("mocha/bin/mocha.js");
const SUMMARY_VARIABLE = "PREVIEWENV_TEST_SUMMARY";
/** What each half leaves to the other one. */
const LEFT_OUT = [["tests/engine/**"], ["tests/!(engine)/**", "tests/*.spec.ts"]];

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();
for (const signal of FORWARDED) process.on(signal, () => running.forEach((child) => child.kill(signal)));

/**
 * @param {readonly string[]} leftOut
 * @param {string} summary
 * @param {boolean} isShown Whether it prints at once; its output is kept otherwise.
 * @returns {Promise<{ code: number, output: Buffer }>}
 */
function runHalf(leftOut, summary, isShown) {
  const args = leftOut.flatMap((glob) => ["--ignore", glob]);
  const child = spawn(process.execPath, [MOCHA, ...args, ...(process.stdout.isTTY ? ["--color"] : [])], {
    cwd: ROOT,
    env: { ...process.env, [SUMMARY_VARIABLE]: summary },
    stdio: ["ignore", isShown ? "inherit" : "pipe", isShown ? "inherit" : "pipe"],
  });
  running.add(child);
  /** @type {Buffer[]} */
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => chunks.push(chunk));
  return new Promise((settle, fail) => {
    child.once("error", fail);
    child.once("close", (code, signal) => {
      running.delete(child);
      settle({ code: code ?? exitCodeOf(signal), output: Buffer.concat(chunks) });
    });
  });
}

/**
 * The sum of closing lines; undefined when one of them is missing, because its half did not come to its end.
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
  const folder = mkdtempSync(join(tmpdir(), "previewenv-halves-"));
  try {
    const files = LEFT_OUT.map((_, index) => join(folder, `${index}.txt`));
    const halves = LEFT_OUT.map((leftOut, index) => runHalf(leftOut, files[index] ?? "", index === 0));
    const ended = await Promise.all(halves);
    for (const { output } of ended) process.stdout.write(output);
    const line = total(files);
    const wanted = process.env[SUMMARY_VARIABLE];
    if (line !== undefined && wanted) writeFileSync(wanted, `${line}\n`);
    else if (line !== undefined) console.log(line);
    return ended.map(({ code }) => code).find((code) => code !== 0) ?? (line === undefined ? 1 : 0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main();

// Runs one mocha process for each job of a group (groups.ts), and for all tests `npm run check` beside them: as many side by side as the machine
// has cores, and two more, because those with the real Pulumi CLI often wait for others. The output of a job comes in one piece when it ends. The
// closing line counts the tests of all and comes last.
import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { exitCodeOf, FORWARDED } from "../setup/run-program.mjs";
import { jobsOf } from "./groups";

/** Everything about it stands in package.json. */
export const MOCHA = "node_modules/mocha/bin/mocha.js";

const WORKERS = availableParallelism() + 2;
/** How many jobs are named with the time that they took. */
const NAMED_JOBS = 8;
const MS_PER_SECOND = 1000;
const CLOSING_LINE = /^(\d+) passed, (\d+) failed, (\d+) skipped\n/m;

interface Job {
  readonly name: string;
  readonly start: () => ChildProcess;
  readonly hasTests: boolean;
}

interface Result {
  readonly name: string;
  /** The exit code. */
  readonly code: number;
  readonly seconds: number;
  /** Passed, failed, skipped. `undefined` when the tests did not run to their end. */
  readonly counts: readonly number[] | undefined;
}

const running = new Set<ChildProcess>();

function run({ name, start, hasTests }: Job): Promise<Result> {
  const begin = Date.now();
  const child = start();
  running.add(child);
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => chunks.push(chunk));
  return new Promise((settle, fail) => {
    child.once("error", fail);
    child.once("close", (code, signal) => {
      running.delete(child);
      const printed = Buffer.concat(chunks).toString();
      process.stdout.write(printed.replace(CLOSING_LINE, ""));
      const counts = hasTests ? CLOSING_LINE.exec(printed)?.slice(1).map(Number) : [0, 0, 0];
      settle({ name, code: code ?? exitCodeOf(signal), seconds: secondsSince(begin), counts });
    });
  });
}

function secondsSince(begin: number): number {
  return Math.round((Date.now() - begin) / MS_PER_SECOND);
}

function processesOf(root: string, group: string): Job[] {
  // Each process loads mocha and much of the sources. With what V8 has compiled before, that takes a quarter of the CPU time less.
  const env = { ...process.env, NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "previewenv", "v8") };
  const options: SpawnOptions = { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] };
  const check = {
    name: "npm run check",
    start: () => spawn("npm run check", { ...options, shell: true }),
    hasTests: false,
  };
  const tests = jobsOf(root, group).map((files) => ({
    name: files.length > 1 ? `${files[0]} and ${files.length - 1} more` : (files[0] ?? ""),
    start: () => spawn(process.execPath, [MOCHA, ...(process.stdout.isTTY ? ["--color"] : []), ...files], options),
    hasTests: true,
  }));
  return group === "all" ? [check, ...tests] : tests;
}

/** Gives the exit code. */
export async function runQueue(root: string, group: string): Promise<number> {
  const waiting = processesOf(root, group);
  for (const signal of FORWARDED)
    process.on(signal, () => {
      waiting.length = 0;
      for (const child of running) child.kill(signal);
    });
  const total = waiting.length;
  const begin = Date.now();
  const results: Result[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) results.push(await run(next));
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  const longest = results.toSorted((one, other) => other.seconds - one.seconds).slice(0, NAMED_JOBS);
  console.log(`${results.length} jobs took ${secondsSince(begin)} s with ${WORKERS} side by side; the longest:`);
  for (const { name, seconds } of longest) console.log(`${String(seconds).padStart(6)} s  ${name}`);
  const failed = results.filter(({ code }) => code !== 0);
  for (const { name, code } of failed) console.error(`Failed (exit ${code}), with its reasons above: ${name}`);
  const counts = results.flatMap((result) => (result.counts === undefined ? [] : [result.counts]));
  if (counts.length < total) {
    console.error("The tests did not run to their end.");
    return failed[0]?.code ?? 1;
  }
  const [passed, notPassed, skipped] = [0, 1, 2].map((place) =>
    counts.reduce((sum, count) => sum + (count[place] ?? 0), 0),
  );
  console.log(`${passed} passed, ${notPassed} failed, ${skipped} skipped`);
  return failed[0]?.code ?? 0;
}

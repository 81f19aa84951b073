// Measures the tests: breaks a copy of the checkout by one patch after the other, and runs the specs that hold the folder of that patch,
// or lets the simulation search. npm run bugs [-- TEXT] takes those whose name has the text. Ends with 1 when one lives: when nothing finds it.
import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import * as z from "zod";
import { TYPESCRIPT } from "../support/languages";
import { apply, type Bug, bugs } from "./patches";

const ROOT = resolve(__dirname, "..", "..");
/** Installed, linked or written by other commands. */
const NOT_COPIED: ReadonlySet<string> = new Set(["node_modules", ".git", "coverage"]);
const CORE = ": core in process";
const OUTSIDE = ".outside.spec.ts";
/** A bug may make a test wait for ever. */
const MAX_TEST_MS = 60_000;
const MAX_RUN_MS = 900_000;
const MS_PER_SECOND = 1_000;
const MAX_MESSAGE = 160;

const SIMULATION = join("tests", "simulation", "main.ts");

const report = z.object({
  failures: z.array(z.object({ fullTitle: z.string(), file: z.string().optional() })).min(1),
});

const search = z.object({ histories: z.int(), message: z.string().optional() });

/** Specs that run in one process: files, and options that select among their tests. */
interface Specs {
  readonly files: readonly string[];
  readonly options?: readonly string[];
}

/** The specs that hold a folder of provider/src, the cheapest first. */
function specsOf(copy: string, folder: string): readonly [Specs, ...Specs[]] {
  const below = (...patterns: readonly string[]): readonly string[] =>
    globSync([...patterns], { cwd: copy, exclude: (path) => path.endsWith(OUTSIDE) }).toSorted();
  const own = below(`tests/${folder}/**/*.spec.ts`);
  const shared = [
    { files: below("tests/contract/*.spec.ts"), options: ["--grep", CORE] },
    { files: below("tests/contract/*.spec.ts", "tests/hosts/**/*.spec.ts"), options: ["--grep", CORE, "--invert"] },
  ] as const;
  return own.length === 0 ? shared : [{ files: own }, ...shared];
}

/** A copy in which a bug can do no harm: with the packages of the checkout, and itself as the package that it is. */
function copyCheckout(): string {
  const copy = mkdtempSync(join(tmpdir(), "previewenv-bugs-"));
  cpSync(ROOT, copy, { recursive: true, filter: (path) => !NOT_COPIED.has(basename(path)) });
  mkdirSync(join(copy, "node_modules"));
  for (const name of readdirSync(join(ROOT, "node_modules"))) {
    const target = name === "pulumi-previewenv" ? copy : join(ROOT, "node_modules", name);
    symlinkSync(target, join(copy, "node_modules", name), "junction");
  }
  return copy;
}

/** Builds the copy: what tests start as processes is the build. @returns why it cannot be built. Empty: it is */
function build(copy: string): string {
  const { status, stdout, stderr } = run(copy, [join("tools", "setup", "main.mjs")]);
  return status === 0 ? "" : `${stdout}${stderr}`.trim();
}

/** The history that breaks the promise of this bug, by the simulation with its budget for bugs. `undefined` when none does. */
function violationOf(copy: string, promise: string): string | undefined {
  const { stdout, stderr } = run(copy, [...TYPESCRIPT, SIMULATION, "--promise", promise]);
  if (stdout === "") throw new Error(`the simulation itself failed: ${stderr.trim().split("\n")[0]}`);
  const { histories, message } = search.parse(JSON.parse(stdout));
  return message && `after ${histories} histories: ${message.split("\n")[0]?.slice(0, MAX_MESSAGE)}`;
}

/** The first test that fails, of these specs. `undefined` when none does. */
function failureOf(copy: string, { files, options = [] }: Specs): string | undefined {
  const output = join(copy, "report.json");
  rmSync(output, { force: true });
  const mocha = [join("node_modules", "mocha", "bin", "mocha.js"), "--no-package", "--require", "ts-node/register"];
  const reporting = ["--reporter", "json", "--reporter-option", `output=${output}`];
  const limits = ["--bail", "--exit", "--timeout", String(MAX_TEST_MS)];
  const { status, stderr } = run(copy, [...mocha, ...reporting, ...limits, ...options, ...files]);
  if (status === 0) return undefined;
  try {
    const { failures } = report.parse(JSON.parse(readFileSync(output, "utf8")));
    return failures.map(({ file = "", fullTitle }) => `${basename(file)}: ${fullTitle}`)[0];
  } catch {
    return `the specs do not come to their end: ${stderr.trim().split("\n")[0]}`;
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function run(cwd: string, args: readonly string[]) {
  return spawnSync(process.execPath, args, { cwd, encoding: "utf8", timeout: MAX_RUN_MS, killSignal: "SIGKILL" });
}

/** Breaks the copy. @returns why that is no bug: the patch does not apply, or the types do not allow it. Empty: it is one */
function breakCopy(copy: string, bug: Bug): string {
  // The simulation plays the sources, not the build.
  return apply(copy, bug) || (bug.promise === undefined ? build(copy) : "");
}

/** Who finds a bug. `undefined` when nobody does. */
function finderOf(copy: string, bug: Bug): string | undefined {
  if (bug.promise !== undefined) return violationOf(copy, bug.promise);
  for (const specs of specsOf(copy, bug.folder)) {
    const failure = failureOf(copy, specs);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

/** @returns how many live */
function measure(broken: readonly Bug[]): number {
  const copy = copyCheckout();
  let live = 0;
  try {
    // A copy whose specs fail without a bug would find them all.
    const tested = broken.filter(({ promise }) => promise === undefined);
    for (const folder of new Set(tested.map((bug) => bug.folder))) {
      const failure = failureOf(copy, specsOf(copy, folder)[0]);
      if (failure !== undefined) throw new Error(`without any bug: ${failure}`);
    }
    for (const bug of broken) {
      const startedMs = Date.now();
      const refusal = breakCopy(copy, bug);
      const finder = refusal === "" ? finderOf(copy, bug) : undefined;
      if (finder === undefined) live += 1;
      const seconds = Math.round((Date.now() - startedMs) / MS_PER_SECOND);
      const verdict = refusal === "" ? "LIVES" : "NO BUG";
      say(`${finder === undefined ? verdict : "found"}  ${bug.name} (${seconds} s)  ${finder ?? refusal}`);
      apply(copy, bug, "--reverse");
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
  say(`${broken.length - live} found, ${live} live`);
  return live;
}

const [text = ""] = process.argv.slice(2);
const chosen = bugs.filter(({ name }) => name.includes(text));
if (chosen.length === 0) throw new Error(`no bug has ${JSON.stringify(text)} in its name`);
process.exitCode = measure(chosen) === 0 ? 0 : 1;

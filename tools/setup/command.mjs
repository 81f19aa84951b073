import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** @typedef {{ cwd?: string, env?: NodeJS.ProcessEnv }} CommandOptions */

/** @typedef {{ code: number, stdout: string, output: string }} CommandResult `output` is stdout and stderr in the order they came. */

/** A set-up that cannot go on: the message is all the user needs, so no stack trace is printed. */
export class SetupError extends Error {}

const ON_WINDOWS = process.platform === "win32";
const NOT_FOUND_CODE = 127;
const LAST_LINES = 15;

/**
 * Runs a command without a terminal and collects what it prints. Never fails for a bad exit code: look at `code` (127: not found). When this
 * process ends, the command does, too.
 * @param {string} command
 * @param {string[]} args
 * @param {CommandOptions} [options]
 * @returns {Promise<CommandResult>}
 */
export function run(command, args, options = {}) {
  // Its own process group: its end reaches what the command has started too.
  const child = spawn(command, args, {
    ...options,
    stdio: ["ignore", "pipe", "pipe"],
    detached: !ON_WINDOWS,
    shell: ON_WINDOWS && command.endsWith(".cmd"),
  });
  const end = () => killGroup(child, "SIGTERM");
  process.prependListener("exit", end);
  let stdout = "";
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text;
    output += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => (output += text));
  return new Promise((settle) => {
    const finish = (/** @type {number} */ code) => {
      process.off("exit", end);
      settle({ code, stdout, output });
    };
    child.once("error", (error) => {
      output += error.message;
      finish(NOT_FOUND_CODE);
    });
    child.once("close", (code) => finish(code ?? 1));
  });
}

/**
 * Sends a signal to a child started with `detached` and to everything it started.
 * @param {import("node:child_process").ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
export function killGroup(child, signal) {
  if (child.pid === undefined) return;
  try {
    if (ON_WINDOWS) child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // It has ended already.
  }
}

/**
 * As `run`, but a bad exit code is a SetupError that ends with the last lines of the output.
 * @param {string} what
 * @param {[string, ...string[]]} command
 * @param {CommandOptions} [options]
 */
export async function runOrFail(what, [command, ...args], options) {
  const result = await run(command, args, options);
  const lines = result.output.trimEnd().split("\n").slice(-LAST_LINES);
  if (result.code !== 0) throw new SetupError(`${what} failed (exit ${result.code}):\n    ${lines.join("\n    ")}`);
  return result;
}

/**
 * The absolute path of a program on PATH. Undefined when there is none.
 * @param {string} name
 */
export function findOnPath(name, env = process.env) {
  const suffixes = ON_WINDOWS ? [".exe", ".cmd"] : [""];
  for (const folder of (env.PATH ?? env.Path ?? "").split(delimiter)) {
    if (folder === "") continue;
    const found = suffixes.map((suffix) => join(folder, name + suffix)).find(isExecutable);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Whether a file is there that this process may start.
 * @param {string} path
 */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * A copy of the environment with folders in front of PATH.
 * @param {NodeJS.ProcessEnv} env
 * @param {string[]} folders
 * @param {(folder: string) => boolean} [keep] Which of the present folders stay. Default: all.
 * @returns {NodeJS.ProcessEnv}
 */
export function withPath(env, folders, keep = () => true) {
  const name = Object.keys(env).find((key) => key.toUpperCase() === "PATH") ?? "PATH";
  const present = (env[name] ?? "").split(delimiter).filter((folder) => keep(folder) && !folders.includes(folder));
  return { ...env, [name]: [...folders, ...present].join(delimiter) };
}

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { killGroup, SetupError } from "./command.mjs";

/** The signals that are passed on to a running script. */
export const FORWARDED = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);

const ON_WINDOWS = process.platform === "win32";
const SIGNAL_EXIT_BASE = 128;
// A terminal and npm both deliver the same Ctrl-C. A user's second one comes later, and means it.
const SAME_SIGNAL_MS = 500;

/**
 * Runs a script of package.json with its arguments, on this process's terminal, and gives its exit code. Signals reach it and everything it
 * has started exactly once, and its end is waited for. Unlike `npm run` it adds no line to what the script prints.
 * @param {string} root
 * @param {string} script
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>}
 */
export function runScript(root, script, args, env) {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const command = scripts?.[script];
  if (typeof command !== "string") throw new SetupError(`package.json has no script "${script}"`);
  if (ON_WINDOWS)
    return follow(spawn([command, ...args.map(quoted)].join(" "), { ...optionsOf(root, env), shell: true }));
  return runProgram("/bin/sh", ["-c", `${execOf(command)} "$@"`, "sh", ...args], root, env);
}

/**
 * Runs a program as `runScript` runs a script.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>}
 */
export function runProgram(program, args, cwd, env) {
  return follow(spawn(program, args, optionsOf(cwd, env)));
}

/**
 * Its own process group, so that only what is forwarded here reaches it: two SIGINT in a row would make the Pulumi CLI give up at once.
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} env
 * @returns {import("node:child_process").SpawnOptions}
 */
function optionsOf(cwd, env) {
  return { cwd, env, stdio: "inherit", detached: !ON_WINDOWS };
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @returns {Promise<number>}
 */
function follow(child) {
  const last = new Map();
  const forward = (/** @type {NodeJS.Signals} */ signal) => {
    const now = Date.now();
    if (now - (last.get(signal) ?? 0) < SAME_SIGNAL_MS) return;
    last.set(signal, now);
    killGroup(child, signal);
  };
  for (const signal of FORWARDED) process.on(signal, forward);
  return new Promise((settle, fail) => {
    child.once("error", fail);
    child.once("exit", (code, signal) => {
      for (const name of FORWARDED) process.off(name, forward);
      settle(code ?? exitCodeOf(signal));
    });
  });
}

/**
 * A single Node program runs instead of the shell, which would otherwise end by a signal that the program handles, and hide its exit code.
 * @param {string} command
 */
function execOf(command) {
  const isSingle = /^node\s/.test(command) && !/[;&|<>()$`\n]/.test(command);
  return isSingle ? `exec ${command}` : command;
}

/**
 * What a shell reports for a process that a signal has ended.
 * @param {NodeJS.Signals | null} signal
 */
export function exitCodeOf(signal) {
  return SIGNAL_EXIT_BASE + (signal === null ? 0 : constants.signals[signal]);
}

/** @param {string} argument Of a command for the shell of Windows. */
function quoted(argument) {
  return `"${argument.replaceAll('"', '""')}"`;
}

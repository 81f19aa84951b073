import { spawn } from "node:child_process";
import { constants } from "node:os";
import { killGroup } from "./command.mjs";

/** The signals that are passed on to a running program. */
export const FORWARDED = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);

const SIGNAL_EXIT_BASE = 128;
// A terminal and npm both deliver the same Ctrl-C. A user's second one comes later, and means it.
const SAME_SIGNAL_MS = 500;

/**
 * Runs a program on this process's terminal, and gives its exit code. Signals reach it and everything it has started exactly once, and its end
 * is waited for. It has its own process group, so that only what is forwarded here reaches it: two SIGINT in a row would make the Pulumi CLI
 * give up at once.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>}
 */
export function runProgram(program, args, cwd, env) {
  const child = spawn(program, args, { cwd, env, stdio: "inherit", detached: process.platform !== "win32" });
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
 * The exit code that a shell reports for a process that a signal has ended.
 * @param {NodeJS.Signals | null} signal
 */
export function exitCodeOf(signal) {
  return SIGNAL_EXIT_BASE + (signal === null ? 0 : constants.signals[signal]);
}

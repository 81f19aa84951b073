import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/** How a command ended, and what it printed: both streams, in the order in which they came. */
export interface Ended {
  readonly code: number;
  readonly text: string;
}

/** Only a command that hangs takes that long. */
const LIMIT_MS = 1_200_000;
const MARK = "--- what is exported now ---";

/** A shell in one folder that keeps what `export` sets, and one program that stays in the background. */
export class Terminal implements AsyncDisposable {
  readonly folder: string;
  #env: NodeJS.ProcessEnv;
  #background: ChildProcess | undefined;

  constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.folder = folder;
    this.#env = env;
  }

  /** Runs a line, and waits for its end. */
  async run(line: string): Promise<Ended> {
    if (!line.startsWith("export ")) return this.#shell(line);
    const { code, text } = await this.#shell(`${line}; printf '%s' '${MARK}'; env -0`);
    const [printed = "", exported = ""] = text.split(MARK);
    const pairs = exported.split("\0").filter((pair) => pair !== "");
    if (code === 0) this.#env = Object.fromEntries(pairs.map(nameAndValue));
    return { code, text: printed };
  }

  /** Starts a line in a folder, leaves it running, and gives what `pattern` finds in its output. @throws when it ends before. */
  start(line: string, folder: string, pattern: RegExp): Promise<string> {
    const child = spawn("bash", ["-c", `exec ${line}`], { cwd: folder, env: this.#env, detached: true });
    this.#background = child;
    let text = "";
    return new Promise((settle, fail) => {
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
          const [found] = pattern.exec(text) ?? [];
          if (found !== undefined) settle(found);
        });
      child.once("error", fail);
      child.once("exit", (code) => fail(new Error(`${line} ended with ${code ?? "a signal"}:\n${text}`)));
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const child = this.#background;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "close");
    stop(child, "SIGTERM");
    await gone;
  }

  #shell(script: string): Promise<Ended> {
    // In a process group of its own, so that the limit ends what it has started, too.
    const child = spawn("bash", ["-e", "-o", "pipefail", "-c", script], {
      cwd: this.folder,
      env: this.#env,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    return new Promise((settle, fail) => {
      const timer = setTimeout(() => {
        text += `\nended after ${LIMIT_MS / 1000} s: it hung`;
        stop(child, "SIGKILL");
      }, LIMIT_MS);
      child.once("error", (error) => (clearTimeout(timer), fail(error)));
      child.once("close", (code) => (clearTimeout(timer), settle({ code: code ?? -1, text })));
    });
  }
}

function stop({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended by itself.
  }
}

function nameAndValue(pair: string): readonly [string, string] {
  const end = pair.indexOf("=");
  return [pair.slice(0, end), pair.slice(end + 1)];
}

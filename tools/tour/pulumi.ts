import { type ChildProcess, spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import type { Screen } from "./screen";
import type { Workspace } from "./workspace";

const ON_WINDOWS = process.platform === "win32";
/** The first signal lets the CLI finish the step it is in, the second ends it with what it has started. */
const STOP_SIGNALS = [
  { signal: "SIGINT", afterMs: 0 },
  { signal: "SIGINT", afterMs: 4_000 },
  { signal: "SIGKILL", afterMs: 8_000 },
] as const;

/** The CLI is not there, or did not do what the tour needs before it can begin. */
export class CliError extends Error {}

/** How a command ended, and what it printed, without colours. */
export interface Finished {
  readonly exitCode: number;
  readonly output: string;
}

/** The real Pulumi CLI, in a workspace, on a screen. */
export class Pulumi {
  readonly #workspace: Workspace;
  readonly #screen: Screen;
  readonly #signal: AbortSignal;

  /** @param signal Ends the command that runs; its reason is thrown then. */
  constructor(workspace: Workspace, screen: Screen, signal: AbortSignal) {
    this.#workspace = workspace;
    this.#screen = screen;
    this.#signal = signal;
  }

  /** Makes the stack that all other commands work on. */
  async createStack(): Promise<void> {
    const { project, stack } = this.#workspace;
    const { exitCode } = await this.#show(["stack", "init", stack], [], project);
    if (exitCode !== 0) throw new CliError(`pulumi stack init ended with exit code ${exitCode}`);
  }

  /** Runs a command that changes or shows the stack's config. */
  async config(...words: readonly string[]): Promise<void> {
    const { exitCode } = await this.#show(["config", ...words], this.#configFile(), this.#workspace.program);
    if (exitCode !== 0) throw new CliError(`pulumi config ended with exit code ${exitCode}`);
  }

  /** Runs `up`, `preview` or `destroy`; any exit code is an answer. */
  run(...words: readonly string[]): Promise<Finished> {
    return this.#show(words, [...this.#configFile(), "--suppress-progress"], this.#workspace.program);
  }

  #configFile(): readonly string[] {
    return ["--config-file", this.#workspace.configFile];
  }

  async #show(words: readonly string[], unseen: readonly string[], cwd: string): Promise<Finished> {
    this.#signal.throwIfAborted();
    this.#screen.command(["pulumi", ...words]);
    const args = [...words, ...unseen, "--non-interactive", "--color", this.#screen.isColoured ? "always" : "never"];
    const child = spawn("pulumi", args, {
      cwd,
      env: this.#workspace.environment,
      stdio: ["ignore", "pipe", "pipe"],
      // Its own process group: a Ctrl-C reaches it from here alone, since two of them would make it give up at once.
      detached: !ON_WINDOWS,
    });
    const disarm = stopWith(child, this.#signal);
    try {
      return await collect(child, this.#screen);
    } finally {
      disarm();
      this.#signal.throwIfAborted();
    }
  }
}

function collect(child: ChildProcess, screen: Screen): Promise<Finished> {
  let output = "";
  const streams = [child.stdout, child.stderr].map((stream) => {
    const shown = screen.output();
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      shown.take(text);
    });
    return shown;
  });
  return new Promise((settle, fail) => {
    child.once("error", (error) => fail(new CliError(missing(error), { cause: error })));
    child.once("close", (code) => {
      for (const shown of streams) shown.end();
      settle({ exitCode: code ?? 1, output: stripVTControlCharacters(output) });
    });
  });
}

function missing(error: Error): string {
  const isMissing = "code" in error && error.code === "ENOENT";
  return isMissing
    ? "There is no pulumi on PATH. `npm start` provides one; https://www.pulumi.com/docs/install is another way."
    : `pulumi could not be started: ${error.message}`;
}

function stopWith(child: ChildProcess, signal: AbortSignal): () => void {
  const timers: NodeJS.Timeout[] = [];
  const stop = (): void => {
    for (const { signal: name, afterMs } of STOP_SIGNALS) timers.push(setTimeout(() => kill(child, name), afterMs));
  };
  signal.addEventListener("abort", stop, { once: true });
  return () => {
    signal.removeEventListener("abort", stop);
    for (const timer of timers) clearTimeout(timer);
  };
}

function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (ON_WINDOWS) child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // It has ended already.
  }
}

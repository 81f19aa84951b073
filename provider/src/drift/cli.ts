import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { compiledFolder } from "../installation/cache-folder";

/** One call of the Pulumi CLI. */
export interface Call {
  readonly args: readonly string[];
  /** More environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** Told each line of standard output. */
  readonly onLine: (line: string) => void;
}

/** How a call ended. */
export interface Ended {
  /** Whether the exit code is 0. */
  readonly isSuccess: boolean;
  /** What it wrote to standard error. */
  readonly stderr: string;
}

/**
 * Calls the Pulumi CLI in the folder of a project. Not the Automation API: that selects each stack it works with, cannot
 * preview with `--refresh=false`, and reads the secret outputs of a stack after an `up`.
 */
export class Cli {
  readonly #cwd: string;
  readonly #running = new Set<ChildProcess>();
  #stopped = false;

  /** @param cwd the folder of Pulumi.yaml */
  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  /**
   * Starts no call from now on. Ctrl-C in a terminal reaches the running ones by itself, and a second signal would end
   * them at once, so that only SIGTERM is passed on.
   */
  stop(signal: NodeJS.Signals): void {
    this.#stopped = true;
    if (signal === "SIGTERM") for (const child of this.#running) child.kill(signal);
  }

  /** Calls the CLI and waits for its end. @throws when it cannot run */
  async run({ args, env = {}, onLine }: Call): Promise<Ended> {
    if (this.#stopped) throw new Error("Stopped by a signal before this stack was done.");
    // CI often sets this variable to answer every question, and Pulumi then refuses `--preview-only`. Calls here ask nothing.
    const { PULUMI_SKIP_CONFIRMATIONS: _answer, ...inherited } = process.env;
    const child = spawn("pulumi", [...args, "--non-interactive", "--color", "never"], {
      cwd: this.#cwd,
      env: { ...compileCache(inherited), ...inherited, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#running.add(child);
    const errors: Buffer[] = [];
    child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
    const lines = createInterface({ input: child.stdout });
    lines.on("line", onLine);
    const read = new Promise<void>((resolve) => lines.once("close", resolve));
    try {
      const code = await new Promise<number | null>((resolve, reject) => {
        child.once("error", (error) => reject(unstarted(error)));
        child.once("close", resolve);
      });
      await read;
      return { isSuccess: code === 0, stderr: Buffer.concat(errors).toString() };
    } finally {
      this.#running.delete(child);
    }
  }
}

/** The CLI starts several Node.js processes for a stack, and each loads the same large packages. */
function compileCache({ NODE_COMPILE_CACHE: chosen }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return chosen === undefined ? { NODE_COMPILE_CACHE: compiledFolder() } : {};
}

function unstarted(error: NodeJS.ErrnoException): Error {
  if (error.code !== "ENOENT") return error;
  return new Error("Could not start the Pulumi CLI: put `pulumi` on PATH, and check that --cwd is a folder.");
}

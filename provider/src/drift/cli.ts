import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { compiledFolder } from "../installation/cache-folder";

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

  /**
   * Calls the CLI and waits for its end.
   * @param env more environment variables
   * @throws when it cannot run
   */
  async run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    if (this.#stopped) throw new Error("Stopped by a signal before this stack was done.");
    // CI often sets this variable to answer every question, and Pulumi then refuses `--preview-only`. Calls here ask nothing.
    // The CLI starts several Node.js processes for a stack, and each loads the same large packages.
    const { PULUMI_SKIP_CONFIRMATIONS: _answer, NODE_COMPILE_CACHE = compiledFolder(), ...inherited } = process.env;
    const child = spawn("pulumi", [...args, "--non-interactive", "--color", "never"], {
      cwd: this.#cwd,
      env: { ...inherited, NODE_COMPILE_CACHE, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#running.add(child);
    try {
      const [, stdout, stderr] = await Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);
      return { isSuccess: child.exitCode === 0, stdout, stderr };
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
      throw new Error("Could not start the Pulumi CLI: put `pulumi` on PATH, and check that --cwd is a folder.", {
        cause: error,
      });
    } finally {
      this.#running.delete(child);
    }
  }
}

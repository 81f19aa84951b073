import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import type { EnvironmentView, JournalEntry, Sandbox, VariableView } from "../../provider/src/sandbox";
import { SEED } from "../../provider/src/sandbox";
import { showByHand, showCommand, showConfirmed, showOutput } from "./screen";
import type { Workspace } from "./workspace";

const ON_WINDOWS = process.platform === "win32";
/** The first signal lets the CLI finish the step it is in, the second makes it give up, the third ends it. */
const STOP_SIGNALS = ["SIGINT", "SIGINT", "SIGKILL"] as const;
const BETWEEN_SIGNALS_MS = 4_000;

/** A check of the tour failed, or there is no CLI: the end of the tour. The message is all that is to be shown. */
export class TourError extends Error {}

/** What the steps of the tour work with: the real CLI, the service, and checks that are shown. */
export class Guide {
  readonly sandbox: Sandbox;
  readonly #workspace: Workspace;
  readonly #signal: AbortSignal;
  #mark = 0;

  /** @param signal Ends the command that runs. Its reason is thrown then. */
  constructor(sandbox: Sandbox, workspace: Workspace, signal: AbortSignal) {
    this.sandbox = sandbox;
    this.#workspace = workspace;
    this.#signal = signal;
  }

  /** Makes the stack that all other commands work on. */
  async createStack(): Promise<void> {
    const { project, stack } = this.#workspace;
    mustSucceed(await this.#run(["stack", "init", stack], [], project), "stack init");
  }

  /** Sets a secret of the stack's config. */
  async setSecret(path: string, value: string): Promise<void> {
    const words = ["config", "set", "--secret", "--path", path, value];
    mustSucceed(await this.#run(words, this.#configFile, this.#workspace.program), "config set");
  }

  /** Runs a command that must succeed, and gives what it printed, without colours. */
  async succeed(...words: readonly string[]): Promise<string> {
    return mustSucceed(await this.#act(words), words.join(" "));
  }

  /** Runs a command that must fail, and gives what it printed, without colours. */
  async fail(...words: readonly string[]): Promise<string> {
    const { exitCode, output } = await this.#act(words);
    this.check("the command fails: a CI job would stop here", exitCode !== 0);
    return output;
  }

  /** Shows what was checked. @throws TourError when it does not hold. */
  check(text: string, holds: boolean): void {
    if (!holds) throw new TourError(`CHECK FAILED: ${text}`);
    showConfirmed(text);
  }

  /** Does in the service's dashboard, so to speak, what nobody told Pulumi. */
  byHand(text: string, change: () => void): void {
    change();
    showByHand(text);
  }

  /** The requests of the command that ran last. */
  get requests(): readonly JournalEntry[] {
    return this.sandbox.journal.since(this.#mark);
  }

  /** The names of the variables that the last command sent, one list a PUT, sorted. */
  get sentNames(): readonly (readonly string[])[] {
    return this.requests.filter(({ label }) => label === "PUT /env-vars").map(({ names = [] }) => names.toSorted());
  }

  /** The environment of the tour: pull request 42 of the repository `web`. */
  get environment(): EnvironmentView {
    const environment = this.sandbox.world.environments.get(SEED.shopPullRequest);
    if (environment === undefined) throw new Error("the sandbox has no environment of pull request 42");
    return environment;
  }

  /** The branch that the environment has of a repository. */
  branchOf(repoName: string): string | undefined {
    return this.environment.projects.find((project) => project.repoName === repoName)?.branch;
  }

  /** A variable as the service has it, with its real value. */
  variable(name: string): VariableView | undefined {
    return this.sandbox.world.variable(SEED.shopPullRequest, name);
  }

  get #configFile(): readonly string[] {
    return ["--config-file", this.#workspace.configFile];
  }

  #act(words: readonly string[]): Promise<Finished> {
    this.#mark = this.sandbox.journal.mark();
    return this.#run(words, [...this.#configFile, "--suppress-progress"], this.#workspace.program);
  }

  async #run(words: readonly string[], unseen: readonly string[], cwd: string): Promise<Finished> {
    this.#signal.throwIfAborted();
    showCommand(["pulumi", ...words]);
    const color = process.stdout.isTTY && !process.env["NO_COLOR"] ? "always" : "never";
    const child = spawn("pulumi", [...words, ...unseen, "--non-interactive", "--color", color], {
      cwd,
      env: this.#workspace.environment,
      stdio: ["ignore", "pipe", "pipe"],
      // Its own process group: a Ctrl-C reaches it from here alone, since two of them would make it give up at once.
      detached: !ON_WINDOWS,
    });
    const lines: string[] = [];
    for (const input of [child.stdout, child.stderr])
      createInterface({ input }).on("line", (line) => {
        lines.push(line);
        showOutput(line);
      });
    const stop = (): void => void end(child);
    this.#signal.addEventListener("abort", stop, { once: true });
    try {
      const [code]: unknown[] = await once(child, "close");
      return { exitCode: Number(code ?? 1), output: stripVTControlCharacters(lines.join("\n")) };
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
      throw new TourError(
        "There is no pulumi on PATH. `npm start` provides one; https://www.pulumi.com/docs/install is another way.",
        { cause: error },
      );
    } finally {
      this.#signal.removeEventListener("abort", stop);
      this.#signal.throwIfAborted();
    }
  }
}

interface Finished {
  readonly exitCode: number;
  readonly output: string;
}

function mustSucceed({ exitCode, output }: Finished, command: string): string {
  if (exitCode !== 0) throw new TourError(`CHECK FAILED: pulumi ${command} ended with exit code ${exitCode}`);
  return output;
}

/** Ends the CLI with what it has started. */
async function end(child: ChildProcess): Promise<void> {
  for (const signal of STOP_SIGNALS) {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    if (ON_WINDOWS) child.kill(signal);
    else process.kill(-child.pid, signal);
    await setTimeout(BETWEEN_SIGNALS_MS, undefined, { ref: false });
  }
}

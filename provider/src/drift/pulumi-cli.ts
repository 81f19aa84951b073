import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import * as z from "zod";
import { parseJson } from "../client/answer";
import { cliEnvironment } from "./cli-environment";
import { readEvents, type ReportedStep } from "./engine-event";
import { type History, history, PAGE_SIZE } from "./history";
import { type Program, readProgram } from "./program";
import { type Deployment, stackExport } from "./stack-export";
import { shownBackend, withoutCredentials } from "./shown-backend";

/** Only this package's resources are refreshed, as dynamic provider and as plugin: others would cost time and credentials. */
const OWN_URNS = ["**dynamic/previewenv:**", "**previewenv:index:**"];
/** Without events, everything would look as if it were in sync. */
const NO_SUMMARY = "The Pulumi CLI succeeded, but did not say what it found. Install a newer one.";
const NO_REASON =
  "The Pulumi CLI failed without an error message. Run `pulumi preview` in the project's folder to see more.";
const STOPPED = "Stopped by a signal before this stack was done.";
const UPDATE_MESSAGE = "pulumi-previewenv drift --heal";

const LIST = ["stack", "ls", "--json"];
/** An error that the CLI wrote to standard error, with the indented lines below it, such as who has locked the stack. */
const WRITTEN_ERROR = /^error: (.+(?:\r?\n[ \t]+\S.*)*)/gmu;
const PLACE_OF_TAGS = /Loading stack tags from [^"\n]*?([^/\\"\n]+)\.pulumi-tags\b/gu;

const stackList = z.array(z.object({ name: z.string() }));
const login = z.object({ url: z.string() });

/** The commands that run the user's program. */
const RUN_PROGRAM: ReadonlySet<string> = new Set(["preview", "up"]);

/** Whether the preview of a command tells its events one by one, as updates do, or one document at the end. */
const STREAMING = "PULUMI_ENABLE_STREAMING_JSON_PREVIEW";

/** The program's new parts are not to be deployed now, so its preview need not look at the service, nor fail for it. */
const WITHOUT_LOOKS = { PREVIEWENV_PREVIEW_CHECKS: "false" };

/** The events of a command of the engine, and why it failed: no error, it did not. */
export interface Watched {
  readonly steps: readonly ReportedStep[];
  readonly errors: readonly string[];
}

/** The commands of the Pulumi engine that the drift check needs. */
export type Engine = Omit<PulumiCli, "stop">;

/**
 * The engine behind the Pulumi CLI, called in the folder of a project. Every command names its stack: none is selected. Not the
 * Automation API: that selects each stack it works with, cannot preview with `--refresh=false`, and reads the secret outputs of a stack
 * after an `up`.
 */
export class PulumiCli {
  readonly #cwd: string;
  readonly #running = new Set<ChildProcess>();
  #isStopped = false;

  /** @param cwd the folder of Pulumi.yaml */
  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  /**
   * Starts no command from now on. Ctrl-C in a terminal reaches the running ones by itself, and a second signal would end
   * them at once, so that only SIGTERM is passed on.
   */
  stop(signal: NodeJS.Signals): void {
    this.#isStopped = true;
    if (signal === "SIGTERM") for (const child of this.#running) child.kill(signal);
  }

  /** Names of the project's stacks, also when the state of one of them cannot be read. @throws when the project cannot be read */
  async stacks(): Promise<readonly string[]> {
    try {
      return stackList.parse(await this.#document(LIST)).map(({ name }) => name);
    } catch (error) {
      // Where no service lists the stacks, the CLI reads the state of each, and the first that it cannot read ends the list without a
      // name. It does not read them when it looks for a tag, and logs where.
      const { stderr } = await this.#run([...LIST, "--tag", "previewenv:none", "-v=9", "--logtostderr"]);
      const names = Array.from(stderr.matchAll(PLACE_OF_TAGS), ([, name = ""]) => name);
      if (names.length === 0) throw error;
      return names.toSorted();
    }
  }

  /** The name of a stack with its organization and project, if it has them. Of a stack that cannot be found, the name as it was given. */
  async wholeName(stack: string): Promise<string> {
    const { isSuccess, stdout } = await this.#run([
      "stack",
      "--show-name",
      "--fully-qualify-stack-names",
      "--stack",
      stack,
    ]);
    return isSuccess ? stdout.trim() : stack;
  }

  /** Where these stacks are kept, without credentials. @throws when nobody is logged in */
  async backend(): Promise<string> {
    return shownBackend(login.parse(await this.#document(["whoami", "--json"])).url);
  }

  /** State, as it is stored. */
  async export(stack: string): Promise<Deployment> {
    return stackExport.parse(await this.#document(["stack", "export", "--stack", stack]));
  }

  /** The runs of a stack, newest first, a page of them. @param page from 1 */
  async history(stack: string, page: number): Promise<History> {
    return history.parse(await this.#document(["stack", "history", "--json", ...paging(page), "--stack", stack]));
  }

  /** Previews a refresh of this package's resources. Writes nothing. The program does not run. */
  previewRefresh(stack: string): Promise<Watched> {
    return this.#watch(["refresh", "--preview-only", "--stack", stack, ...targets(OWN_URNS)]);
  }

  /** Compares today's program with what was last deployed. Writes nothing. */
  async compare(
    stack: string,
    state: Deployment,
  ): Promise<{ readonly program: Program; readonly errors: readonly string[] }> {
    // One document at the end: only this form tells dependencies.
    const env = { ...WITHOUT_LOOKS, [STREAMING]: "false" };
    const args = ["preview", "--refresh=false", "--json", "--show-sames", "--stack", stack];
    const { isSuccess, stdout, stderr } = await this.#run(args, env);
    const { program, errors } = readProgram(stdout, state);
    return { program, errors: isSuccess ? [] : this.#failures(errors, stderr) };
  }

  /** Previews an update of these resources, as if nothing had drifted. Writes nothing. */
  previewUpdate(stack: string, urns: readonly string[]): Promise<Watched> {
    return this.#watch(["preview", "--refresh=false", "--stack", stack, ...targets(urns)], WITHOUT_LOOKS);
  }

  /** Refreshes and updates these resources. One that fails does not stop those that do not depend on it. */
  restore(stack: string, urns: readonly string[]): Promise<Watched> {
    const args = ["up", "--yes", "--skip-preview", "--refresh", "--continue-on-error", "--message", UPDATE_MESSAGE];
    return this.#watch([...args, "--stack", stack, ...targets(urns)]);
  }

  /** Runs a command that tells its events a line at a time. */
  async #watch(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Watched> {
    const { isSuccess, stdout, stderr } = await this.#run([...args, "--json"], { ...env, [STREAMING]: "true" });
    // A line that is no event is a message of the CLI.
    const { steps, errors, isComplete } = readEvents(stdout.split("\n").map(parseJson));
    if (!isSuccess) return { steps, errors: this.#failures(errors, stderr) };
    return { steps, errors: isComplete ? [] : [NO_SUMMARY] };
  }

  /** The engine's errors. Without one, those that the CLI wrote to standard error, or all of that. */
  #failures(errors: readonly string[], stderr: string): readonly string[] {
    const written = Array.from(stderr.matchAll(WRITTEN_ERROR), ([, reason = ""]) => reason);
    const otherwise = [stderr.trim() || (this.#isStopped ? STOPPED : NO_REASON)];
    const told = [errors, [...new Set(written)]].find(({ length }) => length > 0) ?? otherwise;
    return told.map(withoutCredentials);
  }

  async #document(args: readonly string[]): Promise<unknown> {
    const { isSuccess, stdout, stderr } = await this.#run(args);
    if (!isSuccess) throw new Error(this.#failures([], stderr).join("\n"));
    return JSON.parse(stdout);
  }

  /** Waits for the end of a command. @throws when it cannot run */
  async #run([command = "", ...args]: readonly string[], env: Readonly<Record<string, string>> = {}) {
    if (this.#isStopped) throw new Error(STOPPED);
    const child = spawn("pulumi", [command, ...args, "--non-interactive", "--color", "never"], {
      cwd: this.#cwd,
      env: { ...cliEnvironment(process.env, RUN_PROGRAM.has(command)), ...env },
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

function paging(page: number): readonly string[] {
  return ["--page", String(page), "--page-size", String(PAGE_SIZE)];
}

function targets(urns: readonly string[]): readonly string[] {
  return urns.flatMap((urn) => ["--target", urn]);
}

import * as z from "zod";
import { parseJson } from "../client/answer";
import type { Cli } from "./cli";
import { readEvents, type Step } from "./engine-event";
import { type Program, readProgram } from "./program";

/** Only this package's resources are refreshed, as dynamic provider and as plugin: others would cost time and credentials. */
const OWN_URNS = ["**dynamic/previewenv:**", "**previewenv:index:**"];
/** Without events, everything would look as if it were in sync. */
const NO_SUMMARY = "The Pulumi CLI succeeded, but did not say what it found. Install a newer one.";
const MESSAGE = "pulumi-previewenv drift --heal";

const stackList = z.array(z.object({ name: z.string() }));
const login = z.object({ url: z.string() });

/** Whether the preview of a command tells its events one by one, as updates do, or one document at the end. */
const STREAMING = "PULUMI_ENABLE_STREAMING_JSON_PREVIEW";

/** What is new in the program is not to be deployed now, so its preview need not look at the service, nor fail for it. */
const WITHOUT_LOOKS = { PREVIEWENV_PREVIEW_CHECKS: "false" };

/** What a command of the engine told, and why it failed: no error, it did not. */
export interface Watched {
  readonly steps: readonly Step[];
  readonly errors: readonly string[];
}

/** What the drift check asks of the Pulumi engine. */
export type Engine = Pick<CliEngine, keyof CliEngine>;

/** The engine behind the Pulumi CLI. Every command names its stack: none is selected. */
export class CliEngine {
  readonly #cli: Cli;

  constructor(cli: Cli) {
    this.#cli = cli;
  }

  /** Names of the project's stacks. @throws when the project cannot be read */
  async stacks(): Promise<readonly string[]> {
    return stackList.parse(await this.#document(["stack", "ls", "--json"])).map(({ name }) => name);
  }

  /** Where these stacks are kept, without credentials. @throws when nobody is logged in */
  async backend(): Promise<string> {
    return shownBackend(login.parse(await this.#document(["whoami", "--json"])).url);
  }

  /** Previews a refresh of this package's resources. Writes nothing. The program does not run. */
  look(stack: string): Promise<Watched> {
    return this.#watch(["refresh", "--preview-only", "--stack", stack, ...targets(OWN_URNS)]);
  }

  /** Compares today's program with what was last deployed. Writes nothing. */
  async compare(stack: string): Promise<{ readonly program: Program; readonly errors: readonly string[] }> {
    // One document at the end: only this form tells dependencies.
    const env = { ...WITHOUT_LOOKS, [STREAMING]: "false" };
    const args = ["preview", "--refresh=false", "--json", "--show-sames", "--stack", stack];
    const { isSuccess, stdout, stderr } = await this.#cli.run(args, env);
    const { program, errors } = readProgram(stdout);
    return { program, errors: isSuccess ? [] : failuresOf(errors, stderr) };
  }

  /** Previews an update of these resources, as if nothing had drifted. Writes nothing. */
  rehearse(stack: string, urns: readonly string[]): Promise<Watched> {
    return this.#watch(["preview", "--refresh=false", "--stack", stack, ...targets(urns)], WITHOUT_LOOKS);
  }

  /** Refreshes and updates these resources. One that fails does not stop those that do not depend on it. */
  restore(stack: string, urns: readonly string[]): Promise<Watched> {
    const args = ["up", "--yes", "--skip-preview", "--refresh", "--continue-on-error", "--message", MESSAGE];
    return this.#watch([...args, "--stack", stack, ...targets(urns)]);
  }

  /** Runs a command that tells its events a line at a time. */
  async #watch(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Watched> {
    const { isSuccess, stdout, stderr } = await this.#cli.run([...args, "--json"], { ...env, [STREAMING]: "true" });
    // A line that is no event is a message of the CLI.
    const { steps, errors, isComplete } = readEvents(stdout.split("\n").map(parseJson));
    if (!isSuccess) return { steps, errors: failuresOf(errors, stderr) };
    return { steps, errors: isComplete ? [] : [NO_SUMMARY] };
  }

  async #document(args: readonly string[]): Promise<unknown> {
    const { isSuccess, stdout, stderr } = await this.#cli.run(args);
    if (!isSuccess) throw new Error(failuresOf([], stderr).join("\n"));
    return JSON.parse(stdout);
  }
}

function targets(urns: readonly string[]): readonly string[] {
  return urns.flatMap((urn) => ["--target", urn]);
}

/** The engine's errors. Without one, those that the CLI wrote to standard error, or all of that. */
export function failuresOf(errors: readonly string[], stderr: string): readonly string[] {
  if (errors.length > 0) return errors;
  const own = Array.from(stderr.matchAll(/^error: (.+)$/gmu), ([, text = ""]) => text);
  if (own.length > 0) return [...new Set(own)];
  return [
    stderr.trim() ||
      "The Pulumi CLI failed without an error message. Run `pulumi preview` in the project's folder to see more.",
  ];
}

/**
 * Where Pulumi keeps its state, as a report may show it: no name, password or query, in which a token may be. An address that
 * cannot be taken apart for sure is only its scheme.
 */
export function shownBackend(address: string): string {
  const [scheme = "", rest] = address.split("://", 2);
  if (rest === undefined) return "unknown";
  // A path of this machine: `file://~` and `file://C:\state` are no addresses of the web.
  if (scheme === "file") return address;
  if (!URL.canParse(address)) return `${scheme}://`;
  const { protocol, host, pathname, username } = new URL(address);
  // A password with a `/`, `?` or `#` in it would be taken for the host and what follows.
  if (username === "" && address.includes("@")) return `${scheme}://`;
  return `${protocol}//${host}${pathname}`;
}

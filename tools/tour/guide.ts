import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { stripVTControlCharacters, styleText } from "node:util";
import type { JournalEntry, Sandbox } from "../../provider/src/sandbox";
import type { Workspace } from "./workspace";

const RULE_WIDTH = 100;

/** A check of the tour failed, or somebody stopped it. The message is all that is to be shown. */
export class TourError extends Error {}

/** A line, or several, of the tour's own. */
export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** What the steps of the tour work with: the real CLI, the service, and checks that are shown. */
export class Guide {
  readonly sandbox: Sandbox;
  readonly #workspace: Workspace;
  readonly #signal: AbortSignal;
  #step = 0;
  #mark = 0;

  /** @param signal Ends the tour before the next command. Its reason is thrown then. */
  constructor(sandbox: Sandbox, workspace: Workspace, signal: AbortSignal) {
    this.sandbox = sandbox;
    this.#workspace = workspace;
    this.#signal = signal;
  }

  /** Shows where a step begins, and what to look at. */
  begin(title: string, lookAt: string): void {
    say(`\n${styleText("bold", `== ${this.#step++}. ${title} `.padEnd(RULE_WIDTH, "="))}\nlook at: ${lookAt}`);
  }

  /** Runs a command of Pulumi that must succeed, and gives what it printed, without colours. */
  async succeed(...words: readonly string[]): Promise<string> {
    const { exitCode, output } = await this.#run(words);
    if (exitCode !== 0) throw new TourError(`CHECK FAILED: pulumi ${words.join(" ")} ended with exit code ${exitCode}`);
    return output;
  }

  /** Runs a command of Pulumi that must fail, and gives what it printed, without colours. */
  async fail(...words: readonly string[]): Promise<string> {
    const { exitCode, output } = await this.#run(words);
    this.check("the command fails: a CI job would stop here", exitCode !== 0);
    return output;
  }

  /** Shows what was checked. @throws TourError when it does not hold. */
  check(claim: string, holds: boolean): void {
    if (!holds) throw new TourError(`CHECK FAILED: ${claim}`);
    say(`  ${styleText("green", "ok:")} ${claim}`);
  }

  /** Changes the program, and shows how. */
  edit(from: string, to: string): void {
    const file = join(this.#workspace.program, "index.ts");
    writeFileSync(file, readFileSync(file, "utf8").replace(from, to));
    say(`  in index.ts: ${from} becomes ${to}`);
  }

  /** Shows what somebody did on the service, and that no command shows. */
  tellByHand(change: string): void {
    say(`  by hand: ${change}`);
  }

  /** The requests of the command that ran last. */
  get requests(): readonly JournalEntry[] {
    return this.sandbox.journal.since(this.#mark);
  }

  /** The names of the variables that the last command sent, one list a PUT, sorted. */
  get sentNames(): readonly (readonly string[])[] {
    return this.requests.filter(({ label }) => label === "PUT /env-vars").map(({ names = [] }) => names.toSorted());
  }

  async #run(words: readonly string[]): Promise<{ readonly exitCode: number; readonly output: string }> {
    this.#signal.throwIfAborted();
    this.#mark = this.sandbox.journal.mark();
    say(`\n${styleText("bold", `$ pulumi ${words.join(" ")}`)}`);
    const color = process.stdout.isTTY && !process.env["NO_COLOR"] ? "always" : "never";
    // A Ctrl-C reaches it, too: it is in the group of this process.
    const child = spawn("pulumi", [...words, "--non-interactive", "--color", color], {
      cwd: this.#workspace.program,
      env: this.#workspace.environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const lines: string[] = [];
    for (const input of [child.stdout, child.stderr])
      createInterface({ input }).on("line", (line) => {
        lines.push(line);
        say(`  | ${line}`.trimEnd());
      });
    const [code]: unknown[] = await once(child, "close");
    this.#signal.throwIfAborted();
    return { exitCode: Number(code ?? 1), output: stripVTControlCharacters(lines.join("\n")) };
  }
}

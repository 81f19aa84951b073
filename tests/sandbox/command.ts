import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const MAIN = join(__dirname, "../../dist/provider/src/main.js");

/** Against hanging only: a command that should end, and serves instead. */
const GUARD_MS = 30_000;

/** What a finished command left. */
export interface Outcome {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

/** `pulumi-previewenv sandbox` in a process of its own, which ends with the block that has it. */
export class Command implements Disposable {
  readonly child: ChildProcessWithoutNullStreams;
  readonly outcome: Promise<Outcome>;

  constructor(...options: readonly string[]) {
    this.child = spawn(process.execPath, [MAIN, "sandbox", ...options], { timeout: GUARD_MS });
    this.outcome = outcomeOf(this.child);
  }

  /** Waits for the line that says where it listens, and gives back all that was printed with it. */
  async greeting(): Promise<string> {
    const ended = this.outcome.then(({ stderr }) => {
      throw new Error(`the command ended early: ${stderr}`);
    });
    let printed = "";
    while (!printed.includes("Ctrl-C")) {
      const [chunk] = await Promise.race([once(this.child.stdout, "data"), ended]);
      printed += String(chunk);
    }
    return printed;
  }

  [Symbol.dispose](): void {
    this.child.kill("SIGKILL");
  }
}

async function outcomeOf(child: ChildProcessWithoutNullStreams): Promise<Outcome> {
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => (stdout += String(chunk)));
  child.stderr.on("data", (chunk) => (stderr += String(chunk)));
  const [code] = await once(child, "close");
  return { code, stdout, stderr };
}

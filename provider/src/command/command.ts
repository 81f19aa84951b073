import { parseArgs } from "node:util";
import { packageVersion } from "../installation/package-version";

const FAILED = 1;

/** A mistake in the command line. */
export class UsageError extends Error {}

/** A command of this package, such as previewenv-drift. */
export interface Command {
  /** What `--help` prints; ends with a line feed. */
  readonly help: string;
  /**
   * Does what the command line asks for, and returns the exit code.
   * @throws UsageError, or what `parseArgs` throws, for a mistake in the command line
   */
  readonly run: (args: readonly string[]) => Promise<number>;
}

/** Runs a command with the command line of this process, and sets the exit code. An error is exit code 1 and its text. */
export function runCommand({ help, run }: Command): void {
  const args = process.argv.slice(2);
  const answer = answerAtOnce(args, help);
  if (answer !== undefined) {
    process.stdout.write(answer);
    return;
  }
  let hasFailed = false;
  const fail = (text: string): void => {
    hasFailed = true;
    process.exitCode = FAILED;
    process.stderr.write(`${text}\n`);
  };
  // Without a listener, a reader that goes away, as in `| head -1`, would end the process halfway.
  process.stdout.on("error", ({ message }) => fail(`Could not write to standard output: ${message}`));
  process.stderr.on("error", () => undefined);
  run(args).then(
    (code) => (process.exitCode = hasFailed ? FAILED : code),
    (error: unknown) => fail(explain(error)),
  );
}

/** The text that `--help` or `--version` asks for, whatever else the command line has. */
export function answerAtOnce(args: readonly string[], help: string): string | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: { help: { type: "boolean", short: "h" }, version: { type: "boolean" } },
    // Every other option is the command's own.
    strict: false,
  });
  if (values["help"] === true) return help;
  return values["version"] === true ? `${packageVersion()}\n` : undefined;
}

/** One line for a mistake in the command line; the text of any other error. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isUsage = error instanceof UsageError || ("code" in error && String(error.code).startsWith("ERR_PARSE_ARGS"));
  return isUsage ? `${error.message.split("\n", 1).join()} (see --help)` : error.message;
}

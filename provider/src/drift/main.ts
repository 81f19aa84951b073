#!/usr/bin/env node
import { appendFileSync, writeFileSync } from "node:fs";
import { HELP, readArguments, UsageError } from "./arguments";
import type { StackReport } from "./drift-item";
import { explain } from "./explain";
import { writeReport } from "./report";
import { findDrift } from "./stacks";

const EXIT = { inSync: 0, error: 1, drift: 2 } as const;

async function main(): Promise<number> {
  const options = readArguments(process.argv.slice(2), process.env);
  if (options === undefined) {
    process.stdout.write(HELP);
    return EXIT.inSync;
  }
  const progress = (line: string): void => void process.stderr.write(`${line}\n`);
  const stacks = await findDrift({ ...options, progress });
  const report = writeReport(options.format, stacks);
  if (options.output === undefined) process.stdout.write(report);
  else writeFileSync(options.output, report);
  if (options.summary !== undefined) appendFileSync(options.summary, writeReport("markdown", stacks));
  return exitCode(stacks);
}

function exitCode(stacks: readonly StackReport[]): number {
  if (stacks.some(({ status }) => status === "error")) return EXIT.error;
  return stacks.some(({ status }) => status === "drift" || status === "gone") ? EXIT.drift : EXIT.inSync;
}

/** One line for a mistake in the command line; what the CLI says for everything else. */
function complain(error: unknown): string {
  const isUsage =
    error instanceof UsageError ||
    (error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS"));
  return isUsage ? `${error.message.split("\n", 1).join()} (see --help)` : explain(error);
}

main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`${complain(error)}\n`);
    process.exitCode = EXIT.error;
  },
);

#!/usr/bin/env node
import { appendFileSync, writeFileSync } from "node:fs";
import { HELP, readArguments, UsageError } from "./arguments";
import { Cli } from "./cli";
import type { StackReport, StackStatus } from "./drift-item";
import { CliEngine } from "./engine";
import { writeReport } from "./report";
import { findDrift } from "./stacks";

const EXIT = { inSync: 0, error: 1, drift: 2 } as const;
const LEFT: ReadonlySet<StackStatus> = new Set(["drift", "gone", "partly healed"]);
const SIGNALS = ["SIGINT", "SIGTERM"] as const;

async function main(): Promise<number> {
  const options = readArguments(process.argv.slice(2), process.env);
  if (options === undefined) {
    process.stdout.write(HELP);
    return EXIT.inSync;
  }
  const progress = (line: string): void => void process.stderr.write(`${line}\n`);
  const cli = new Cli(options.cwd);
  // This process ends after the CLI's: a closed standard output would end an update halfway.
  for (const signal of SIGNALS) process.on(signal, () => cli.stop(signal));
  const stacks = await findDrift(new CliEngine(cli), { ...options, progress });
  const report = writeReport(options.format, stacks);
  if (options.output === undefined) process.stdout.write(report);
  else writeFileSync(options.output, report);
  if (options.summary !== undefined) appendFileSync(options.summary, writeReport("markdown", stacks));
  return exitCode(stacks);
}

function exitCode(stacks: readonly StackReport[]): number {
  if (stacks.some(({ status }) => status === "error")) return EXIT.error;
  return stacks.some(({ status }) => LEFT.has(status)) ? EXIT.drift : EXIT.inSync;
}

/** One line for a mistake in the command line. */
function complain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isUsage = error instanceof UsageError || ("code" in error && String(error.code).startsWith("ERR_PARSE_ARGS"));
  return isUsage ? `${error.message.split("\n", 1).join()} (see --help)` : error.message;
}

main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`${complain(error)}\n`);
    process.exitCode = EXIT.error;
  },
);

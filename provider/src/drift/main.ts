#!/usr/bin/env node
import { appendFileSync, writeFileSync } from "node:fs";
import { runCommand } from "../command/command";
import { HELP, readArguments } from "./arguments";
import { Cli } from "./cli";
import type { StackReport, StackStatus } from "./drift-item";
import { CliEngine } from "./engine";
import { writeReport } from "./report";
import { findDrift } from "./stacks";

const EXIT = { inSync: 0, error: 1, drift: 2 } as const;
const LEFT: ReadonlySet<StackStatus> = new Set(["drift", "gone", "partly healed"]);
const SIGNALS = ["SIGINT", "SIGTERM"] as const;

async function run(args: readonly string[]): Promise<number> {
  const options = readArguments(args, process.env);
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

runCommand({ help: HELP, run });

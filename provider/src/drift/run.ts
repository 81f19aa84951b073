import type { Values } from "../command/usage";
import { readArguments } from "./arguments";
import { PulumiCli } from "./pulumi-cli";
import { writeReport, writeReportFiles } from "./report";
import { findDrift } from "./stacks";
import type { USAGE } from "./usage";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Looks for drift, and writes the report. Gives the exit code. @throws UsageError */
export async function run(values: Values<typeof USAGE.options>): Promise<number> {
  const options = readArguments(values);
  const progress = (line: string): void => void process.stderr.write(`${line}\n`);
  const cli = new PulumiCli(options.cwd);
  // This process ends after the CLI's: a closed standard output would end an update halfway.
  for (const signal of SIGNALS) process.on(signal, () => cli.stop(signal));
  const report = await findDrift(cli, { ...options, progress });
  process.stdout.write(writeReport(options.format, report));
  writeReportFiles(report, options.outputs);
  return report.exitCode;
}

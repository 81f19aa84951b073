// Measures what the provider costs, on the real engine: see `--help`.
import { availableParallelism, constants } from "node:os";
import { excess, loading } from "../support/loading";
import { measureFleet } from "./measure-fleet";
import { measureTable } from "./measure-table";
import { HELP, readPlan } from "./plan";

const SIGNAL_EXIT_BASE = 128;

const stop = new AbortController();
// Not ended at once: the command that runs and the temporary folder have to go first.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.once(signal, () => {
    process.exitCode = SIGNAL_EXIT_BASE + constants.signals[signal];
    stop.abort(new Error(`Ended by ${signal}.`));
  });

async function main(): Promise<void> {
  const plan = readPlan(process.argv.slice(2));
  if (plan === undefined) return print(HELP);
  const { introduction, sections, brokenPromises } = await (plan.isFleet ? measureFleet : measureTable)(
    plan,
    stop.signal,
  );
  print(`Node ${process.version}, ${process.platform}, ${availableParallelism()} cores. ${introduction}\n`);
  for (const [title, body] of sections) print(`## ${title}\n\n${body}\n`);
  if (brokenPromises === undefined) return;
  // Both are the same on every machine.
  const loaded = excess(loading());
  print(["Request counts:", ...(brokenPromises.length === 0 ? ["as promised."] : brokenPromises)].join("\n"));
  print(["Loaded:", ...(loaded.length === 0 ? ["not more than listed."] : loaded)].join("\n"));
  if (brokenPromises.length + loaded.length > 0) process.exitCode = 1;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode ??= 1;
});

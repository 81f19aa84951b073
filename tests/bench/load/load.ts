import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { MS_PER_SECOND } from "../../../provider/src/client/clock";
import { measureCli } from "./cli";
import { measureHandlers } from "./handlers";
import { LOAD_HELP, type LoadPlan, readLoadPlan } from "./plan";
import type { LoadSample } from "./sample";
import { loadReport, tooLarge } from "./table";

/** The default of the setting `batchSize`. */
const BATCH_SIZE = 100;

const TITLES = {
  handlers: "Handlers alone, in a process of their own",
  cli: "With the Pulumi CLI: CPU of all processes, memory of the provider's",
} as const;

/** Measures how time and memory grow with the number of variables, and prints it; gives the exit code. */
export async function measureLoad(args: readonly string[], signal: AbortSignal): Promise<number> {
  const plan = readLoadPlan(args);
  if (plan === undefined) {
    process.stdout.write(LOAD_HELP);
    return 0;
  }
  const samples = await measureAll(plan, signal);
  if (plan.json !== undefined) writeFileSync(plan.json, JSON.stringify(samples));
  const machine = `Node ${process.version}, ${process.platform}, ${availableParallelism()} cores. One run of each.`;
  const problems = tooLarge(samples, BATCH_SIZE);
  const last = problems.length === 0 ? `No request carried more than ${BATCH_SIZE} variables.` : problems.join("\n");
  process.stdout.write(`${[machine, loadReport(TITLES[plan.with], samples), last].join("\n\n")}\n`);
  return problems.length === 0 ? 0 : 1;
}

async function measureAll(
  { sizes, with: way, skipCheckpoints }: LoadPlan,
  signal: AbortSignal,
): Promise<readonly LoadSample[]> {
  const samples: LoadSample[] = [];
  for (const [shape, counts] of sizes)
    for (const size of counts) {
      const started = performance.now();
      samples.push(
        ...(way === "cli"
          ? await measureCli(shape, size, { signal, skipCheckpoints })
          : await measureHandlers(shape, size, signal)),
      );
      const seconds = ((performance.now() - started) / MS_PER_SECOND).toFixed(1);
      process.stderr.write(`${shape} of ${size}: ${seconds} s\n`);
    }
  return samples;
}

// Measures what the provider costs, on the real engine: see `--help`.
import { writeFileSync } from "node:fs";
import { availableParallelism, constants } from "node:os";
import { measureFleets } from "./fleet/fleet";
import { measureLoad } from "./load/load";
import { HELP, type Plan, readPlan } from "./plan";
import { broken } from "./requests";
import { compare, type Sample } from "./results";
import { excess, loading } from "../support/loading";
import { Runner } from "./runner";
import { cpuTable, memoryTable, requestTable, stateTable, targetTable, wallTable } from "./table";
import { verdicts } from "./targets";

const SIGNAL_EXIT_BASE = 128;

/** A signal has ended the benchmark. */
class Interrupted extends Error {
  readonly exitCode: number;

  constructor(signal: keyof typeof constants.signals) {
    super(`Ended by ${signal}.`);
    this.exitCode = SIGNAL_EXIT_BASE + constants.signals[signal];
  }
}

const stop = new AbortController();
// Not ended at once: the command that runs and the temporary folder have to go first.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.once(signal, () => stop.abort(new Interrupted(signal)));

async function main(signal: AbortSignal): Promise<number> {
  const args = process.argv.slice(2);
  if (args.includes("--load")) return measureLoad(args, signal);
  if (args.includes("--fleet")) return measureFleets(args, signal);
  const plan = readPlan(args);
  if (plan === undefined) {
    print(HELP);
    return 0;
  }
  await using runner = await Runner.start(plan, (line) => void process.stderr.write(`${line}\n`), signal);
  await runner.run();
  const { samples, states } = runner;
  const comparisons = compare(samples);
  if (plan.jsonFile !== undefined) writeFileSync(plan.jsonFile, JSON.stringify({ plan, comparisons, states, samples }));
  const cpu = ["CPU of all processes", cpuTable(comparisons)] as const;
  const others = [
    ["Wall time", wallTable(comparisons)],
    ["Peak memory", memoryTable(comparisons)],
    ["Requests", requestTable(comparisons)],
    ["State", stateTable(states)],
    ["Targets (for information: they do not decide the exit code)", targetTable(verdicts(comparisons, states))],
  ] as const;
  const sections = plan.isQuick ? [cpu] : [cpu, ...others];
  print(`${introduction(plan)}\n${sections.map(([title, body]) => `\n## ${title}\n\n${body}\n`).join("")}`);
  return report(samples);
}

function introduction({ pairs, shape }: Plan): string {
  return (
    `Node ${process.version}, ${process.platform}, ${availableParallelism()} cores. Secrets of the program: ${shape}. Medians of ` +
    `${pairs} rounds; in each all contenders run in turn, and a ratio is the median of the ratios of single rounds.`
  );
}

/** What fails the benchmark: request counts, which are promises, and what is loaded. Both are the same on every machine. */
function report(samples: readonly Sample[]): number {
  const requests = samples
    .filter(({ contender }) => contender === "ours" || contender === "native")
    .flatMap(({ contender, operation, size, latencyMs, traffic }) =>
      broken(operation, size, traffic).map(
        (problem) => `${contender}: ${operation}, N = ${size}, ${latencyMs} ms: ${problem}`,
      ),
    );
  const loaded = excess(loading());
  print(requests.length === 0 ? "Request counts: as promised." : `Request counts:\n${requests.join("\n")}`);
  print(loaded.length === 0 ? "Loaded: not more than listed." : `Loaded:\n${loaded.join("\n")}`);
  return requests.length + loaded.length === 0 ? 0 : 1;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

main(stop.signal)
  .then((code) => (process.exitCode = code))
  .catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = error instanceof Interrupted ? error.exitCode : 1;
  });

// Measures what the provider costs, on the real engine: see `--help`.
import { availableParallelism, constants } from "node:os";
import { parseArgs } from "node:util";
import { commands, type Contender, contenders, type Operation } from "./contenders";
import { measureLives, type Plan } from "./lives";
import { tableOf } from "./report";

const SIGNAL_EXIT_BASE = 128;
const DEFAULTS = {
  table: { pairs: "8", sizes: "1,100,1000", contenders: "floor,ours,native" },
  quick: { pairs: "2", sizes: "1,100,1000", contenders: "floor,ours" },
  fleet: { pairs: "1", sizes: "30,120,400,1000", contenders: "checkpoints,sets,component" },
};
/** A change of one variable shows what a quick look can show. */
const SLOW: Operation = "change all";

const HELP = `What the provider costs, measured with the Pulumi CLI against the sandbox.

Usage: npm run bench -- [options]

  --pairs N           rounds that count, after one that is dropped (default ${DEFAULTS.table.pairs}); each has every contender
  --sizes N,N         hidden variables of an environment (default ${DEFAULTS.table.sizes})
  --contenders A,B    of ${contenders.map(({ name }) => name).join(", ")} (default ${DEFAULTS.table.contenders})
  --quick             a look in less than 3 minutes: 2 rounds of floor and ours
  --fleet             every environment of a repository in one program, once: ${DEFAULTS.fleet.contenders}. The sizes are
                      then numbers of environments (default ${DEFAULTS.fleet.sizes})

floor: one dynamic resource that holds the same secrets and does nothing. ours: one EnvVarSet. native: the same
with the native plugin. With a resource for each variable: single, an EnvVar; nothing, a dynamic resource that does nothing.
checkpoints: an EnvVarSet for each environment. sets: the same with PULUMI_SKIP_CHECKPOINTS. component: so with PreviewEnvironments.`;

const stop = new AbortController();
// Not ended at once: the command that runs and the temporary folder have to go first.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.once(signal, () => {
    process.exitCode = SIGNAL_EXIT_BASE + constants.signals[signal];
    stop.abort(new Error(`Ended by ${signal}.`));
  });

/** Reads the command line, or `undefined` when it asks for help. @throws for what is not understood. */
function readPlan(): Plan | undefined {
  const { values } = parseArgs({
    options: {
      pairs: { type: "string" },
      sizes: { type: "string" },
      contenders: { type: "string" },
      quick: { type: "boolean", default: false },
      fleet: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return undefined;
  const given = { ...DEFAULTS[values.fleet ? "fleet" : values.quick ? "quick" : "table"], ...values };
  const [rounds = 1] = readNumbers("--pairs", given.pairs);
  return {
    contenders: readContenders(given.contenders),
    sizes: readNumbers("--sizes", given.sizes),
    rounds,
    isWarmedUp: !values.quick && !values.fleet,
    operations: Object.keys(commands)
      .filter(isOperation)
      .filter((operation) => !values.quick || operation !== SLOW),
  };
}

function isOperation(name: string): name is Operation {
  return name in commands;
}

function readContenders(text: string): readonly Contender[] {
  const names = text.split(",");
  const chosen = contenders.filter(({ name }) => names.includes(name));
  if (chosen.length === names.length) return chosen;
  throw new Error(`--contenders: some of ${contenders.map(({ name }) => name).join(",")}`);
}

function readNumbers(option: string, text: string): readonly number[] {
  const numbers = text.split(",").map(Number);
  if (numbers.every((number) => Number.isSafeInteger(number) && number > 0)) return numbers;
  throw new Error(`${option} must be whole numbers of at least 1, separated by commas`);
}

async function main(): Promise<void> {
  const plan = readPlan();
  if (plan === undefined) return print(HELP);
  const samples = await measureLives(plan, stop.signal);
  print(
    `Node ${process.version}, ${process.platform}, ${availableParallelism()} cores. Medians of ${plan.rounds} rounds.\n`,
  );
  print(tableOf(samples));
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode ??= 1;
});

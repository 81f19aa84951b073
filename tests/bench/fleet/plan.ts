import { parseArgs } from "node:util";

export const FLEET_HELP = `What every environment of a repository costs in one program, and what it costs to wait for many builds at once.

Usage: npm run bench -- --fleet [options]

  --sizes N,N         environments, each with a set of 20 variables (default 30,120,400,1000)
  --checkpoints A,B   of with,without: whether the engine writes its whole state at every step (default with,without)
  --builds N          builds that are waited for at once, of 20 s each (default 30; 0: none)
  --parallel N,N      the engine's --parallel for them (default 8,16,32)
  --json FILE         write every single figure there too

With checkpoints the cost of a create and of a change grows with the square of the size: 1,000 environments take about a
quarter of an hour each. All the rest takes about as long together. The exit code is 1 when other requests are sent than
promised; times do not decide it.
`;

/** What the engine does with its state while it works. */
export type Checkpoints = "with" | "without";

/** What is to be measured. */
export interface FleetPlan {
  readonly sizes: readonly number[];
  readonly checkpoints: readonly Checkpoints[];
  readonly builds: number;
  readonly parallel: readonly number[];
  readonly json: string | undefined;
}

/** Reads the options of the command line; `undefined` asks for help. Throws for what is not understood. */
export function readFleetPlan(args: readonly string[]): FleetPlan | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      fleet: { type: "boolean" },
      sizes: { type: "string", default: "30,120,400,1000" },
      checkpoints: { type: "string", default: "with,without" },
      builds: { type: "string", default: "30" },
      parallel: { type: "string", default: "8,16,32" },
      json: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return undefined;
  const named = values.checkpoints.split(",");
  const checkpoints = (["with", "without"] as const).filter((one) => named.includes(one));
  if (checkpoints.length !== named.length) throw new Error("--checkpoints: with, without, or both");
  const [builds = 0] = readNumbers("--builds", values.builds, 0);
  return {
    sizes: readNumbers("--sizes", values.sizes, 1),
    checkpoints,
    builds,
    parallel: readNumbers("--parallel", values.parallel, 1),
    json: values.json,
  };
}

function readNumbers(option: string, text: string, least: number): readonly number[] {
  const numbers = text.split(",").map(Number);
  const grows = numbers.every(
    (number, index) => Number.isSafeInteger(number) && number >= least && number > (numbers[index - 1] ?? -1),
  );
  if (grows) return numbers;
  throw new Error(`${option} must be growing whole numbers of at least ${least}, separated by commas`);
}

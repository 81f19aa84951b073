import { parseArgs } from "node:util";

export const FLEET_HELP = `What every environment of a repository costs in one program, and what it costs to wait for many builds at once.

Usage: npm run bench -- --fleet [options]

  --sizes N,N         environments, each with a set of 20 variables (default 30,120,400,1000)
  --programs A,B      of checkpoints,sets,component (default: all)
  --builds N          builds that are waited for at once, of 20 s each (default 30; 0: none)
  --parallel N,N      the engine's --parallel for them (default 8,16,32)
  --json FILE         write every single figure there too

checkpoints: a program that lists environments and makes an EnvVarSet for each; the engine writes its whole state at every
step. sets: the same program with PULUMI_SKIP_CHECKPOINTS. component: PreviewEnvironments, where each environment has a
set and one build, with the same setting. With checkpoints the cost grows with the square of the size: 1,000
environments alone take about half an hour. The exit code is 1 when other requests are sent than promised; times do not
decide it.
`;

/** The programs that are measured: `checkpoints` with Pulumi's defaults, the others with PULUMI_SKIP_CHECKPOINTS. */
export const programs = ["checkpoints", "sets", "component"] as const;
export type FleetProgram = (typeof programs)[number];

/** What is to be measured. */
export interface FleetPlan {
  readonly sizes: readonly number[];
  readonly programs: readonly FleetProgram[];
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
      programs: { type: "string", default: programs.join(",") },
      builds: { type: "string", default: "30" },
      parallel: { type: "string", default: "8,16,32" },
      json: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return undefined;
  const named = values.programs.split(",");
  const chosen = programs.filter((one) => named.includes(one));
  if (chosen.length !== named.length) throw new Error(`--programs: some of ${programs.join(",")}`);
  const [builds = 0] = readNumbers("--builds", values.builds, 0);
  return {
    sizes: readNumbers("--sizes", values.sizes, 1),
    programs: chosen,
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

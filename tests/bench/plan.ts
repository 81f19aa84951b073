import { type Contender, contenders } from "./contenders";

export const HELP = `What the provider costs, measured with the Pulumi CLI against the sandbox.

Usage: npm run bench -- [options]

  --runs N            runs that count, after one that is dropped (default 3)
  --sizes N,N         hidden variables of an environment (default 1,100,1000)
  --latency MS,MS     how long the service takes for an answer (default 0,50)
  --contenders A,B    of ${contenders.join(", ")} (default: all)
  --json FILE         write every single figure there too
  --load              something else: how cost grows up to 10,000 variables (--load --help)
  --fleet             something else: what up to 1,000 environments and many builds cost (--fleet --help)

floor: one dynamic resource that holds the same secrets and does nothing. ours: one EnvVarSet. native: the same
with the native plugin. per-variable: an inline
pulumi.dynamic.Resource for each variable; 1000 of them take many minutes, so they run once, without latency.
The exit code is 1 when our provider sends other requests than promised. Times do not decide it.
`;

/** What is to be measured. */
export interface Plan {
  readonly runs: number;
  readonly sizes: readonly number[];
  readonly latenciesMs: readonly number[];
  readonly contenders: readonly Contender[];
}

/** Reads the options of the command line; throws for what is not understood. */
export function readPlan(values: { runs: string; sizes: string; latency: string; contenders: string }): Plan {
  const names = values.contenders.split(",");
  const chosen = contenders.filter((contender) => names.includes(contender));
  if (chosen.length !== names.length) throw new Error(`--contenders: some of ${contenders.join(",")}`);
  const [runs = 1] = readNumbers("--runs", values.runs, 1);
  return {
    runs,
    sizes: readNumbers("--sizes", values.sizes, 1),
    latenciesMs: readNumbers("--latency", values.latency, 0),
    contenders: chosen,
  };
}

function readNumbers(option: string, text: string, least: number): readonly number[] {
  const numbers = text.split(",").map(Number);
  if (numbers.every((number) => Number.isSafeInteger(number) && number >= least)) return numbers;
  throw new Error(`${option} must be whole numbers of at least ${least}, separated by commas`);
}

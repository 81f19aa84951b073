import { parseArgs } from "node:util";
import { type Contender, contenders } from "./contenders";

const DEFAULTS = {
  table: { pairs: "8", sizes: "1,100,1000", contenders: "floor,ours,native" },
  quick: { pairs: "2", sizes: "1,100,1000", contenders: "floor,ours" },
  fleet: { pairs: "1", sizes: "30,120,400,1000", contenders: "" },
};

export const HELP = `What the provider costs, measured with the Pulumi CLI against the sandbox.

Usage: npm run bench -- [options]

  --pairs N           rounds that count, after one that is dropped (default ${DEFAULTS.table.pairs}); each has every contender
  --sizes N,N         hidden variables of an environment (default ${DEFAULTS.table.sizes})
  --contenders A,B    of ${contenders.join(", ")} (default ${DEFAULTS.table.contenders})
  --quick             a look in less than 3 minutes: 2 rounds of floor and ours
  --fleet             something else: what every environment of a repository costs in one program, and many builds at once;
                      with --sizes, the numbers of environments (default ${DEFAULTS.fleet.sizes})

floor: one dynamic resource that holds the same secrets and does nothing. ours: one EnvVarSet. native: the same
with the native plugin. With a resource for each variable: single, an EnvVar; nothing, a dynamic resource that does nothing.
The exit code is 1 when our provider sends other requests than promised or loads more than listed. Times do not decide it.`;

/** What is to be measured. */
export interface Plan {
  readonly isFleet: boolean;
  readonly isQuick: boolean;
  readonly pairs: number;
  readonly sizes: readonly number[];
  readonly contenders: readonly Contender[];
}

/** Reads the command line, or `undefined` when it asks for help. @throws for what is not understood. */
export function readPlan(args: readonly string[]): Plan | undefined {
  const { values } = parseArgs({
    args: [...args],
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
  const defaults = DEFAULTS[values.fleet ? "fleet" : values.quick ? "quick" : "table"];
  const [pairs = 1] = readNumbers("--pairs", values.pairs ?? defaults.pairs);
  return {
    isFleet: values.fleet,
    isQuick: values.quick,
    pairs,
    sizes: readNumbers("--sizes", values.sizes ?? defaults.sizes),
    contenders: values.fleet ? [] : readContenders(values.contenders ?? defaults.contenders),
  };
}

function readContenders(text: string): readonly Contender[] {
  const names = text.split(",");
  const chosen = contenders.filter((contender) => names.includes(contender));
  if (chosen.length !== names.length) throw new Error(`--contenders: some of ${contenders.join(",")}`);
  return chosen;
}

function readNumbers(option: string, text: string): readonly number[] {
  const numbers = text.split(",").map(Number);
  if (numbers.every((number) => Number.isSafeInteger(number) && number > 0)) return numbers;
  throw new Error(`${option} must be whole numbers of at least 1, separated by commas`);
}

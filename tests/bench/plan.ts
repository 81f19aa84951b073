import { parseArgs } from "node:util";
import { type Contender, contenders, type Shape, shapes } from "./contenders";

const DEFAULTS = {
  table: { pairs: "8", sizes: "1,100,1000", contenders: "floor,ours,native" },
  quick: { pairs: "2", sizes: "1,100,1000", contenders: "floor,ours" },
  fleet: { pairs: "1", sizes: "30,120,400,1000", contenders: "" },
};

export const HELP = `What the provider costs, measured with the Pulumi CLI against the sandbox.

Usage: npm run bench -- [options]

  --pairs N           rounds that count, after one that is dropped (default ${DEFAULTS.table.pairs}); each has every contender
  --sizes N,N         hidden variables of an environment (default ${DEFAULTS.table.sizes})
  --latency MS,MS     how long the service takes for an answer (default 0)
  --contenders A,B    of ${contenders.join(", ")} (default ${DEFAULTS.table.contenders})
  --program SHAPE     how the program comes by its secrets: ${shapes.join(", ")} (default config)
  --quick             a look in less than 3 minutes: 2 rounds of floor and ours
  --json FILE         write every single figure there too
  --fleet             something else: what every environment of a repository costs in one program, and many builds at once;
                      with --sizes, the numbers of environments (default ${DEFAULTS.fleet.sizes})

floor: one dynamic resource that holds the same secrets and does nothing. ours: one EnvVarSet. native: the same
with the native plugin. With a resource for each variable: single, an EnvVar; nothing, a dynamic resource that does nothing.
literal: the values stand in the program. config: each comes from stack config, by requireSecret. object: all come as one
map, by requireSecretObject. mixed: half are visible variables, half secrets from config.
The exit code is 1 when our provider sends other requests than promised or loads more than listed. Times do not decide it.`;

/** What is to be measured. */
export interface Plan {
  readonly isFleet: boolean;
  readonly isQuick: boolean;
  readonly pairs: number;
  readonly sizes: readonly number[];
  readonly latenciesMs: readonly number[];
  readonly contenders: readonly Contender[];
  readonly shape: Shape;
  /** Where every single figure is written to. */
  readonly jsonFile: string | undefined;
}

/** Reads the command line, or `undefined` when it asks for help. @throws for what is not understood. */
export function readPlan(args: readonly string[]): Plan | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      pairs: { type: "string" },
      sizes: { type: "string" },
      latency: { type: "string", default: "0" },
      contenders: { type: "string" },
      program: { type: "string", default: "config" },
      quick: { type: "boolean", default: false },
      fleet: { type: "boolean", default: false },
      json: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return undefined;
  const defaults = DEFAULTS[values.fleet ? "fleet" : values.quick ? "quick" : "table"];
  const shape = shapes.find((name) => name === values.program);
  if (shape === undefined) throw new Error(`--program: one of ${shapes.join(", ")}`);
  const [pairs = 1] = readNumbers("--pairs", values.pairs ?? defaults.pairs, 1);
  return {
    isFleet: values.fleet,
    isQuick: values.quick,
    pairs,
    sizes: readNumbers("--sizes", values.sizes ?? defaults.sizes, 1),
    latenciesMs: readNumbers("--latency", values.latency, 0),
    contenders: values.fleet ? [] : readContenders(values.contenders ?? defaults.contenders),
    shape,
    jsonFile: values.json,
  };
}

function readContenders(text: string): readonly Contender[] {
  const names = text.split(",");
  const chosen = contenders.filter((contender) => names.includes(contender));
  if (chosen.length !== names.length) throw new Error(`--contenders: some of ${contenders.join(",")}`);
  return chosen;
}

function readNumbers(option: string, text: string, least: number): readonly number[] {
  const numbers = text.split(",").map(Number);
  if (numbers.every((number) => Number.isSafeInteger(number) && number >= least)) return numbers;
  throw new Error(`${option} must be whole numbers of at least ${least}, separated by commas`);
}

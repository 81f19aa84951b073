import { parseArgs } from "node:util";

export const LOAD_HELP = `How time and memory grow with the number of variables, in the provider's own handlers and with the Pulumi CLI.

Usage: npm run bench -- --load [options]

  --sets N,N        variables of one EnvVarSet (default 10,1250,2500,5000,10000)
  --singles N,N     EnvVar resources of one environment (default 10,250,500,1000,2000)
  --cli             with the Pulumi CLI instead of the handlers alone; 500 resources already take many minutes, because the
                    engine writes the whole state to its file after each step
  --skip-checkpoints  with --cli: the engine writes state at the end only, so that its cost is taken away
  --json FILE       write every single figure there too

Half of the variables are secrets. The smallest size stands for what it costs to do anything at all. Handlers run in a process of their own for each size, with 16 calls at once where there are
many resources, as the engine does. The exit code is 1 when a request carries more than 100 variables; times do not decide it.
`;

/** What carries the variables. */
export type Shape = "set" | "singles";

/** What is to be measured. */
export interface LoadPlan {
  readonly sizes: ReadonlyMap<Shape, readonly number[]>;
  readonly with: "handlers" | "cli";
  readonly skipCheckpoints: boolean;
  readonly json: string | undefined;
}

/** Reads the options of the command line; `undefined` asks for help. Throws for what is not understood. */
export function readLoadPlan(args: readonly string[]): LoadPlan | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      load: { type: "boolean" },
      sets: { type: "string", default: "10,1250,2500,5000,10000" },
      singles: { type: "string", default: "10,250,500,1000,2000" },
      cli: { type: "boolean", default: false },
      "skip-checkpoints": { type: "boolean", default: false },
      json: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return undefined;
  return {
    sizes: new Map([
      ["set", readSizes("--sets", values.sets)],
      ["singles", readSizes("--singles", values.singles)],
    ]),
    with: values.cli ? "cli" : "handlers",
    skipCheckpoints: values["skip-checkpoints"],
    json: values.json,
  };
}

function readSizes(option: string, text: string): readonly number[] {
  if (text === "") return [];
  const sizes = text.split(",").map(Number);
  const grows = sizes.every((size, index) => Number.isSafeInteger(size) && size > (sizes[index - 1] ?? 1));
  if (!grows) throw new Error(`${option} must be growing whole numbers of at least 2, separated by commas`);
  return sizes;
}

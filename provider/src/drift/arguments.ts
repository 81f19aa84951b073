import { parseArgs } from "node:util";
import { UsageError } from "../command/command";
import { type Format, FORMATS } from "./report";

const DEFAULT_PARALLEL = 4;
const MAX_PARALLEL = 64;

/** What the command line asks for. */
export interface DriftOptions {
  /** The folder of Pulumi.yaml. */
  readonly cwd: string;
  /** Empty: every stack of the project. */
  readonly stacks: readonly string[];
  /** How many stacks are looked at side by side. */
  readonly parallel: number;
  readonly format: Format;
  /** The file for the report; standard output when left out. */
  readonly output?: string;
  /** The file to which the Markdown report is appended. */
  readonly summary?: string;
  readonly heal: boolean;
}

/** What `--help` prints. */
export const HELP = `previewenv-drift: finds what was changed by hand in preview environments, in the stacks of a Pulumi project

Usage: previewenv-drift [options]

  --cwd FOLDER      the folder of Pulumi.yaml (default: this one)
  --stack NAME      a stack to look at; may be repeated (default: every stack of the project)
  --parallel N      how many stacks are looked at side by side (default ${DEFAULT_PARALLEL})
  --format FORMAT   ${FORMATS.join(", ")} (default text)
  --output FILE     write the report to this file instead of standard output
  --summary         append the report as Markdown to the job summary, the file in $GITHUB_STEP_SUMMARY
  --heal            restore what drifted to what was last deployed; resources that the program has changed since are left as they are
  --help            this text
  --version         the version of this package

Exit code: 0 in sync, or all restored; 2 drift, something that --heal left, or an environment that is gone; 1 an error.
The report names variables, and never shows a value. Without --heal nothing is written, neither to the service nor to state.
`;

/** Reads the command line. @throws UsageError, or what `parseArgs` throws. */
export function readArguments(args: readonly string[], env: NodeJS.ProcessEnv): DriftOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      cwd: { type: "string", default: "." },
      stack: { type: "string", multiple: true, default: [] },
      parallel: { type: "string", default: String(DEFAULT_PARALLEL) },
      format: { type: "string", default: "text" },
      output: { type: "string" },
      summary: { type: "boolean", default: false },
      heal: { type: "boolean", default: false },
    },
  });
  const { cwd, stack, output, heal } = values;
  if (stack.includes("")) throw new UsageError("--stack must be the name of a stack, but is empty");
  return {
    cwd,
    stacks: [...new Set(stack)],
    parallel: readParallel(values.parallel),
    format: readFormat(values.format),
    heal,
    ...(output !== undefined && { output }),
    ...(values.summary && { summary: readSummary(env) }),
  };
}

function readParallel(text: string): number {
  const parallel = Number(text);
  if (!/^\d+$/u.test(text) || parallel < 1 || parallel > MAX_PARALLEL)
    throw new UsageError(`--parallel must be a number from 1 to ${MAX_PARALLEL}, but is ${JSON.stringify(text)}`);
  return parallel;
}

function readFormat(text: string): Format {
  const format = FORMATS.find((known) => known === text);
  if (format === undefined)
    throw new UsageError(`--format must be one of ${FORMATS.join(", ")}, but is ${JSON.stringify(text)}`);
  return format;
}

function readSummary(env: NodeJS.ProcessEnv): string {
  const file = env["GITHUB_STEP_SUMMARY"];
  if (!file)
    throw new UsageError(
      "--summary needs the environment variable GITHUB_STEP_SUMMARY, which GitHub Actions sets: use --output elsewhere",
    );
  return file;
}

import { parseArgs } from "node:util";
import { UsageError } from "../command/command";
import { type IgnoreEntry, ignoreLines, readIgnore } from "./ignore";
import { type Format, FORMATS } from "./report";
import { readShard, type Shard } from "./shard";
import type { DriftRequest } from "./stacks";

const DEFAULT_PARALLEL = 4;
const MAX_PARALLEL = 64;

/** A file that the report is written to. */
export interface OutputFile {
  readonly format: Format;
  readonly file: string;
}

/** What the command line asks for. */
export interface DriftOptions extends Omit<DriftRequest, "progress"> {
  /** The folder of Pulumi.yaml. */
  readonly cwd: string;
  /** The form of the report on standard output. */
  readonly format: Format;
  /** Files that get the report too, in forms of their own. */
  readonly outputs: readonly OutputFile[];
  /** The file to which the Markdown report is appended. */
  readonly summary?: string;
}

/** What the command line is read with. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  /** The text of a file. @throws when it cannot be read */
  readonly readFile: (file: string) => string;
}

/** What `--help` prints. */
export const HELP = `previewenv-drift: finds what was changed by hand in preview environments, in the stacks of a Pulumi project

Usage: previewenv-drift [options]

  --cwd FOLDER           the folder of Pulumi.yaml (default: this one)
  --stack NAME           a stack to look at; may be repeated (default: every stack of the project)
  --shard I/N            look at part I of N of these stacks; a stack's name alone decides to which part it belongs
  --parallel N           how many stacks are looked at side by side (default ${DEFAULT_PARALLEL})
  --ignore ENTRY         what is no drift and is not restored, as STACK::RESOURCE::NAME, each part a glob; may be repeated
  --ignore-file FILE     such entries, one a line; lines that begin with # are comments; may be repeated
  --show-visible-values  show old and new values of visible variables, up to 200 characters; never those of hidden ones
  --format FORMAT        ${FORMATS.join(", ")}: the form of the report on standard output (default text)
  --output FORMAT=FILE   write the report in this form to this file too; may be repeated
  --summary              append the report as Markdown to the job summary, the file in $GITHUB_STEP_SUMMARY
  --heal                 restore what drifted to what was last deployed; resources that the program has changed since, and
                         those of which something is ignored, are left as they are
  --help                 this text
  --version              the version of this package

Exit code: 0 in sync, or all restored; 2 drift, something that --heal left, or an environment that is gone; 1 an error.
The report names variables, and shows no value unless it is asked to. Without --heal nothing is written, neither to the
service nor to state.
`;

/** Reads the command line. @throws UsageError, or what `parseArgs` throws. */
export function readArguments(args: readonly string[], surroundings: Surroundings): DriftOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      cwd: { type: "string", default: "." },
      stack: { type: "string", multiple: true, default: [] },
      shard: { type: "string" },
      parallel: { type: "string", default: String(DEFAULT_PARALLEL) },
      ignore: { type: "string", multiple: true, default: [] },
      "ignore-file": { type: "string", multiple: true, default: [] },
      "show-visible-values": { type: "boolean", default: false },
      format: { type: "string", default: "text" },
      output: { type: "string", multiple: true, default: [] },
      summary: { type: "boolean", default: false },
      heal: { type: "boolean", default: false },
    },
  });
  const { cwd, stack, shard, heal } = values;
  if (stack.includes("")) throw new UsageError("--stack must be the name of a stack, but is empty");
  return {
    cwd,
    stacks: [...new Set(stack)],
    parallel: parallelOf(values.parallel),
    ignore: ignoreOf(values.ignore, values["ignore-file"], surroundings),
    showVisibleValues: values["show-visible-values"],
    format: formatOf("--format", values.format),
    outputs: values.output.map(outputOf),
    heal,
    ...(shard !== undefined && { shard: shardOf(shard) }),
    ...(values.summary && { summary: summaryOf(surroundings.env) }),
  };
}

function parallelOf(text: string): number {
  const parallel = Number(text);
  if (!/^\d+$/u.test(text) || parallel < 1 || parallel > MAX_PARALLEL)
    throw new UsageError(`--parallel must be a number from 1 to ${MAX_PARALLEL}, but is ${JSON.stringify(text)}`);
  return parallel;
}

function shardOf(text: string): Shard {
  const shard = readShard(text);
  if (shard === undefined)
    throw new UsageError(`--shard must be I/N, part I of N, such as 2/5, but is ${JSON.stringify(text)}`);
  return shard;
}

function formatOf(option: string, text: string): Format {
  const format = FORMATS.find((known) => known === text);
  if (format === undefined)
    throw new UsageError(`${option} must be one of ${FORMATS.join(", ")}, but is ${JSON.stringify(text)}`);
  return format;
}

function outputOf(text: string): OutputFile {
  const [format = "", ...rest] = text.split("=");
  const file = rest.join("=");
  if (file === "")
    throw new UsageError(`--output must be FORMAT=FILE, such as markdown=drift.md, but is ${JSON.stringify(text)}`);
  return { format: formatOf("the format of --output", format), file };
}

function ignoreOf(
  entries: readonly string[],
  files: readonly string[],
  { readFile }: Surroundings,
): readonly IgnoreEntry[] {
  const ofFiles = files.flatMap((file) => {
    try {
      return ignoreLines(readFile(file));
    } catch (error) {
      throw new UsageError(`--ignore-file: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
  return [...new Set([...entries, ...ofFiles])].map((text) => {
    const entry = readIgnore(text);
    if (typeof entry === "string") throw new UsageError(`--ignore: ${entry}`);
    return entry;
  });
}

function summaryOf(env: NodeJS.ProcessEnv): string {
  const file = env["GITHUB_STEP_SUMMARY"];
  if (!file)
    throw new UsageError(
      "--summary needs the environment variable GITHUB_STEP_SUMMARY, which GitHub Actions sets: use --output elsewhere",
    );
  return file;
}

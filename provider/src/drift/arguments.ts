import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { choiceOf, UsageError } from "../command/mistake";
import { targetOf } from "../command/whole-file";
import type { Values } from "../command/usage";
import { type IgnoreEntry, ignoreLines, readIgnore } from "./ignore";
import { readShard } from "./shard";
import type { DriftRequest } from "./stacks";
import { type Format, FORMATS, PARALLEL, type USAGE } from "./usage";

/** A file that the report is written to. */
export interface OutputFile {
  readonly format: Format;
  readonly file: string;
  /** Whether the report goes to the end of what the file has. */
  readonly isAppended: boolean;
}

/** The wishes of the command line. */
export interface DriftOptions extends Omit<DriftRequest, "progress"> {
  /** The folder of Pulumi.yaml. */
  readonly cwd: string;
  /** The form of the report on standard output. */
  readonly format: Format;
  /** Files that get the report too, in forms of their own. */
  readonly outputs: readonly OutputFile[];
}

/** Reads the command line. @throws UsageError */
export function readArguments(values: Values<typeof USAGE.options>): DriftOptions {
  const { cwd = ".", stack = [], shard, heal = false } = values;
  if (stack.includes("")) throw new UsageError("--stack must be the name of a stack, but is empty");
  return {
    cwd,
    stacks: [...new Set(stack)],
    parallel: parallelOf(values.parallel),
    ignore: ignoreOf(values.ignore ?? [], values.ignoreFile ?? []),
    format: choiceOf("--format", FORMATS, values.format),
    outputs: differentFiles([
      ...(values.output ?? []).map(outputOf),
      ...(values.summary === true ? [jobSummary()] : []),
    ]),
    heal,
    allowNoStacks: values.allowNoStacks ?? false,
    ...(shard !== undefined && { shard: readShard(shard) }),
  };
}

function parallelOf(text: string): number {
  const parallel = Number(text);
  if (!/^\d+$/u.test(text) || parallel < 1 || parallel > PARALLEL.max)
    throw new UsageError(`--parallel must be a number from 1 to ${PARALLEL.max}, but is ${JSON.stringify(text)}`);
  return parallel;
}

/** Refuses a file that is named twice: one report would replace the other, or follow it. */
function differentFiles(outputs: readonly OutputFile[]): readonly OutputFile[] {
  const places = new Set<string>();
  for (const { file } of outputs) {
    const place = resolve(targetOf(file));
    if (places.has(place)) throw new UsageError(`two reports have the file ${file}`);
    places.add(place);
  }
  return outputs;
}

function outputOf(text: string): OutputFile {
  const [format = "", ...rest] = text.split("=");
  const file = rest.join("=");
  if (file === "")
    throw new UsageError(`--output must be format=file, such as markdown=drift.md, but is ${JSON.stringify(text)}`);
  return { format: choiceOf("the format of --output", FORMATS, format), file, isAppended: false };
}

function ignoreOf(entries: readonly string[], files: readonly string[]): readonly IgnoreEntry[] {
  const ofFiles = files.flatMap((file) => {
    try {
      return ignoreLines(readFileSync(file, "utf8"));
    } catch (error) {
      throw new UsageError(`--ignore-file: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
  return [...new Set([...entries, ...ofFiles])].map(readIgnore);
}

function jobSummary(): OutputFile {
  const file = process.env["GITHUB_STEP_SUMMARY"];
  if (!file)
    throw new UsageError(
      "--summary needs the environment variable GITHUB_STEP_SUMMARY, which GitHub Actions sets: use --output elsewhere",
    );
  return { format: "markdown", file, isAppended: true };
}

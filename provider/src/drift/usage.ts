import type { Usage } from "../command/usage";

/** How the report can be written. */
export const FORMATS = ["text", "markdown", "json"] as const;
export type Format = (typeof FORMATS)[number];

/** Limits of `--parallel`. */
export const PARALLEL = { default: 4, max: 64 } as const;

/** The help of the drift command. */
export const USAGE = {
  name: "drift",
  summary: "Finds manual changes to preview environments in the stacks of a Pulumi project.",
  options: {
    cwd: { value: "folder", text: "The folder of Pulumi.yaml. Default: the current one." },
    stack: {
      value: "name",
      multiple: true,
      text: "A stack to check. Default: every stack of the project.",
    },
    shard: {
      value: "i/n",
      text: "Checks only shard i of n of these stacks. Stacks are assigned by name.",
    },
    allowNoStacks: {
      text: "Accepts a project without stacks. Otherwise, this is an error: the command may be looking in the wrong place.",
    },
    parallel: {
      value: "n",
      default: String(PARALLEL.default),
      text: `How many stacks are checked at the same time, at most ${PARALLEL.max}.`,
    },
    ignore: {
      value: "entry",
      multiple: true,
      text:
        "Differences to ignore, as `STACK::RESOURCE::NAME`. Each part is a glob. They do not count as drift, and --heal does not " +
        "restore them.",
    },
    ignoreFile: {
      value: "file",
      multiple: true,
      text: "A file with such entries, one per line. Lines that begin with # are comments.",
    },
    format: {
      value: "format",
      default: "text",
      text: `Format of the report on standard output: ${FORMATS.join(", ")}.`,
    },
    output: {
      value: "format=file",
      multiple: true,
      text: "Also writes the report to a file, in this format.",
    },
    summary: {
      text: "Appends the report as Markdown to the job summary, the file in $GITHUB_STEP_SUMMARY.",
    },
    heal: {
      text:
        "Restores what was last deployed. Leaves some resources, such as those that the program has changed since. The report says " +
        "why.",
    },
  },
  notes: [
    "The report names variables, and never shows their values. Without --heal, the command writes nothing to the service or to state.",
  ],
  exitCodes: [
    [0, "In sync, or everything was restored."],
    [1, "An error, such as a project without stacks and without --allow-no-stacks."],
    [2, "Drift, a difference that --heal left, or an environment that is gone."],
  ],
} as const satisfies Usage;

import type { Usage } from "../command/usage";

/** How the report can be written. */
export const FORMATS = ["text", "markdown", "json"] as const;
export type Format = (typeof FORMATS)[number];

/** Limits of `--parallel`. */
export const PARALLEL = { default: 4, max: 64 } as const;

/** The help of the drift command. */
export const USAGE = {
  name: "drift",
  summary: "Finds manual changes of preview environments, in the stacks of a Pulumi project.",
  options: {
    cwd: { value: "folder", text: "The folder of Pulumi.yaml. Default: this one." },
    stack: {
      value: "name",
      multiple: true,
      text: "A stack to look at. Default: every stack of the project.",
    },
    shard: {
      value: "i/n",
      text: "Looks at part i of n of these stacks. The part of a stack depends only on its name.",
    },
    allowNoStacks: {
      text: "Allows a project without a stack. Otherwise that is an error, since the check may look in the wrong place.",
    },
    parallel: {
      value: "n",
      default: String(PARALLEL.default),
      text: `How many stacks are checked at the same time, at most ${PARALLEL.max}.`,
    },
    ignore: {
      value: "entry",
      multiple: true,
      text: "Differences to ignore: they do not count as drift and are not restored. `STACK::RESOURCE::NAME`, each part a glob.",
    },
    ignoreFile: {
      value: "file",
      multiple: true,
      text: "A file with such entries, one in a line. Lines that begin with # are comments.",
    },
    format: {
      value: "format",
      default: "text",
      text: `The form of the report on standard output: ${FORMATS.join(", ")}.`,
    },
    output: {
      value: "format=file",
      multiple: true,
      text: "Writes the report in this form to this file too.",
    },
    summary: {
      text: "Appends the report as Markdown to the job summary, the file in $GITHUB_STEP_SUMMARY.",
    },
    heal: {
      text:
        "Restores what was last deployed. Leaves a resource that the program has changed since, of which something is ignored, or whose " +
        "last update did not finish.",
    },
  },
  notes: [
    "The report names variables, and shows no value. Without --heal nothing is written, neither to the service nor to state.",
  ],
  exitCodes: [
    [0, "In sync, or everything was restored."],
    [1, "An error, or no stack without --allow-no-stacks."],
    [2, "Drift, something that --heal left, or an environment that is gone."],
  ],
} as const satisfies Usage;

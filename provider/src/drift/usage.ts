import type { Option, Usage } from "../command/usage";
import { FORMATS } from "./report";

/** Limits of `--parallel`. */
export const PARALLEL = { default: 4, max: 64 } as const;

/** The options of previewenv-drift, as `parseArgs` takes them. */
export const OPTIONS = {
  cwd: { type: "string", value: "FOLDER", text: "The folder of Pulumi.yaml. Left out: this one." },
  stack: {
    type: "string",
    value: "NAME",
    multiple: true,
    text: "A stack to look at. Left out: every stack of the project.",
  },
  shard: {
    type: "string",
    value: "I/N",
    text: "Looks at part I of N of these stacks. The part of a stack depends only on its name.",
  },
  "allow-no-stacks": {
    type: "boolean",
    text: "A project without a stack is in sync. Left out: an error, since the check may look in the wrong place.",
  },
  parallel: {
    type: "string",
    value: "N",
    default: String(PARALLEL.default),
    text: `How many stacks are checked at the same time, at most ${PARALLEL.max}.`,
  },
  ignore: {
    type: "string",
    value: "ENTRY",
    multiple: true,
    text: "What to ignore: it does not count as drift and is not restored. `STACK::RESOURCE::NAME`, each part a glob.",
  },
  "ignore-file": {
    type: "string",
    value: "FILE",
    multiple: true,
    text: "A file with such entries, one in a line. Lines that begin with # are comments.",
  },
  "show-visible-values": {
    type: "boolean",
    text: "Shows old and new values of visible variables, up to 200 characters; never those of hidden ones.",
  },
  format: {
    type: "string",
    value: "FORMAT",
    default: "text",
    text: `The form of the report on standard output: ${FORMATS.join(", ")}.`,
  },
  output: {
    type: "string",
    value: "FORMAT=FILE",
    multiple: true,
    text: "Writes the report in this form to this file too.",
  },
  summary: {
    type: "boolean",
    text: "Appends the report as Markdown to the job summary, the file in $GITHUB_STEP_SUMMARY.",
  },
  heal: {
    type: "boolean",
    text:
      "Restores what drifted to what was last deployed. A resource is left as it is when the program has changed it since, or " +
      "when something of it is ignored.",
  },
} as const satisfies Readonly<Record<string, Option>>;

/** What previewenv-drift says about itself. */
export const USAGE: Usage = {
  name: "previewenv-drift",
  summary: "finds what was changed by hand in preview environments, in the stacks of a Pulumi project.",
  calls: ["[options]"],
  groups: { Options: OPTIONS },
  notes: [
    "The report names variables. It shows no value without --show-visible-values. Without --heal nothing is written, " +
      "neither to the service nor to state.",
  ],
  exitCodes: [
    [0, "In sync, or everything was restored."],
    [1, "An error, or no stack without --allow-no-stacks."],
    [2, "Drift, something that --heal left, or an environment that is gone."],
  ],
};

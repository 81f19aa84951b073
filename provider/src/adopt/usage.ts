import type { Option, Usage } from "../command/usage";

/** The languages in which a program can be written. */
export const LANGUAGES = ["typescript", "yaml"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The options that find an environment, as `parseArgs` takes them. */
export const FILTER_OPTIONS = {
  name: { type: "string", value: "NAME", text: "Name of the environment." },
  org: { type: "string", value: "NAME", text: "Organization of one of its repositories." },
  repo: { type: "string", value: "NAME", text: "Name of one of its repositories." },
  branch: { type: "string", value: "NAME", text: "Branch of one of its repositories." },
  "pull-request": { type: "string", value: "NUMBER", text: "Pull request of one of its repositories." },
} as const satisfies Readonly<Record<string, Option>>;

/** The other options, as `parseArgs` takes them. */
export const PROGRAM_OPTIONS = {
  language: {
    type: "string",
    value: "LANGUAGE",
    text: `Language of the program: ${LANGUAGES.join(" or ")}. Left out: yaml when FILE ends in .yaml or .yml, else typescript.`,
  },
  output: { type: "string", value: "FILE", text: "Writes the program to this file instead of standard output." },
  force: { type: "boolean", text: "Replaces FILE when it exists." },
} as const satisfies Readonly<Record<string, Option>>;

/** What previewenv-adopt says about itself. */
export const USAGE: Usage = {
  name: "previewenv-adopt",
  summary: "writes a Pulumi program that declares a preview environment as it is.",
  calls: ["ENVIRONMENT_ID [options]", "--repo NAME --pull-request NUMBER [options]"],
  groups: {
    "Filters, instead of the id: exactly one environment must match. The program finds it in the same way":
      FILTER_OPTIONS,
    Options: PROGRAM_OPTIONS,
  },
  notes: [
    "The address of the service and the token come from the environment variables PREVIEWENV_BASE_URL and PREVIEWENV_API_TOKEN.",
    "The first `pulumi up` of the program writes nothing to the service and starts no build. Values that the service hides are " +
      "left to it: the program has existing() in their place. Nothing hidden is printed, not even a mask.",
  ],
  exitCodes: [
    [0, "The program is written."],
    [1, "An error. Nothing is written."],
  ],
};

import type { Usage } from "../command/usage";

/** The languages in which a program can be written. */
export const LANGUAGES = ["typescript", "yaml"] as const;
export type Language = (typeof LANGUAGES)[number];

const FILTER = "Filters, instead of the id: exactly one environment must match";

/** The help of the command that adopts. */
export const USAGE = {
  name: "adopt",
  summary: "Writes a Pulumi program that declares a preview environment as it is.",
  argument: {
    name: "environment-id",
    text: "The environment. Without it, the filters find the environment, also in the program.",
  },
  options: {
    name: { value: "name", group: FILTER, text: "Name of the environment." },
    org: { value: "name", group: FILTER, text: "Organization of one of its repositories." },
    repo: { value: "name", group: FILTER, text: "Name of one of its repositories." },
    branch: { value: "name", group: FILTER, text: "Branch of one of its repositories." },
    pullRequest: { value: "number", group: FILTER, text: "Pull request of one of its repositories." },
    language: {
      value: "language",
      text: `Language of the program: ${LANGUAGES.join(" or ")}. Default: yaml if the file of --output ends in .yaml or .yml, otherwise typescript.`,
    },
    output: { value: "file", text: "Writes the program to this file instead of standard output." },
    force: { text: "Replaces the file if it exists." },
  },
  notes: [
    "The address of the service and the token come from the environment variables PREVIEWENV_BASE_URL and PREVIEWENV_API_TOKEN.",
    "The first `pulumi up` of the program writes nothing to the service. It starts a build only if the newest one has failed. " +
      "The service keeps the values that it hides: the program declares them with existing(). Nothing hidden is printed, not even a mask.",
  ],
  exitCodes: [
    [0, "The program is written."],
    [1, "An error. Nothing is written."],
  ],
} as const satisfies Usage;

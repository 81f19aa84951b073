import type { Usage } from "../command/usage";

/** The languages in which a program can be written. */
export const LANGUAGES = ["typescript", "yaml"] as const;
export type Language = (typeof LANGUAGES)[number];

const FILTER = "Filters instead of the id. Exactly one environment must match";

/** The help of the command that adopts. */
export const USAGE = {
  name: "adopt",
  summary: "Generates a Pulumi program for an existing preview environment.",
  argument: {
    name: "environment-id",
    text:
      "UUID of the environment. Without it, the command and the program find the environment by filters. " +
      "With --branch, the program has the id instead: a program may switch branches.",
  },
  options: {
    name: { value: "name", group: FILTER, text: "Name of the environment." },
    org: { value: "name", group: FILTER, text: "Organization of one of its repositories." },
    repo: { value: "name", group: FILTER, text: "Name of one of its repositories." },
    branch: { value: "name", group: FILTER, text: "Branch of one of its repositories." },
    pullRequest: { value: "number", group: FILTER, text: "Pull request of one of its repositories." },
    language: {
      value: "language",
      text: `Language of the program: ${LANGUAGES.join(" or ")}. Default: that of the extension of --output, or else typescript.`,
    },
    output: { value: "file", text: "Writes the program to this file instead of standard output." },
    force: { text: "Replaces the file if it exists." },
  },
  notes: [
    "The command reads the address of the service and the token from the environment variables PREVIEWENV_BASE_URL and PREVIEWENV_API_TOKEN.",
    "The first `pulumi up` of the program writes nothing to the service. It starts a build only if the newest one failed. " +
      "The program declares hidden values with existing(), so the service keeps them. The command prints neither hidden values nor masks.",
  ],
  exitCodes: [
    [0, "The program was written."],
    [1, "An error. Nothing was written."],
  ],
} as const satisfies Usage;

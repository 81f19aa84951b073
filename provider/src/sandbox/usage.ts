import type { Option, Usage } from "../command/usage";
import { DEFAULT_BUILD_SECONDS, DEFAULT_COMMAND_PORT, DEFAULT_TOKEN } from "./defaults";

/** The options of previewenv-sandbox, as `parseArgs` takes them. */
export const OPTIONS = {
  port: {
    type: "string",
    value: "PORT",
    default: String(DEFAULT_COMMAND_PORT),
    text: "The port of 127.0.0.1 to listen on. 0: a free one.",
  },
  token: { type: "string", value: "TOKEN", default: DEFAULT_TOKEN, text: "The token that is valid." },
  state: {
    type: "string",
    value: "FILE",
    text: "Keeps the environments in this JSON file, values as plain text. Left out: in memory only.",
  },
  "build-seconds": {
    type: "string",
    value: "SECONDS",
    default: String(DEFAULT_BUILD_SECONDS),
    text: "How long a build takes.",
  },
} as const satisfies Readonly<Record<string, Option>>;

/** What previewenv-sandbox says about itself. */
export const USAGE: Usage = {
  name: "previewenv-sandbox",
  summary: "the Environment Management API in memory, for trying things out and for tests.",
  calls: ["[options]"],
  groups: { Options: OPTIONS },
  notes: ["It prints its address, its environments and commands to try, and runs until Ctrl-C."],
  exitCodes: [
    [0, "It was ended by Ctrl-C or SIGTERM."],
    [1, "An error, such as a port that is in use."],
  ],
};

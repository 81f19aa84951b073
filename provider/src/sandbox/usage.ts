import type { Option, Usage } from "../command/usage";
import { DEFAULT_BUILD_SECONDS, DEFAULT_COMMAND_PORT, DEFAULT_TOKEN } from "./defaults";

const OPTIONS = {
  port: {
    value: "port",
    default: String(DEFAULT_COMMAND_PORT),
    text: "The port on 127.0.0.1. With 0, the sandbox uses a free one.",
  },
  token: { value: "token", default: DEFAULT_TOKEN, text: "The token that the sandbox accepts." },
  state: {
    value: "file",
    text: "Keeps the environments in this JSON file, with values as plain text. Default: in memory.",
  },
  buildSeconds: {
    value: "seconds",
    default: String(DEFAULT_BUILD_SECONDS),
    text: "How long a build takes.",
  },
} as const satisfies Readonly<Record<string, Option>>;

/** The help of the sandbox. */
export const USAGE = {
  name: "sandbox",
  summary: "Simulates the Environment Management API, for experiments and tests.",
  options: OPTIONS,
  notes: ["It prints its address, its environments and commands to try, and runs until Ctrl-C."],
  exitCodes: [
    [0, "It was ended by Ctrl-C or SIGTERM."],
    [1, "An error, such as a port that is in use."],
  ],
} as const satisfies Usage;

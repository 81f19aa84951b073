import type { Option, Usage } from "../command/usage";
import { DEFAULT_BUILD_SECONDS, DEFAULT_COMMAND_PORT, DEFAULT_TOKEN } from "./defaults";

const OPTIONS = {
  port: {
    value: "port",
    default: String(DEFAULT_COMMAND_PORT),
    text: "The port of 127.0.0.1 to listen on. 0: a free one.",
  },
  token: { value: "token", default: DEFAULT_TOKEN, text: "The token that is valid." },
  state: {
    value: "file",
    text: "Keeps the environments in this JSON file, values as plain text. Left out: in memory only.",
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
  summary: "The Environment Management API in memory, for trying things out and for tests.",
  options: OPTIONS,
  notes: ["It prints its address, its environments and commands to try, and runs until Ctrl-C."],
  exitCodes: [
    [0, "It was ended by Ctrl-C or SIGTERM."],
    [1, "An error, such as a port that is in use."],
  ],
} as const satisfies Usage;

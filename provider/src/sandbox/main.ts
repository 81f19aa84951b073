#!/usr/bin/env node
import { parseArgs } from "node:util";
import { type Sandbox, type SandboxOptions, startSandbox, StateFileError } from ".";
import { DEFAULT_BUILD_SECONDS, DEFAULT_COMMAND_PORT, DEFAULT_TOKEN } from "./defaults";

const MAX_PORT = 65_535;

const HELP = `previewenv-sandbox: the Environment Management API in memory

Usage: previewenv-sandbox [options]

  --port PORT              where to listen on 127.0.0.1, 0 for a free port (default ${DEFAULT_COMMAND_PORT})
  --token TOKEN            the token that is valid (default ${DEFAULT_TOKEN})
  --state FILE             keep the environments in this JSON file; values are written as plain text
  --build-seconds SECONDS  how long a build takes (default ${DEFAULT_BUILD_SECONDS})
  --help                   this text
`;

/** A mistake in the command line. */
class UsageError extends Error {}

async function main(): Promise<void> {
  const options = readArguments();
  if (options === undefined) {
    console.log(HELP);
    return;
  }
  const sandbox = await startSandbox({ ...options, warn: (line) => console.error(line) });
  const stop = () => void sandbox.close();
  // Without open connections and handlers nothing keeps the process: it ends with exit code 0.
  process.once("SIGINT", stop).once("SIGTERM", stop);
  console.log(greeting(sandbox));
}

function readArguments(): SandboxOptions | undefined {
  const { values } = parseArgs({
    options: {
      port: { type: "string", default: String(DEFAULT_COMMAND_PORT) },
      token: { type: "string", default: DEFAULT_TOKEN },
      state: { type: "string" },
      "build-seconds": { type: "string", default: String(DEFAULT_BUILD_SECONDS) },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return undefined;
  if (values.token === "") throw new UsageError("--token must not be empty");
  return {
    port: readNumber("--port", values.port, MAX_PORT, /^\d+$/),
    token: values.token,
    buildSeconds: readNumber("--build-seconds", values["build-seconds"], Number.MAX_SAFE_INTEGER, /^\d+(?:\.\d+)?$/),
    ...(values.state === undefined ? {} : { stateFile: values.state }),
  };
}

function readNumber(option: string, text: string, max: number, pattern: RegExp): number {
  const parsed = Number(text);
  if (!pattern.test(text) || parsed > max) throw new UsageError(`${option} must be a number from 0 to ${max}`);
  return parsed;
}

function greeting({ url, token, world }: Sandbox): string {
  const flagsOf = (environment: { stopped: boolean; retired: boolean; deleted: boolean }) =>
    (["stopped", "retired", "deleted"] as const).filter((flag) => environment[flag]).join(", ") || "running";
  const environments = world.environments.list();
  const first = environments[0]?.id ?? "<environment id>";
  return [
    `The Environment Management API sandbox listens on ${url}`,
    "",
    `  export PREVIEWENV_BASE_URL=${url}`,
    `  export PREVIEWENV_API_TOKEN=${token}`,
    "",
    "The token is this sandbox's own and protects nothing: it is not a secret.",
    "",
    "Environments:",
    ...environments.map((environment) => `  ${environment.id}  ${environment.name}  ${flagsOf(environment)}`),
    "",
    `Look at it and change it by hand: ${new URL("/", url).href}`,
    "",
    "Try:",
    `  curl -H 'x-api-token: ${token}' ${url}/api/v1/environment/${first}/env-vars`,
    `  curl ${url}/__sandbox/journal`,
    `  pulumi config set previewenv:baseUrl ${url}`,
    `  pulumi config set --secret previewenv:apiToken ${token}`,
    "",
    "Ctrl-C ends it.",
  ].join("\n");
}

/** One line for what a user can put right; anything else is a defect and keeps its stack. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof StateFileError) return error.message;
  const code = "code" in error ? String(error.code) : "";
  if (code === "EADDRINUSE") return "The port is in use: choose another with --port, or --port 0 for a free one.";
  if (code === "EACCES") return "This port may not be used: choose another with --port.";
  if (error instanceof UsageError || code.startsWith("ERR_PARSE_ARGS")) {
    return `${error.message.split("\n", 1).join()} (see --help)`;
  }
  return error.stack ?? error.message;
}

main().catch((error: unknown) => {
  console.error(explain(error));
  process.exitCode = 1;
});

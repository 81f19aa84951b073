import { type Sandbox, type SandboxOptions, startSandbox } from ".";
import { UsageError } from "../command/mistake";
import type { Values } from "../command/usage";
import type { USAGE } from "./usage";

const STARTED = 0;
const MAX_PORT = 65_535;

type Given = Values<typeof USAGE.options>;
/** The wishes of the command line. */
type CommandOptions = SandboxOptions & { readonly port: number };

/** Starts it, and leaves it running until a signal. Gives the exit code. @throws UsageError */
export async function run(values: Given): Promise<number> {
  const sandbox = await start({ ...readArguments(values), warn: (line) => console.error(line) });
  const stop = () => void sandbox.close();
  // Without open connections and handlers nothing keeps the process: it ends with exit code 0.
  process.once("SIGINT", stop).once("SIGTERM", stop);
  console.log(greeting(sandbox));
  return STARTED;
}

/** @throws Error that says what to do, when the port cannot be had */
async function start(options: CommandOptions): Promise<Sandbox> {
  try {
    return await startSandbox(options);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EADDRINUSE")
      throw new Error(
        `Port ${options.port} is in use, perhaps by another sandbox: choose another with --port, or --port 0 for a free one.`,
        { cause: error },
      );
    if (code === "EACCES") throw new Error("This port may not be used: choose another with --port.", { cause: error });
    throw error;
  }
}

function readArguments(values: Given): CommandOptions {
  if (values.token === "") throw new UsageError("--token must not be empty");
  return {
    port: readNumber("--port", values.port, MAX_PORT, /^\d+$/),
    token: values.token,
    buildSeconds: readNumber("--build-seconds", values.buildSeconds, Number.MAX_SAFE_INTEGER, /^\d+(?:\.\d+)?$/),
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

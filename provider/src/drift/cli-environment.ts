import { optionsForAll } from "../installation/node-options";

/** Each stands for a flag of the CLI, but for those that say how configuration and state are read. */
const FLAGS = /^PULUMI_OPTION_(?!CONFIG_FILE$|DISABLE_INTEGRITY_CHECKING$)/u;

/** Stand for a flag, too, or for another way to compare, to preview or to print. */
const WAYS: ReadonlySet<string> = new Set(
  [
    "CONTINUE_ON_ERROR",
    "COPILOT",
    "DEBUG_COMMANDS",
    "DISABLE_OUTPUT_VALUES",
    "DISABLE_PROVIDER_PREVIEW",
    "DISABLE_REFRESH_BEFORE_UPDATE",
    "DISABLE_RESOURCE_REFERENCES",
    "ENABLE_LEGACY_DIFF",
    "ENABLE_LEGACY_REFRESH_DIFF",
    "ENABLE_STREAMING_JSON_PREVIEW",
    "EXPERIMENTAL",
    "LEGACY_PROVIDER_PREVIEW",
    "NEO",
    "PARALLEL_DIFF",
    "RUN_PROGRAM",
    "SKIP_CONFIRMATIONS",
  ].map((name) => `PULUMI_${name}`),
);

/**
 * The environment of a call of the Pulumi CLI. Its arguments alone say what a call does: a variable that says it, too, was set
 * for the other calls of a job. The variables that remain say where state is and who may read it, and what programs and providers need.
 * @param runsProgram whether the user's program runs. Its NODE_OPTIONS may be what loads it.
 */
export function cliEnvironment(environment: NodeJS.ProcessEnv, runsProgram: boolean): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(([name]) => !FLAGS.test(name) && !WAYS.has(name));
  const { NODE_OPTIONS: options, ...others } = Object.fromEntries(kept);
  return {
    ...others,
    ...(options !== undefined && { NODE_OPTIONS: runsProgram ? options : optionsForAll(options) }),
  };
}

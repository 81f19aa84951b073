import { existsSync, statSync } from "node:fs";
import type { Environment } from "../client/environments";
import { environmentTitle } from "../client/error-text";
import { UsageError } from "../command/mistake";
import type { Values } from "../command/usage";
import { writeWholeFile } from "../command/whole-file";
import { startRun } from "../environment/start-run";
import type { Log } from "../framework/context";
import { RefusedError } from "../framework/resource-errors";
import type { FunctionContext } from "../framework/function";
import { resolveSettings, type Settings } from "../framework/settings";
import { getEnvironment } from "../functions/get-environment";
import { allMatches, ambiguityText, describeFilters, NO_MATCH_ADVICE, suggestion } from "../functions/matches";
import { adoptionOf, type Found } from "./adoption";
import { readArguments, type Selector } from "./arguments";
import { writeTypeScript } from "./typescript";
import type { Language, USAGE } from "./usage";
import { writeYaml } from "./yaml";

const WRITTEN = 0;
const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Writes the program. Gives the exit code. @throws UsageError */
export async function run(values: Values<typeof USAGE.options>, id?: string): Promise<number> {
  const { selector, language, output, force } = readArguments(values, id);
  // Before anything is read: nobody waits for a program that is not written.
  if (output !== undefined && existsSync(output)) {
    const name = JSON.stringify(output);
    if (!statSync(output).isFile()) throw new UsageError(`--output: ${name} is not a file`);
    if (!force) throw new UsageError(`--output: ${name} exists already. --force replaces it`);
  }
  const { client, clock } = startRun(settingsFrom(process.env));
  const stopped = new AbortController();
  for (const signal of SIGNALS) process.once(signal, () => stopped.abort());
  client.onWait(say);
  try {
    const program = await adopt({ client, clock, log, signal: stopped.signal }, selector, language);
    if (output === undefined) process.stdout.write(program);
    else {
      writeProgram(output, program, force);
      say(`Wrote ${output}.`);
    }
  } finally {
    await client.close();
  }
  return WRITTEN;
}

/**
 * Reads an environment and its variables, and writes the program that declares them as they are. A warning names what it
 * cannot declare.
 * @throws PreviewenvError when they cannot be read or declared, or the environment is deleted
 */
export async function adopt(context: FunctionContext, selector: Selector, language: Language): Promise<string> {
  const { client, signal } = context;
  const environment = await find(context, selector);
  // It is not specified whether a deleted environment has variables, and no resource could be created for it.
  if (environment.deleted)
    throw new RefusedError(
      `environment ${environmentTitle(environment)} is deleted. Revive it first, for example in the dashboard.`,
    );
  const { variables } = await client.envVars.list(environment.id, { signal });
  const adoption = adoptionOf(environment, variables, language);
  for (const text of adoption.leftOut) context.log.warn(`not declared: ${text}`);
  const lasting = lastingSelector(selector, environment.id);
  return language === "yaml" ? writeYaml(adoption, lasting) : writeTypeScript(adoption, lasting);
}

/** How the program finds the environment. A branch is no way: once it is switched, the filters match nothing, or another environment. */
function lastingSelector(selector: Selector, id: string): Selector {
  return "filters" in selector && selector.filters.branch !== undefined ? { id } : selector;
}

/** The environment that is meant, a deleted one when only such match. The texts speak of the command's options, not of a program's. */
async function find(context: FunctionContext, selector: Selector): Promise<Found & Pick<Environment, "deleted">> {
  // It knows which 404 says that an environment is missing.
  if ("id" in selector) return getEnvironment.invoke(context, selector);
  const { filters } = selector;
  const alive = await allMatches(context, filters);
  const matching = alive.length > 0 ? alive : await allMatches(context, { ...filters, deleted: true });
  if (matching.length > 1) throw new RefusedError(ambiguityText(context, filters, matching));
  const [environment] = matching;
  if (environment !== undefined) return environment;
  throw new RefusedError(
    `no environment matches ${describeFilters(context, filters)}. ${NO_MATCH_ADVICE}${await suggestion(context, filters)}`,
  );
}

/** A command has neither a program nor a stack, so its settings are environment variables. */
function settingsFrom(environment: NodeJS.ProcessEnv): Settings {
  const unset = ["PREVIEWENV_BASE_URL", "PREVIEWENV_API_TOKEN"].filter((name) => !environment[name]);
  if (unset.length > 0)
    throw new UsageError(unset.map((name) => `The environment variable ${name} is not set.`).join(" "));
  return resolveSettings(() => undefined, environment);
}

const log: Log = { info: say, status: say, warn: (text) => say(`warning: ${text}`) };

/**
 * Writes the program to a new file, or to the one that is there, which keeps its permissions.
 * @param mayReplace whether one may be there by now
 * @throws RefusedError
 */
function writeProgram(place: string, program: string, mayReplace: boolean): void {
  try {
    if (!existsSync(place)) return writeWholeFile(place, program);
    if (!mayReplace) throw new Error("it exists by now");
    writeWholeFile(place, program, statSync(place).mode);
  } catch (error) {
    throw new RefusedError(`--output: ${JSON.stringify(place)} cannot be written: ${String(error)}`, { cause: error });
  }
}

/** Standard output is for the program alone. */
function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

import type { Environment } from "../client/environments";
import { environmentTitle, nameList } from "../client/error-text";
import type { Context } from "../framework/context";
import { RefusedError } from "../framework/resource-errors";

/** The required variables that an environment lacks. */
export interface Missing {
  /** For people: a sentence without its end. */
  readonly text: string;
  /** False when an inherited variable has no readable name: it may be one of them. */
  readonly isCertain: boolean;
}

/** Looks for variables by name, among own and inherited ones: `undefined` is a name that cannot be read. Nothing when none is missing. */
export function missingVariables(
  environment: Environment,
  names: ReadonlySet<string | undefined>,
  required: readonly string[],
): Missing | undefined {
  const missing = required.filter((name) => !names.has(name));
  if (missing.length === 0) return undefined;
  const isCertain = !names.has(undefined);
  const uncertain = isCertain
    ? ""
    : ", unless one of its inherited variables is that: not all of them have a readable name";
  const what = missing.length === 1 ? "the variable" : "the variables";
  const text = `environment ${environmentTitle(environment)} lacks ${what} ${nameList(missing)}, which \`requires\` names${uncertain}`;
  return { text, isCertain };
}

/**
 * Looks whether the required variables are there, before a build is requested: one request, none when nothing is required.
 * @throws RefusedError that names the missing ones. When they may be inherited, it is a warning.
 */
export async function refuseWithoutRequired(
  ctx: Context,
  environment: Environment,
  required: readonly string[] = [],
): Promise<void> {
  if (required.length === 0) return;
  const { variables, inherited } = await ctx.client.envVars.list(environment.id, { signal: ctx.signal });
  const names = new Set([...variables, ...inherited].map(({ name }) => name));
  const missing = missingVariables(environment, names, required);
  if (missing === undefined) return;
  if (!missing.isCertain) return ctx.log.warn(`${missing.text}.`);
  throw new RefusedError(
    `${missing.text}. No build was requested. Declare what is missing, in a set that this resource depends on, or add it by hand.`,
  );
}

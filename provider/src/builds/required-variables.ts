import type { Environment } from "../client";
import type { EnvVarList } from "../client/env-vars";
import { environmentTitle, nameList } from "../client/error-text";
import type { Context } from "../framework/context";
import { RefusedError } from "../framework/errors";

/** Which of the required variables an environment lacks. */
export interface Missing {
  readonly names: readonly string[];
  /** False when an inherited variable has no readable name: it may be one of them. */
  readonly isCertain: boolean;
}

/** Looks for variables by name, among own and inherited ones. */
export function missingVariables({ variables, inherited }: EnvVarList, required: readonly string[]): Missing {
  const there = new Set([...variables, ...inherited].map(({ name }) => name));
  return {
    names: required.filter((name) => !there.has(name)),
    isCertain: inherited.every(({ name }) => name !== undefined),
  };
}

/** What is missing, for people: a sentence without its end. */
export function missingText(environment: Environment, { names, isCertain }: Missing): string {
  const uncertain = isCertain
    ? ""
    : ", unless one of its inherited variables is that: not all of them have a readable name";
  const what = names.length === 1 ? "the variable" : "the variables";
  return `environment ${environmentTitle(environment)} lacks ${what} ${nameList(names)}, which \`requires\` names${uncertain}`;
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
  const missing = missingVariables(await ctx.client.envVars.list(environment.id, { signal: ctx.signal }), required);
  if (missing.names.length === 0) return;
  const text = missingText(environment, missing);
  if (!missing.isCertain) return ctx.log.warn(`${text}.`);
  throw new RefusedError(
    `${text}. No build was requested. Declare them, in a set that this resource depends on, or add them by hand.`,
  );
}

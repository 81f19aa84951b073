import type { Environment } from "../client";
import { nameList } from "../client/error-text";
import type { Context } from "../framework/context";
import { RefusedError } from "../framework/partial-failure";
import { title } from "./projects";

/** Which of the required variables an environment lacks. */
export interface Missing {
  readonly names: readonly string[];
  /** False when an inherited variable has no readable name: it may be one of them. */
  readonly isCertain: boolean;
}

/** Looks for variables by name, own and inherited ones, with one request; none when nothing is required. */
export async function missingVariables(
  ctx: Context,
  environmentId: string,
  required: readonly string[],
): Promise<Missing> {
  if (required.length === 0) return { names: [], isCertain: true };
  const { variables, inherited } = await ctx.client.envVars.list(environmentId, { signal: ctx.signal });
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
  return `environment ${title(environment)} lacks ${what} ${nameList(names)}, which \`requires\` names${uncertain}`;
}

/**
 * Looks whether the required variables are there, before a build is requested.
 * @throws RefusedError that names the missing ones. When they may be inherited, it is a warning.
 */
export async function refuseWithoutRequired(
  ctx: Context,
  environment: Environment,
  required: readonly string[] = [],
): Promise<void> {
  const missing = await missingVariables(ctx, environment.id, required);
  if (missing.names.length === 0) return;
  const text = missingText(environment, missing);
  if (!missing.isCertain) return ctx.log.warn(`${text}.`);
  throw new RefusedError(
    `${text}. No build was requested. Declare them, in a set that this resource depends on, or add them by hand.`,
  );
}

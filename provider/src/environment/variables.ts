import type { EnvVarList } from "../client/env-vars";
import { NotFoundError, UndocumentedNotFoundError } from "../client/errors";
import type { Context } from "../framework/context";
import type { Absence, SharedList, SharedVariables, VariablesByName } from "../run/shared-variables";
import { getUnlessGone, warnOfAbsence } from "./existence";

/**
 * An environment's variables, or why it has none. It is gone when its own GET tells so, and deleted when that says
 * `deleted: true` while `/env-vars` has the documented 404 answer. Any other 404 for the variables of an
 * environment that exists is an error, because taking it for "gone" would drop resources from state.
 */
export async function listVariables(ctx: Context, environmentId: string): Promise<EnvVarList | Absence> {
  try {
    return await ctx.client.envVars.list(environmentId, { signal: ctx.signal });
  } catch (error) {
    if (!(error instanceof NotFoundError || error instanceof UndocumentedNotFoundError)) throw error;
    const environment = await getUnlessGone(ctx, environmentId);
    if (environment === undefined) return "gone";
    if (!environment.deleted || !(error instanceof NotFoundError)) throw error;
    return "deleted";
  }
}

/** The environment's variables by name, or why it has none. Callers at about the same time share one request. */
export async function readShared(
  ctx: Context,
  environmentId: string,
  cache?: SharedVariables,
): Promise<VariablesByName | Absence> {
  const list = await listShared(ctx, environmentId, cache);
  return typeof list === "string" ? list : list.variables;
}

/** As {@link readShared}, with the inherited ones. */
export function listShared(
  ctx: Context,
  environmentId: string,
  cache: SharedVariables = ctx.environment(environmentId).variableCache,
): Promise<SharedList | Absence> {
  return cache.get(async (signal) => {
    const answer = await listVariables({ ...ctx, signal }, environmentId);
    return typeof answer === "string" ? answer : { ...answer, variables: byName(answer.variables) };
  }, ctx.signal);
}

/** The answer of a read, or `undefined` without one. Then a warning says why. */
export function presentOrWarn<T extends object>(ctx: Context, environmentId: string, read: T | Absence): T | undefined {
  if (typeof read !== "string") return read;
  warnOfAbsence(ctx, environmentId, read);
  return undefined;
}

/** Variables by name, such as those that the service listed. */
export function byName<T extends { readonly name: string }>(variables: readonly T[]): Map<string, T> {
  return new Map(variables.map((variable) => [variable.name, variable]));
}

import type { EnvVarList, EnvVar } from "../client/env-vars";
import { NotFoundError, UndocumentedNotFoundError, CancelledError } from "../client/errors";
import type { Context } from "../framework/context";
import { deletedEnvironment, getUnlessGone, missingEnvironment, refuseUnlessAnswering, warnOfGone } from "./gone";
import type { MissingError } from "../framework/partial-failure";
import { abortable } from "../client/concurrency";
import type { VariablesByName } from "../run/shared-variables";

/**
 * An environment's variables, or why it has none. It is gone when its own GET tells so, and deleted when that says
 * `deleted: true` while `/env-vars` has the documented 404 answer. Any other 404 for the variables of an
 * environment that exists is an error, because taking it for "gone" would drop resources from state.
 */
export async function listVariables(ctx: Context, environmentId: string): Promise<EnvVarList | "gone" | "deleted"> {
  try {
    return await ctx.client.envVars.list(environmentId, { signal: ctx.signal });
  } catch (error) {
    if (!(error instanceof NotFoundError || error instanceof UndocumentedNotFoundError)) throw error;
    const environment = await getUnlessGone(ctx, environmentId);
    if (environment === undefined) return "gone";
    if (!environment.deleted || !(error instanceof NotFoundError)) throw error;
    await refuseUnlessAnswering(ctx, error);
    return "deleted";
  }
}

/** Why the variables of an environment cannot be listed, as the last look of this run says. */
class LastLook {
  isDeleted = false;
}

/** The error when {@link readShared} finds no variables. `outcome` is what was done by now, as a sentence. */
export function unavailableVariables(ctx: Context, environmentId: string, outcome: string): MissingError {
  const { isDeleted } = ctx.environment(environmentId).part(LastLook);
  return isDeleted ? deletedEnvironment(ctx, environmentId, outcome) : missingEnvironment(ctx, environmentId, outcome);
}

/** Variables as the service listed them, by name. */
export function byName(listed: readonly EnvVar[]): Map<string, EnvVar> {
  return new Map(listed.map((item) => [item.name, item]));
}

/** Lists an environment's variables, or `undefined` when it is gone or deleted: see {@link listVariables}. */
export async function listUnlessGone(ctx: Context, environmentId: string): Promise<readonly EnvVar[] | undefined> {
  const found = await listVariables(ctx, environmentId);
  ctx.environment(environmentId).part(LastLook).isDeleted = found === "deleted";
  return typeof found === "string" ? undefined : found.variables;
}

/** As {@link listUnlessGone}. Warns when the environment is gone; one that is marked as deleted is no news. */
export async function listOrWarn(ctx: Context, environmentId: string): Promise<readonly EnvVar[] | undefined> {
  const found = await listUnlessGone(ctx, environmentId);
  if (found === undefined) warnUnlessDeleted(ctx, environmentId);
  return found;
}

/** As {@link readShared}. Warns when the environment is gone; one that is marked as deleted is no news. */
export async function readOrWarn(
  ctx: Context,
  environmentId: string,
  by: "reading" | "deleting" = "reading",
): Promise<VariablesByName | undefined> {
  const found = await readShared(ctx, environmentId, by);
  if (found === undefined) warnUnlessDeleted(ctx, environmentId);
  return found;
}

function warnUnlessDeleted(ctx: Context, environmentId: string): void {
  if (!ctx.environment(environmentId).part(LastLook).isDeleted) warnOfGone(ctx, environmentId);
}

/**
 * The environment's variables by name, or `undefined` when it is gone. Callers at about the same time share one request; `by` says
 * with whom.
 */
export async function readShared(
  ctx: Context,
  environmentId: string,
  by: "reading" | "deleting" = "reading",
): Promise<VariablesByName | undefined> {
  const load = async (): Promise<Map<string, EnvVar> | undefined> => {
    const listed = await listUnlessGone(ctx, environmentId);
    return listed && byName(listed);
  };
  const read = (): Promise<VariablesByName | undefined> => {
    const shared = ctx.environment(environmentId)[by].get(load);
    return abortable(shared, ctx.signal, "cancelled while waiting for a request that several variables share");
  };
  try {
    return await read();
  } catch (error) {
    // The caller that began the read was cancelled. This one was not: it reads once more.
    if (error instanceof CancelledError && !ctx.signal.aborted) return read();
    throw error;
  }
}

/** Rules for a name, before any request: it becomes a path segment of DELETE and a name in a shell. */
export function nameProblem(name: string): string | undefined {
  if (name === "") return "has an empty name";
  if (name === "." || name === "..")
    return 'must not be "." or "..", which would address another resource of the service';
  // oxlint-disable-next-line no-control-regex -- control characters are what this looks for
  if (/[\u0000-\u001F\u007F-\u009F]/u.test(name)) return "has a control character in its name";
  return undefined;
}

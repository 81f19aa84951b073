import { abortable } from "../client/concurrency";
import type { EnvVar } from "../client/env-vars";
import { CancelledError, NotFoundError, PreviewenvError, UndocumentedNotFoundError } from "../client/errors";
import type { Context } from "../framework/context";
import type { VariablesByName } from "../framework/environment-session";
import { getUnlessGone } from "../environment/gone";
import { byName } from "./variable";

/**
 * Lists an environment's variables, or `undefined` when the environment is gone: as its own GET tells, or because that
 * says `deleted: true` while `/env-vars` has the documented 404 answer. Any other 404 for the variables of an
 * environment that exists is an error, because taking it for "gone" would drop resources from state.
 */
export async function listUnlessGone(ctx: Context, environmentId: string): Promise<readonly EnvVar[] | undefined> {
  const found = await list(ctx, environmentId);
  return typeof found === "string" ? undefined : found;
}

/** The environment's variables, or why it has none: see {@link listUnlessGone}. A deleted environment may be revived. */
export async function list(ctx: Context, environmentId: string): Promise<readonly EnvVar[] | "gone" | "deleted"> {
  try {
    return (await ctx.client.envVars.list(environmentId, { signal: ctx.signal })).variables;
  } catch (error) {
    if (!(error instanceof NotFoundError || error instanceof UndocumentedNotFoundError)) throw error;
    const environment = await getUnlessGone(ctx, environmentId);
    if (environment === undefined) return "gone";
    if (environment.deleted && error instanceof NotFoundError) return "deleted";
    throw error;
  }
}

/** The environment's variables by name, or `undefined` when it is gone. Callers at about the same time share one request. */
export async function readShared(ctx: Context, environmentId: string): Promise<VariablesByName | undefined> {
  const load = async (): Promise<VariablesByName | undefined> => {
    const listed = await listUnlessGone(ctx, environmentId);
    return listed && byName(listed);
  };
  const read = async (): Promise<VariablesByName | undefined> => {
    try {
      return await abortable(ctx.environment(environmentId).reading.get(load), ctx.signal);
    } catch (error) {
      throw ctx.signal.aborted && !(error instanceof PreviewenvError) ? whileShared() : error;
    }
  };
  try {
    return await read();
  } catch (error) {
    // The caller that began the read was cancelled. This one was not: it reads once more.
    if (error instanceof CancelledError && !ctx.signal.aborted) return read();
    throw error;
  }
}

/** The error of a caller that was cancelled while others still wait for the same request. */
export function whileShared(): CancelledError {
  return new CancelledError("cancelled while waiting for a request that several variables share", true);
}

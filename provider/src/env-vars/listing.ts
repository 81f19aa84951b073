import { abortable } from "../client/concurrency";
import type { EnvVar } from "../client/env-vars";
import { CancelledError, PreviewenvError } from "../client/errors";
import type { Context } from "../framework/context";
import type { VariablesByName } from "../framework/environment-session";
import { listVariables } from "../environment/variable-list";
import { byName } from "./variable";

/** Lists an environment's variables, or `undefined` when it is gone or deleted: see {@link listVariables}. */
export async function listUnlessGone(ctx: Context, environmentId: string): Promise<readonly EnvVar[] | undefined> {
  const found = await listVariables(ctx, environmentId);
  return typeof found === "string" ? undefined : found.variables;
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

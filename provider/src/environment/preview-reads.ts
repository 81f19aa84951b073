import type { Environment } from "../client";
import type { EnvVarList } from "../client/env-vars";
import type { Context } from "../framework/context";
import { isStartedByProgram } from "./declared-state";
import { absenceError, getShared, REVIVE } from "./existence";
import { listShared } from "./variables";

/** The environment, in a preview: it shares the request with others. @throws MissingError when it is gone */
export async function environmentForPreview(ctx: Context, environmentId: string): Promise<Environment> {
  const environment = await getShared(ctx, environmentId);
  if (environment === undefined) throw absenceError(ctx, environmentId, "gone");
  return environment;
}

/** The environment's variables, in a preview: it shares the request with others. @throws MissingError when it is gone */
export async function variablesForPreview(ctx: Context, environmentId: string): Promise<EnvVarList | "deleted"> {
  const list = await listShared(ctx, environmentId);
  if (list === "gone") throw absenceError(ctx, environmentId, "gone");
  return list === "deleted" ? list : { ...list, variables: [...list.variables.values()] };
}

/** The warning of an environment that is deleted. None when the program revives it. */
export function deletedWarnings(ctx: Context, environmentId: string): readonly string[] {
  if (isStartedByProgram(ctx.environment(environmentId))) return [];
  return [
    `environment ${ctx.client.titleOf(environmentId)} is deleted: \`pulumi up\` fails unless the environment is revived before, ${REVIVE}.`,
  ];
}

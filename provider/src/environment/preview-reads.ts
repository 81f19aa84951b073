import type { Environment } from "../client";
import type { EnvVarList } from "../client/env-vars";
import type { Context } from "../framework/context";
import type { PreviewContext } from "../framework/preview-looks";
import { isStartedByProgram } from "./declared-state";
import { absenceError, getUnlessGone, REVIVE } from "./existence";
import { listVariables } from "./variables";

/** The environment: one GET for all resources of a preview. @throws MissingError when it is gone */
export function environmentForPreview(ctx: PreviewContext, environmentId: string): Promise<Environment> {
  return ctx.looks.environments.get(environmentId, async () => {
    const environment = await getUnlessGone(ctx, environmentId);
    if (environment === undefined) throw absenceError(ctx, environmentId, "gone");
    return environment;
  });
}

/** The environment's variables: one GET for all resources of a preview. @throws MissingError when it is gone */
export function variablesForPreview(ctx: PreviewContext, environmentId: string): Promise<EnvVarList | "deleted"> {
  return ctx.looks.variables.get(environmentId, async () => {
    const answer = await listVariables(ctx, environmentId);
    if (answer === "gone") throw absenceError(ctx, environmentId, "gone");
    return answer;
  });
}

/** The warning of an environment that is deleted. None when the program revives it. */
export function deletedWarnings(ctx: Context, environmentId: string): readonly string[] {
  if (isStartedByProgram(ctx.environment(environmentId))) return [];
  return [
    `environment ${ctx.client.titleOf(environmentId)} is deleted: \`pulumi up\` fails unless the environment is revived before, ${REVIVE}.`,
  ];
}

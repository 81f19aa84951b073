import type { Environment } from "../client";
import type { EnvVarList } from "../client/env-vars";
import type { Context } from "../framework/context";
import { type PreviewContext, ReadOnce } from "../framework/preview";
import { isBroughtUp } from "./declared-state";
import { getUnlessGone, missingEnvironment, REVIVE } from "./gone";
import { listVariables } from "./variables";

/** The environments of a preview. */
class EnvironmentLooks extends ReadOnce<Environment> {}

/** The variables of each environment in a preview. */
class VariableLooks extends ReadOnce<EnvVarList | "deleted"> {}

/** The environment: one GET for all resources of a preview. @throws MissingError when it is gone */
export function lookAtEnvironment(ctx: PreviewContext, environmentId: string): Promise<Environment> {
  return ctx.looks.part(EnvironmentLooks).get(environmentId, async () => {
    const found = await getUnlessGone(ctx, environmentId);
    if (found === undefined) throw missingEnvironment(ctx, environmentId);
    return found;
  });
}

/** The environment's variables: one GET for all resources of a preview. @throws MissingError when it is gone */
export function lookAtVariables(ctx: PreviewContext, environmentId: string): Promise<EnvVarList | "deleted"> {
  return ctx.looks.part(VariableLooks).get(environmentId, async () => {
    const found = await listVariables(ctx, environmentId);
    if (found === "gone") throw missingEnvironment(ctx, environmentId);
    return found;
  });
}

/** The warning of an environment that is deleted; none when the program revives it. */
export function warnOfDeleted(ctx: Context, environmentId: string): readonly string[] {
  if (isBroughtUp(ctx, environmentId)) return [];
  return [
    `environment ${ctx.client.titleOf(environmentId)} is deleted: \`pulumi up\` fails unless the environment is revived before, ${REVIVE}.`,
  ];
}

import type { Environment } from "../client";
import { MS_PER_SECOND } from "../client/clock";
import { displayable } from "../client/error-text";
import { declaredState } from "../environment/declared-state";
import { reconcile } from "../environment/reconcile";
import type { WaitLimit } from "../environment/wait";
import type { Context } from "../framework/context";
import { IncompleteError, RefusedError } from "../framework/errors";
import { notRunningText } from "./projects";

/**
 * Starts a stopped or retired environment, and waits until it runs. After the request for a build (`isBuilding`), it is started
 * only when it still does not run once the service works on nothing any more: some services start what they build.
 * @throws RefusedError when it is deleted: to revive it is not for a build to decide.
 * @throws IncompleteError or the service's refusal when it does not run in time
 */
export async function startEnvironment(
  ctx: Context,
  { id, name }: Environment,
  limit: WaitLimit,
  isBuilding: boolean,
): Promise<Environment> {
  const { environment, unfinishedReason } = await reconcile(ctx, {
    environmentId: id,
    state: "running",
    mayRevive: false,
    ...limit,
    timeoutName: "buildTimeoutSeconds",
    ...(isBuilding && { settling: `waiting for the build of ${displayable(name)} before it is started` }),
  });
  if (unfinishedReason !== undefined) throw new IncompleteError(unfinishedReason);
  if (environment.deleted)
    throw new RefusedError(notRunningText(environment, "start environment", "A build may have been requested."));
  return environment;
}

/**
 * Brings the environment up as the EnvironmentState of the program does, in its time. To wait for that resource instead could take
 * for ever: the engine may have no worker left for it.
 */
export async function startAsDeclared(ctx: Context, environmentId: string): Promise<Environment> {
  const { timeoutSeconds } = declaredState(ctx.environment(environmentId));
  const { environment, unfinishedReason } = await reconcile(ctx, {
    environmentId,
    state: "running",
    timeoutMs: timeoutSeconds * MS_PER_SECOND,
    timeoutName: "timeoutSeconds of the EnvironmentState",
  });
  if (unfinishedReason !== undefined) throw new IncompleteError(unfinishedReason);
  return environment;
}

import type { Environment } from "../client/environments";
import { displayable } from "../client/error-text";
import { reconcile } from "../environment/reconcile";
import type { WaitLimit } from "../environment/wait";
import type { Context } from "../framework/context";
import { IncompleteError, RefusedError } from "../framework/resource-errors";
import { notRunningText } from "./not-running";

/**
 * Starts a stopped or retired environment, and waits until it runs. While a build is expected, which was requested or joined, it is started
 * only when it still does not run once the service works on nothing any more: some services start what they build.
 * @throws RefusedError when it is deleted: to revive it is not for a build to decide.
 * @throws IncompleteError or the service's refusal when it does not run in time
 */
export async function startEnvironment(
  ctx: Context,
  { id, name }: Environment,
  limit: WaitLimit,
  isBuildExpected: boolean,
): Promise<Environment> {
  const { environment, unfinishedReason } = await reconcile(ctx, {
    environmentId: id,
    state: "running",
    mayRevive: false,
    ...limit,
    ...(isBuildExpected && { settling: `waiting for the build of ${displayable(name)} before it is started` }),
  });
  if (unfinishedReason !== undefined) throw new IncompleteError(unfinishedReason);
  if (environment.deleted)
    throw new RefusedError(
      notRunningText(environment, "start environment", "A build may have been requested.", "wake"),
    );
  return environment;
}

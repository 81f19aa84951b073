import type { BranchChange, Environment } from "../client";
import type { PreviewenvError } from "../client/errors";
import { sendOnce, trySend } from "../environment/send-once";
import type { Context } from "../framework/context";
import { branchesOf } from "./projects";

/** What makes the service build: other branches, or the same ones again. */
export type BuildRequest =
  | { readonly kind: "change"; readonly projects: readonly BranchChange[] }
  | { readonly kind: "rebuild" };

export const LOOKS_AGAIN = "The next `pulumi up` or `pulumi destroy` looks again before it repeats anything.";

/** Sends a request that starts a build, once. Returns the error when its result is ambiguous: the wait for the build tells. */
export function requestBuild(
  ctx: Context,
  request: BuildRequest,
  environmentId: string,
): Promise<PreviewenvError | undefined> {
  return trySend(send(ctx, request, environmentId));
}

/**
 * The same where no wait follows. Somebody's build proves nothing then: only branches do that were not shown before.
 * @throws AmbiguousResultError
 */
export async function requestUnawaitedBuild(ctx: Context, request: BuildRequest, before: Environment): Promise<void> {
  const change = request.kind === "change" ? request.projects : [];
  const isAsAsked = (now: Environment): boolean =>
    change.every(({ repoName, branch }) => branchesOf(now)[repoName] === branch);
  await sendOnce(ctx, {
    environmentId: before.id,
    sending: send(ctx, request, before.id),
    // What was shown before, while a build of other branches was under way, is no trace of the request.
    ...(!isAsAsked(before) && { isFulfilled: isAsAsked }),
    advice: LOOKS_AGAIN,
  });
}

function send(ctx: Context, request: BuildRequest, environmentId: string): Promise<void> {
  const { environments } = ctx.client;
  const call = { signal: ctx.signal };
  return request.kind === "change"
    ? environments.changeBranches(environmentId, request.projects, call)
    : environments.rebuild(environmentId, call);
}

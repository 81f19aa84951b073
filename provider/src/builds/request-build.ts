import type { BranchChange, Environment } from "../client";
import { buildsSince, unlessHidden } from "../environment/build-history";
import { sendOnce } from "../environment/send-once";
import type { Context } from "../framework/context";
import { branchesOf } from "./projects";

/** What makes the service build: other branches, or the same ones again. */
export type BuildRequest =
  | { readonly kind: "change"; readonly projects: readonly BranchChange[] }
  | { readonly kind: "rebuild" };

/**
 * Sends a request that starts a build, once.
 * @param before The environment as it was read before.
 * @param buildsBefore Ids of the builds in history then; left out: no wait for the build follows. With a wait, any build counts as
 * a trace of the request: the wait decides whether it has what is declared. Without one, somebody else's build proves nothing:
 * only the branches do.
 * @throws AmbiguousResultError
 */
export async function requestBuild(
  ctx: Context,
  request: BuildRequest,
  before: Environment,
  buildsBefore?: ReadonlySet<string>,
): Promise<void> {
  const { environments } = ctx.client;
  const call = { signal: ctx.signal };
  const change = request.kind === "change" && request.projects;
  const isAsAsked = (now: Environment): boolean =>
    change !== false && change.every(({ repoName, branch }) => branchesOf(now)[repoName] === branch);
  // What was shown before, while a build of other branches was under way, is no trace of the request.
  const wasAsAsked = isAsAsked(before);
  const showsChange = (now: Environment): boolean => !wasAsAsked && isAsAsked(now);
  const isVisible = buildsBefore !== undefined || (change !== false && !wasAsAsked);
  await sendOnce(ctx, {
    environmentId: before.id,
    startsBuild: true,
    send: () =>
      change === false ? environments.rebuild(before.id, call) : environments.changeBranches(before.id, change, call),
    ...(isVisible && {
      isFulfilled: async (now) => showsChange(now) || isBuildSeen(ctx, { before, now, buildsBefore }),
    }),
    advice: "The next `pulumi up` or `pulumi destroy` looks again before it repeats anything.",
  });
}

/** Whether a build has begun, which no other request of this run can have begun. */
async function isBuildSeen(
  ctx: Context,
  seen: {
    readonly before: Environment;
    readonly now: Environment;
    readonly buildsBefore: ReadonlySet<string> | undefined;
  },
): Promise<boolean> {
  const { before, now, buildsBefore } = seen;
  if (buildsBefore === undefined || !ctx.environment(before.id).builds.isSingle) return false;
  if (now.processing && !before.processing) return true;
  return (await unlessHidden(buildsSince(ctx, { environmentId: before.id, before: buildsBefore }), [])).length > 0;
}

import type { BranchChange, Environment } from "../client";
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
 * @param buildsBefore Ids of the builds in history then; left out: history shows nothing of the effect.
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
  await sendOnce(ctx, {
    before,
    buildsBefore,
    startsBuild: true,
    send: () =>
      change === false ? environments.rebuild(before.id, call) : environments.changeBranches(before.id, change, call),
    tookEffect: (now) =>
      change !== false && change.every(({ repoName, branch }) => branchesOf(now)[repoName] === branch),
    advice: "The next `pulumi up` or `pulumi destroy` looks again before it repeats anything.",
  });
}

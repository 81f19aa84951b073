import type { Environment } from "../client";
import type { Context } from "../framework/context";
import { isUnanswered, leftTrace, UnansweredError } from "../environment/unanswered";
import { buildsSince } from "../environment/build-history";
import { branchesOf, type RepositoryBranch } from "./projects";

/** What makes the service build: new branches, or the same ones again. */
export type BuildRequest =
  | { readonly kind: "change"; readonly projects: readonly RepositoryBranch[] }
  | { readonly kind: "rebuild" };

/**
 * Sends a request that queues a build, once. When no answer comes it is looked up instead of repeated, because a
 * repetition could start a second build.
 * @throws UnansweredError when the service shows no trace of it.
 */
export async function queueBuild(
  ctx: Context,
  environment: Environment,
  request: BuildRequest,
  before: ReadonlySet<string>,
): Promise<void> {
  const call = { signal: ctx.signal };
  ctx.environment(environment.id).builds.note();
  try {
    if (request.kind === "change") await ctx.client.environments.changeBranches(environment.id, request.projects, call);
    else await ctx.client.environments.rebuild(environment.id, call);
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    if (await leftTrace(ctx, () => isVisible(ctx, environment, request, before))) return;
    throw new UnansweredError(
      `${error.message} It is not known whether the service acted on it, and no build can be seen. ` +
        `The next \`pulumi up\` looks again before it repeats anything.`,
    );
  }
}

async function isVisible(
  ctx: Context,
  earlier: Environment,
  request: BuildRequest,
  before: ReadonlySet<string>,
): Promise<boolean> {
  const now = await ctx.client.environments.get(earlier.id, { signal: ctx.signal });
  const branches = branchesOf(now);
  const switched =
    request.kind === "change" && request.projects.every(({ repoName, branch }) => branches[repoName] === branch);
  if (switched) return true;
  if (!ctx.environment(earlier.id).builds.isSingle) return false;
  if (now.processing && !earlier.processing) return true;
  return (await buildsSince(ctx, { environmentId: earlier.id, before })).length > 0;
}

import type { Environment } from "../client";
import { sendOnce } from "../environment/send-once";
import type { Context } from "../framework/context";
import { type Branches, changeFor, type RepositoryBranch } from "./projects";

/** What makes the service build: other branches, or the same ones again. */
export type BuildRequest =
  | { readonly kind: "change"; readonly projects: readonly RepositoryBranch[] }
  | { readonly kind: "rebuild" };

/** The environment, and ids of its builds in history, as they were read before a request. */
export interface Before {
  readonly environment: Environment;
  readonly buildIds?: ReadonlySet<string>;
}

/** Sends a request that starts a build, once. @throws AmbiguousResultError */
export async function requestBuild(
  ctx: Context,
  { environment, buildIds }: Before,
  request: BuildRequest,
): Promise<void> {
  const { environments } = ctx.client;
  const call = { signal: ctx.signal };
  const projects = request.kind === "change" ? request.projects : undefined;
  await sendOnce(ctx, {
    before: environment,
    buildsBefore: buildIds,
    startsBuild: true,
    send: () =>
      projects === undefined
        ? environments.rebuild(environment.id, call)
        : environments.changeBranches(environment.id, projects, call),
    tookEffect: (now) => projects !== undefined && changeFor(now, toBranches(projects)) === undefined,
    advice: "The next `pulumi up` or `pulumi destroy` looks again before it repeats anything.",
  });
}

function toBranches(projects: readonly RepositoryBranch[]): Branches {
  return Object.fromEntries(projects.map(({ repoName, branch }) => [repoName, branch]));
}

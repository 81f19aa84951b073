import type { Environment } from "../client";
import { MS_PER_SECOND } from "../client/clock";
import { displayable } from "../client/error-text";
import { InvalidRequestError, type PreviewenvError } from "../client/errors";
import { buildsSince, newestIds, recentBuilds } from "../environment/build-history";
import { ambiguousErrorOf } from "../environment/send-once";
import type { Context } from "../framework/context";
import type { BuildSearch } from "./build-progress";
import { earlierBuildMayChangeBranches, type Situation } from "./due-build";
import { allBranches, type Branches, describeProjects, whyNotRunning } from "./projects";
import { startEnvironment } from "./start-environment";

/** A build that was asked for, now or before. */
export interface AskedBuild extends BuildSearch {
  /** The environment as it was before. */
  readonly environment: Environment;
}

/** Requests other branches. What a build under way brings to the repositories that are not declared stays. */
export async function requestChange(ctx: Context, situation: Situation): Promise<AskedBuild> {
  const { environment, branches, pending } = situation;
  const projects = allBranches(environment, {
    ...(earlierBuildMayChangeBranches(situation) && pending?.branches),
    ...branches,
  });
  ctx.log.status(`switching to ${describeProjects(projects)}`);
  const knownBuildIds = newestIds(await recentBuilds(ctx, environment.id));
  const error = await ambiguousErrorOf(
    ctx.client.environments.changeBranches(environment.id, projects, { signal: ctx.signal }),
  );
  return sentBuild(environment, branches, knownBuildIds, error);
}

/** Requests a rebuild. Where a service rebuilds only what runs, the environment is started first. */
export async function requestRebuild(
  ctx: Context,
  { environment, branches }: Situation,
  buildTimeoutSeconds: number,
): Promise<AskedBuild> {
  const rebuild = (): Promise<PreviewenvError | undefined> =>
    ambiguousErrorOf(ctx.client.environments.act("rebuild", environment.id, { signal: ctx.signal }));
  ctx.log.status(`rebuilding ${displayable(environment.name)}`);
  const knownBuildIds = newestIds(await recentBuilds(ctx, environment.id));
  try {
    return sentBuild(environment, branches, knownBuildIds, await rebuild());
  } catch (error) {
    if (!(error instanceof InvalidRequestError) || whyNotRunning(environment) === undefined) throw error;
  }
  const started = await startEnvironment(ctx, environment, { timeoutMs: buildTimeoutSeconds * MS_PER_SECOND }, false);
  // The service may build what it starts: that build has what was declared before it.
  const builds = await buildsSince(ctx, { environmentId: environment.id, knownBuildIds });
  if (started.processing || builds.length > 0) return { environment: started, branches, knownBuildIds };
  return sentBuild(started, branches, knownBuildIds, await rebuild());
}

/** A request that was sent once. `error` when it got no answer. */
function sentBuild(
  environment: Environment,
  branches: Branches,
  knownBuildIds: ReadonlySet<string>,
  error: PreviewenvError | undefined,
): AskedBuild {
  const { processing: wasProcessing } = environment;
  // A start could begin a second build while it is not known whether there is a first one.
  const needsStart = error === undefined && whyNotRunning(environment) !== undefined;
  return {
    environment,
    branches,
    knownBuildIds,
    wasProcessing,
    needsStart,
    unansweredText: error?.message,
  };
}

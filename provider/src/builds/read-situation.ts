import type { Environment } from "../client";
import type { Build } from "../client/builds";
import { queuedMs } from "../client/newest-builds";
import { buildsSince, newestIds, recentBuilds } from "../environment/build-history";
import { declaredState, isStartedByProgram } from "../environment/declared-state";
import type { Context } from "../framework/context";
import {
  canBuild,
  dependsOnBuilds,
  dependsOnRunning,
  type RunningBuild,
  type Situation,
  type BuildFacts,
} from "./due-build";
import type { WhenStopped } from "./inputs";
import { refuseUnknownRepositories, whyNotRunning } from "./projects";
import { startAsDeclared } from "./start-environment";

/** Reads what decides: the environment, and of its builds what matters. @throws RefusedError when it lacks a repository */
export async function readSituation(ctx: Context, environmentId: string, facts: BuildFacts): Promise<Situation> {
  const environment = await readStarted(ctx, environmentId, facts.whenStopped);
  refuseUnknownRepositories(environment, Object.keys(facts.branches));
  const shown = { ...facts, environment };
  // The environment first: the other way round, a build that ends in between would be taken for failed.
  const knownBuildIds = new Set(facts.pending?.before);
  const builds = dependsOnBuilds(shown) ? await buildsSince(ctx, { environmentId, knownBuildIds }) : undefined;
  const situation = { ...shown, builds };
  if (!dependsOnRunning(situation)) return situation;
  return { ...situation, running: await readRunning(ctx, environmentId, facts.isTriggered) };
}

/** Reads the environment. One that sleeps, and that an EnvironmentState of the program starts in this run, is started first. */
async function readStarted(ctx: Context, environmentId: string, whenStopped: WhenStopped): Promise<Environment> {
  const environment = await ctx.client.environments.get(environmentId, { signal: ctx.signal });
  if (whyNotRunning(environment) === undefined) return environment;
  const session = ctx.environment(environmentId);
  // Unless the build itself starts the environment, wait until the engine has probably shown what the program has.
  if (declaredState(session).desired === undefined && !canBuild(whenStopped, environment))
    await session.untilEngineIsQuiet(ctx.signal);
  return isStartedByProgram(session) ? startAsDeclared(ctx, environmentId) : environment;
}

/** The build that runs, for what may be repeated after a crash. */
async function readRunning(ctx: Context, environmentId: string, isTriggered: boolean): Promise<RunningBuild> {
  // A running build may be older than any change that this run has made.
  if (isTriggered && ctx.environment(environmentId).haveVariablesChanged)
    return { knownBuildIds: new Set(), isOlderThanVariables: true };
  const call = { signal: ctx.signal };
  const builds = await recentBuilds(ctx, environmentId);
  const [newest, ...earlier] = builds;
  const { variables } =
    isTriggered && newest !== undefined ? await ctx.client.envVars.list(environmentId, call) : { variables: [] };
  const second = newest === undefined ? "" : queuedSecond(newest);
  // The newest build is the running one, unless it is over: a service may list a build only once it has ended.
  const isOver =
    newest?.successfullyBuilt === true && (await ctx.client.environments.get(environmentId, call)).processing;
  return {
    knownBuildIds: newestIds(isOver ? builds : earlier),
    isOlderThanVariables: variables.some(({ updatedAt = "" }) => updatedAt > second),
  };
}

/** When a build was queued, as the service writes times of variables: no zone and whole seconds, so that only a later second
 * counts as later. A time that cannot be read is before all others. */
function queuedSecond(build: Build): string {
  const ms = queuedMs(build);
  return ms === undefined ? "" : new Date(ms).toISOString().slice(0, "YYYY-MM-DDTHH:MM:SS".length);
}

import type { Environment } from "../client/environments";
import { environmentTitle } from "../client/error-text";
import { newestBuild } from "../environment/build-history";
import type { Context } from "../framework/context";
import { dependsOnNewest, hasFailed, type Situation, whatIsDue } from "./due-build";
import { type Branches, hasOtherBranches } from "./projects";
import { markedBuild } from "./request-build";
import { owedBuild, type PendingBuild, type StoredBranches } from "./state";

/** Reads the newest build where that decides what is due: one request, none where something else is due. */
export async function withNewestBuild(ctx: Context, situation: Situation): Promise<Situation> {
  if (!dependsOnNewest(situation) || whatIsDue(situation) !== "nothing") return situation;
  return { ...situation, newestOfAll: await newestBuild(ctx, situation.environment) };
}

/** Why a build is due that nobody has asked for. Nothing where the newest build was not read, or says otherwise. */
export function newestFailedTexts(
  { environment, newestOfAll, branches }: Situation,
  consequence: string,
): readonly string[] {
  if (!hasFailed(newestOfAll, branches)) return [];
  return [
    `environment ${environmentTitle(environment)}: its newest build, of the declared branches, has failed, so ${consequence}.`,
  ];
}

/** The build that the environment is processing, as state keeps one that was asked for. */
export async function pendingForRunning(
  ctx: Context,
  environment: Environment,
  branches: Branches,
): Promise<PendingBuild> {
  const { busy: _isThisBuild, ...pending } = await markedBuild(ctx, { environment, branches });
  return pending;
}

/**
 * The build of branches that a refresh has found and state does not have: those of a run that was killed, or somebody's. State has them from
 * then on, so no later look would see that this build did not succeed.
 */
export async function buildOfFoundBranches(
  ctx: Context,
  environment: Environment,
  { branches: stored = {}, waitForBuild = true }: StoredBranches,
  shown: Branches,
): Promise<PendingBuild | undefined> {
  if (!waitForBuild || environment.deleted || !hasOtherBranches(environment, stored)) return undefined;
  if (environment.processing) return pendingForRunning(ctx, environment, shown);
  return hasFailed(await newestBuild(ctx, environment), shown) ? owedBuild(shown) : undefined;
}

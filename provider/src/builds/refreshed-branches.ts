import type { Environment } from "../client/environments";
import { buildsSince } from "../environment/build-history";
import type { Context } from "../framework/context";
import { type Properties, withoutNil } from "../framework/properties";
import { canBuild, isAskedFor, isUnderWay } from "./due-build";
import { type Branches, branchesOf, hasOtherBranches } from "./projects";
import { buildOfFoundBranches } from "./unknown-builds";
import { type PendingBuild, parseState, type StoredBranches, withoutAsleep } from "./state";

/**
 * `branches`: those of the repositories in state as the environment has them now, without repositories that it lost. While a pending build is
 * postponed or under way, they stay as state has them. `pending`: the build that was not seen to succeed.
 */
export async function refreshedBranches(ctx: Context, environment: Environment, old: Properties): Promise<Properties> {
  const last = parseState(old);
  const { branches: stored } = last;
  const pending = pendingNow(environment, last);
  if (stored === undefined) return withoutNil({ pending });
  if (pending?.asleep || (await isStillBuilding(ctx, environment, stored, pending)))
    return withoutNil({ branches: stored, pending });
  const shown = Object.fromEntries(
    Object.entries(branchesOf(environment)).filter(([repo]) => Object.hasOwn(stored, repo)),
  );
  const found = pending ?? (await buildOfFoundBranches(ctx, environment, last, shown));
  return withoutNil({ branches: shown, pending: pendingNow(environment, { ...last, pending: found }) });
}

/** An owed build is postponed (`asleep`) while the environment cannot build. Once it can, no build is. */
function pendingNow(
  environment: Environment,
  { pending, whenStopped = "fail" }: StoredBranches,
): PendingBuild | undefined {
  if (pending === undefined) return undefined;
  const isPostponed = (pending.asleep || pending.status === "owed") && !canBuild(whenStopped, environment);
  return isPostponed ? { ...pending, asleep: true } : withoutAsleep(pending);
}

/** Whether the environment shows other branches than state only because their build is running. */
async function isStillBuilding(
  ctx: Context,
  environment: Environment,
  branches: Branches,
  pending: PendingBuild | undefined,
): Promise<boolean> {
  if (!environment.processing || environment.deleted || !hasOtherBranches(environment, branches)) return false;
  if (!isAskedFor(pending, branches)) return false;
  return isUnderWay({ environment, branches, newBuilds: await buildsSince(ctx, environment, pending) });
}

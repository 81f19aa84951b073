import type { Environment } from "../client";
import { buildsSince } from "../environment/build-history";
import type { Context } from "../framework/context";
import type { Properties } from "../framework/properties";
import { canBuild, isPendingFor, isUnderWay } from "./due-build";
import { type Branches, branchesOf, changeFor } from "./projects";
import { unseenBuild } from "./unknown-builds";
import { dueAgain, type PendingBuild, type StoredBranches, parseState } from "./state";

/** `branches`: the declared ones as the environment has them now, without repositories that it lost. `pending`: the build that is due. */
export async function refreshedBranches(ctx: Context, environment: Environment, old: Properties): Promise<Properties> {
  const last = parseState(old);
  const { branches: declared } = last;
  const pending = pendingNow(environment, last);
  const rest = pending === undefined ? {} : { pending };
  if (declared === undefined) return rest;
  if (pending?.asleep || (await isStillBuilding(ctx, environment, declared, pending)))
    return { branches: declared, ...rest };
  const shown = Object.fromEntries(
    Object.entries(branchesOf(environment)).filter(([repo]) => Object.hasOwn(declared, repo)),
  );
  const unseen = pending === undefined ? await unseenBuild(ctx, environment, last, shown) : undefined;
  return {
    branches: shown,
    ...rest,
    ...(unseen && { pending: pendingNow(environment, { ...last, pending: unseen }) }),
  };
}

/** A build that is postponed is due once a refresh sees the environment running. One that is owed is postponed with the environment. */
function pendingNow(
  environment: Environment,
  { pending, whenStopped = "fail" }: StoredBranches,
): PendingBuild | undefined {
  if (pending === undefined) return undefined;
  const isPostponed = (pending.asleep || pending.status === "owed") && !canBuild(whenStopped, environment);
  return isPostponed ? { ...pending, asleep: true } : dueAgain(pending);
}

/** Whether the environment shows other branches than declared only because their build is running. */
async function isStillBuilding(
  ctx: Context,
  environment: Environment,
  branches: Branches,
  pending: PendingBuild | undefined,
): Promise<boolean> {
  if (!environment.processing || environment.deleted || changeFor(environment, branches) === undefined) return false;
  if (pending?.status !== "asked" || !isPendingFor(pending, branches)) return false;
  return isUnderWay({ environment, branches, builds: await buildsSince(ctx, environment, pending) });
}

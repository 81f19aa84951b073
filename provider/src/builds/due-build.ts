import { isDeepStrictEqual } from "node:util";
import type { Environment } from "../client/environments";
import type { Build } from "../client/builds";
import { type Properties, withoutNil } from "../framework/properties";
import { type KnownInput, type WhenStopped, whenStoppedMeans } from "./branches-inputs";
import { stoppingFlagOf } from "./not-running";
import { type Branches, hasBranches, hasOtherBranches } from "./projects";
import { type PendingBuild, parseState, withoutAsleep } from "./state";

/** The wishes of a program and the facts of state: all that decides and needs no request. */
export interface BuildFacts {
  readonly branches: Branches;
  readonly whenStopped: WhenStopped;
  readonly waitForBuild: boolean;
  /** It is created, or the program declares a branch that state does not have, or that the pending build is not for. */
  readonly isDeclaredAnew: boolean;
  /** `rebuildOn` has changed, or is new. */
  readonly isTriggered: boolean;
  readonly pending: PendingBuild | undefined;
}

/** All that decides what is due of a build. */
export interface Situation extends BuildFacts {
  readonly environment: Environment;
  /** The builds since the pending one was requested, the newest first. None while it is owed. */
  readonly newBuilds: readonly Build[];
  /** The newest build of the environment, also one that state does not know. Left out: it was not read, because it decides nothing (`dependsOnNewest`). */
  readonly newestOfAll?: Build | undefined;
}

/** A create has no `old`. */
export function buildFacts(
  { branches = {}, rebuildOn = [], whenStopped = "fail", waitForBuild = true }: KnownInput,
  old: Properties | undefined,
): BuildFacts {
  const { branches: stored = {}, pending } = parseState(old ?? {});
  const storedBranches = new Map(Object.entries(stored));
  const isOther = Object.entries(branches).some(([repo, branch]) => storedBranches.get(repo) !== branch);
  return {
    branches,
    whenStopped,
    waitForBuild,
    isDeclaredAnew: old === undefined || isOther || (pending !== undefined && !isPendingFor(pending, branches)),
    isTriggered: !isDeepStrictEqual(withoutNil(old ?? {})["rebuildOn"] ?? [], rebuildOn),
    pending: pending && withoutAsleep(pending),
  };
}

/**
 * - `nothing`: no request, and no wait. A build of the declared branches that was asked for stays pending, one of others does not.
 * - `change`, `rebuild`: a build is requested, with other branches or the same ones.
 * - `join`: no build is requested. One that runs, or the pending one, which has succeeded in an environment that is stopped now, is brought
 *   to its end: the environment is started if it does not run, and the build is waited for.
 * - `record`: the pending build has succeeded, and its branches are there.
 * - `postpone`: the environment is stopped. The build is requested, or looked after, later.
 * - `refuse`: the environment is stopped, and that is an error.
 */
export type Due = "nothing" | "change" | "rebuild" | "join" | "record" | "postpone" | "refuse";

/** What an `up` has to do: it requests one build at most, whatever has changed. */
export function whatIsDue(situation: Situation): Due {
  const { whenStopped, environment, waitForBuild } = situation;
  const due = firstRowThatFits(situation);
  // With `wake`, a stopped environment is started even if nobody waits.
  if (due === "join" && !waitForBuild && stoppingFlagOf(environment) === undefined) return "nothing";
  if (canBuild(whenStopped, environment) || (due !== "change" && due !== "rebuild")) return due;
  const isRefused = environment.deleted || whenStoppedMeans[whenStopped] === "refused";
  return isRefused && isDueByThisUp(situation) ? "refuse" : "postpone";
}

/** The table of builds. A row that is about a running build needs an environment that can build. */
function firstRowThatFits(situation: Situation): Due {
  const { branches, waitForBuild, isDeclaredAnew, isTriggered, pending, environment, newBuilds } = situation;
  const isForOthers = pending !== undefined && !isPendingFor(pending, branches);
  const isAskedForThese = isAskedFor(pending, branches);
  const differs = hasOtherBranches(environment, branches);
  // Where a build of other branches is pending, a rebuild could be one of those: the service may not show them.
  const request = differs || isForOthers ? "change" : "rebuild";
  const canBuildNow = canBuild(situation.whenStopped, environment);

  // 1. `rebuildOn` has changed or is new, or a build is owed.
  if (isTriggered || pending?.status === "owed") return request;
  // 2a. A new build of the declared branches has succeeded, and the environment shows them. With `wake`, one that is stopped is still started.
  if (isAskedForThese && !differs && newestSuccess(newBuilds, branches) !== undefined)
    return canBuildNow && stoppingFlagOf(environment) !== undefined ? "join" : "record";
  // 2b. Such a build is under way.
  if (isAskedForThese && canBuildNow && isUnderWay(situation)) return "join";
  // 2c. It has come to nothing, and is waited for.
  if (isAskedForThese && waitForBuild) return request;
  // 3. A build of other branches, which this resource asked for, may still come.
  if (isForOthers && canBuildNow && mayStillCome(situation)) return request;
  // 4. The environment has other branches than declared.
  if (differs) return request;
  // 5a. Created or declared anew, the branches are there: a build that runs is joined, whoever asked for it.
  if (isDeclaredAnew && canBuildNow && environment.processing) return "join";
  // 5b. None runs, and the newest one, of these branches, has failed, whoever asked for it.
  return dependsOnNewest(situation) && hasFailed(situation.newestOfAll, branches) ? "rebuild" : "nothing";
}

/** Whether row 5b of the table of builds may fit, so that the newest build is to be read. */
export function dependsOnNewest({ isDeclaredAnew, waitForBuild, environment }: Situation): boolean {
  return isDeclaredAnew && waitForBuild && !environment.processing;
}

/** Whether the newest build is of these branches and has failed. Only for an idle environment: a running build has no success yet. */
export function hasFailed(newest: Build | undefined, branches: Branches): boolean {
  const isBuild = newest !== undefined && Object.keys(branches).length > 0 && hasBranches(newest, branches);
  return isBuild && !newest.successfullyBuilt;
}

/** The newest of these builds that has these branches and has succeeded. */
export function newestSuccess(builds: readonly Build[], branches: Branches): Build | undefined {
  return builds.find((build) => build.successfullyBuilt && hasBranches(build, branches));
}

/** Whether the service works on the build that was asked for, as far as history tells. */
export function isUnderWay({
  environment,
  newBuilds: [newestNew],
  branches,
}: Pick<Situation, "environment" | "newBuilds" | "branches">): boolean {
  return environment.processing && (newestNew === undefined || hasBranches(newestNew, branches));
}

/**
 * Whether a build that this resource asked for runs, or is in a queue. The service may show the branches of such a build only after it. A deleted
 * environment builds nothing.
 */
export function mayStillCome({
  environment,
  pending,
  newBuilds,
}: Pick<Situation, "environment" | "pending" | "newBuilds">): boolean {
  if (pending?.status !== "asked" || environment.deleted) return false;
  const isInHistory = newBuilds.some((build) => hasBranches(build, pending.branches));
  return environment.processing || (!isInHistory && stoppingFlagOf(environment) === undefined);
}

/** Whether a build may be requested now: the environment runs, or the build wakes it. */
export function canBuild(whenStopped: WhenStopped, environment: Environment): boolean {
  const flag = stoppingFlagOf(environment);
  return flag === undefined || (flag !== "deleted" && whenStoppedMeans[whenStopped] === "requested");
}

/** Whether this `up` itself makes a build due: `rebuildOn` or other branches ask for it, and no earlier `up` did. */
export function isDueByThisUp({ isTriggered, pending, branches, environment }: Situation): boolean {
  if (isTriggered) return true;
  return hasOtherBranches(environment, branches) && (pending === undefined || !isPendingFor(pending, branches));
}

/** Whether the service has accepted a build of these branches, which was not seen to succeed. */
export function isAskedFor(pending: PendingBuild | undefined, branches: Branches): pending is PendingBuild {
  return pending?.status === "asked" && isPendingFor(pending, branches);
}

/** Whether a pending build was for the declared branches. */
export function isPendingFor(pending: PendingBuild, branches: Branches): boolean {
  return Object.entries(branches).every(
    ([repo, branch]) => Object.hasOwn(pending.branches, repo) && pending.branches[repo] === branch,
  );
}

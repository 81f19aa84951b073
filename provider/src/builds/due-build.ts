import { isDeepStrictEqual } from "node:util";
import type { Environment } from "../client";
import type { Build } from "../client/builds";
import { type Properties, withoutNil } from "../framework/properties";
import { type KnownInput, type WhenStopped, whenStoppedMeans } from "./branches-inputs";
import { type Branches, changeFor, hasBranches, whyNotRunning } from "./projects";
import { dueAgain, type PendingBuild, parseState } from "./state";

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
  /** The builds since `pending` was asked for, the newest first. */
  readonly builds: readonly Build[];
  /** The newest build of all. Left out: it was not read, because it decides nothing (`dependsOnNewest`). */
  readonly newest?: Build | undefined;
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
    pending: pending && dueAgain(pending),
  };
}

/**
 * - `change`, `rebuild`: a build is requested, with other branches or the same ones.
 * - `join`: a build that runs is waited for.
 * - `record`: the pending build has succeeded, and its branches are there.
 * - `postpone`: the environment is stopped. The build is requested, or looked after, later.
 * - `refuse`: the environment is stopped, and that is an error.
 */
export type Due = "nothing" | "change" | "rebuild" | "join" | "record" | "postpone" | "refuse";

/** The build that is due: one at most, whatever has changed. */
export function dueBuild(situation: Situation): Due {
  const { whenStopped, environment } = situation;
  const due = firstRowThatFits(situation);
  if (canBuild(whenStopped, environment) || (due !== "change" && due !== "rebuild")) return due;
  const isRefused = environment.deleted || whenStoppedMeans[whenStopped].dueBuild === "refused";
  return isRefused && isNewlyDue(situation) ? "refuse" : "postpone";
}

/** The table. A row that is about a running build needs an environment that can build. */
function firstRowThatFits(situation: Situation): Due {
  const { waitForBuild, isDeclaredAnew, isTriggered, pending, environment, whenStopped } = situation;
  const isForOthers = pending !== undefined && !isPendingFor(pending, situation.branches);
  const isAskedForThese = pending?.status === "asked" && !isForOthers;
  const differs = changeFor(environment, situation.branches) !== undefined;
  // Where a build of other branches is pending, a rebuild could be one of those: the service may not show them.
  const request = differs || isForOthers ? "change" : "rebuild";
  const canBuildNow = canBuild(whenStopped, environment);

  // 1. `rebuildOn` has changed or is new, or a build is owed.
  if (isTriggered || pending?.status === "owed") return request;
  // 2a. A new build of the declared branches has succeeded, and the environment shows them. With `wake`, one that is stopped is still started.
  if (isAskedForThese && !differs && succeeded(situation) !== undefined)
    return canBuildNow && whyNotRunning(environment) !== undefined ? "join" : "record";
  // 2b. Such a build is under way.
  if (isAskedForThese && canBuildNow && isUnderWay(situation)) return "join";
  // 2c. It has come to nothing, and is waited for.
  if (isAskedForThese && waitForBuild) return request;
  // 3. A build of other branches, which this resource asked for, may still come.
  if (isForOthers && canBuildNow && mayStillCome(situation)) return request;
  // 4. The environment has other branches than declared.
  if (differs) return request;
  // 5a. A create, or a change, that is repeated after a crash finds its own build running.
  if (isDeclaredAnew && canBuildNow && environment.processing) return "join";
  // 5b. It finds that its own build has failed.
  return dependsOnNewest(situation) && hasFailed(situation.newest, situation.branches) ? "rebuild" : "nothing";
}

/** Whether row 5b may fit, so that the newest build is to be read. */
export function dependsOnNewest({ isDeclaredAnew, waitForBuild, environment }: Situation): boolean {
  return isDeclaredAnew && waitForBuild && !environment.processing;
}

/** Whether the newest build is of these branches and has failed. It is asked of an idle environment: a build that runs has no success either. */
export function hasFailed(newest: Build | undefined, branches: Branches): boolean {
  const isBuild = newest !== undefined && Object.keys(branches).length > 0 && hasBranches(newest, branches);
  return isBuild && !newest.successfullyBuilt;
}

/** The newest build of the declared branches, since the pending one was asked for, that has succeeded. */
export function succeeded({ builds, branches }: Pick<Situation, "builds" | "branches">): Build | undefined {
  return builds.find((build) => build.successfullyBuilt && hasBranches(build, branches));
}

/** Whether the service works on the build that was asked for, as far as history tells. */
export function isUnderWay({
  environment,
  builds: [newest],
  branches,
}: Pick<Situation, "environment" | "builds" | "branches">): boolean {
  return environment.processing && (newest === undefined || hasBranches(newest, branches));
}

/**
 * Whether a build that this resource asked for runs, or is in a queue. The service may show the branches of such a build only after it. A deleted
 * environment builds nothing.
 */
export function mayStillCome({
  environment,
  pending,
  builds,
}: Pick<Situation, "environment" | "pending" | "builds">): boolean {
  if (pending?.status !== "asked" || environment.deleted) return false;
  const isInHistory = builds.some((build) => hasBranches(build, pending.branches));
  return environment.processing || (!isInHistory && whyNotRunning(environment) === undefined);
}

/** Whether a build may be requested now: the environment runs, or the build wakes it. */
export function canBuild(whenStopped: WhenStopped, environment: Environment): boolean {
  const flag = whyNotRunning(environment);
  return flag === undefined || (flag !== "deleted" && whenStoppedMeans[whenStopped].dueBuild === "requested");
}

/** Whether the build that is due was not due before: `rebuildOn` or other branches ask for it, and no earlier `up` did. */
export function isNewlyDue({ isTriggered, pending, branches, environment }: Situation): boolean {
  if (isTriggered) return true;
  return changeFor(environment, branches) !== undefined && (pending === undefined || !isPendingFor(pending, branches));
}

/** Whether a pending build is one of these branches. */
export function isPendingFor(pending: PendingBuild, branches: Branches): boolean {
  return Object.entries(branches).every(
    ([repo, branch]) => Object.hasOwn(pending.branches, repo) && pending.branches[repo] === branch,
  );
}

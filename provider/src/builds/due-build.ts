import { isDeepStrictEqual } from "node:util";
import type { Environment } from "../client";
import type { Build } from "../client/builds";
import { type Properties, withoutNil } from "../framework/properties";
import type { KnownInput, WhenStopped } from "./inputs";
import { type Branches, changeFor, hasBranches, whyNotRunning } from "./projects";
import { type PendingBuild, parseState, ifAwaited } from "./state";

/** What a program asks of the builds, and what state says: all that decides and needs no request. */
export interface BuildFacts {
  readonly branches: Branches;
  readonly whenStopped: WhenStopped;
  readonly waitForBuild: boolean;
  readonly isCreate: boolean;
  /** The program declares a branch that state does not have. */
  readonly isRedeclared: boolean;
  /** `rebuildOn` asks for a build. */
  readonly isTriggered: boolean;
  /** The build that state has. At a create it may be of the resource that is replaced. */
  readonly pending: PendingBuild | undefined;
  /** `pending`, unless its request was accepted and the program does not wait for it. */
  readonly awaited: PendingBuild | undefined;
}

/** All that decides what is due of a build: what is declared, what the environment shows, and what is pending. */
export interface Situation extends BuildFacts {
  readonly environment: Environment;
  /** The builds since `pending` was asked for, the newest first. Left out: not read. */
  readonly builds?: readonly Build[] | undefined;
  /** The build that the environment is processing. Left out: not read. */
  readonly running?: RunningBuild | undefined;
}

/** A build that runs, of which state knows nothing. */
export interface RunningBuild {
  /** Ids of the builds in history before it. */
  readonly knownBuildIds: ReadonlySet<string>;
  /** It may be without the variables as they are now. */
  readonly isOlderThanVariables: boolean;
}

/** A create has no `old`. */
export function buildFacts(
  { branches = {}, rebuildOn = [], whenStopped = "fail", waitForBuild = true }: KnownInput,
  old: Properties | undefined,
  pending: PendingBuild | undefined,
): BuildFacts {
  const storedBranches = new Map(Object.entries(parseState(old ?? {}).branches ?? {}));
  return {
    branches,
    whenStopped,
    waitForBuild,
    isCreate: old === undefined,
    isRedeclared: Object.entries(branches).some(([repo, branch]) => storedBranches.get(repo) !== branch),
    isTriggered: !isDeepStrictEqual(withoutNil(old ?? {})["rebuildOn"] ?? [], rebuildOn),
    pending,
    awaited: ifAwaited(pending),
  };
}

/**
 * - `change`, `rebuild`: a build is requested, with other branches or the same ones.
 * - `join`: a build that was requested before is waited for.
 * - `owe`: the environment sleeps, so the build is requested later.
 * - `keep`: the environment sleeps, so the pending build stays pending.
 * - `refuse`: the environment sleeps, and that is an error.
 */
export type Due = "nothing" | "change" | "rebuild" | "join" | "owe" | "keep" | "refuse";

/** What is due of a build: one build at most, whatever has changed. */
export function dueBuild(situation: Situation): Due {
  const { whenStopped, environment } = situation;
  return canBuild(whenStopped, environment) ? dueWhileRunning(situation) : dueWhileAsleep(situation);
}

/** What is due where no build can be requested now. */
function dueWhileAsleep(situation: Situation): Due {
  const { whenStopped, isTriggered, environment, awaited } = situation;
  const { differs, isRequested, isOwed, isForOtherBranches } = awaitedFacts(situation);
  const isNewlyRequested = isTriggered || (differs && (awaited === undefined || isForOtherBranches));
  if (isNewlyRequested) return environment.deleted || whenStopped === "fail" ? "refuse" : "owe";
  return isRequested || isOwed ? "keep" : "nothing";
}

/** What is due where a build can be requested now: the environment runs, or the build wakes it. The first row that fits. */
function dueWhileRunning(situation: Situation): Due {
  const { isCreate, isRedeclared, isTriggered, environment, awaited, running } = situation;
  const { branches, builds = [] } = situation;
  const { processing } = environment;
  const { differs, isRequested, isOwed, isForOtherBranches } = awaitedFacts(situation);
  // Where a build of other branches is awaited, a rebuild could be one of those: the service may not show them.
  const request = differs || isForOtherBranches ? "change" : "rebuild";
  const matching = builds.filter((build) => hasBranches(build, branches));
  // Where no wait follows, a build that is not listed with the declared branches may be somebody's, and the request lost.
  const isProven = awaited?.status !== "ambiguous" || situation.waitForBuild || matching.length > 0;

  if (earlierBuildMayChangeBranches(situation)) return "change";
  // A create that is repeated after a crash finds its own build running.
  if (isTriggered && running?.isOlderThanVariables === false) return "join";
  if (isTriggered || isOwed) return request;
  if (isRequested && isForOtherBranches && (differs || processing)) return "change";
  if (isRequested && !differs && matching.some(({ successfullyBuilt }) => successfullyBuilt)) return "join";
  if (isRequested && processing && isProven && builds[0] === matching[0]) return "join";
  if (isRequested) return request;
  if (differs) return "change";
  return awaited === undefined && (isCreate || isRedeclared) && processing ? "join" : "nothing";
}

/** How the declared branches compare with those of the environment, and with those of the build that is awaited. */
interface AwaitedFacts {
  /** The environment has other branches than the declared ones. */
  readonly differs: boolean;
  /** The build was requested, and maybe got no answer. */
  readonly isRequested: boolean;
  /** The build was not requested, and is still needed. */
  readonly isOwed: boolean;
  readonly isForOtherBranches: boolean;
}

function awaitedFacts({ branches, environment, awaited }: Situation): AwaitedFacts {
  const differs = changeFor(environment, branches) !== undefined;
  return {
    differs,
    isRequested: awaited !== undefined && awaited.status !== "owed",
    isOwed: awaited?.status === "owed" && (differs || awaited.needsRebuild === true),
    isForOtherBranches: awaited !== undefined && !isPendingFor(awaited, branches),
  };
}

/** Whether the table depends on the builds since the pending one was asked for. */
export function dependsOnBuilds(situation: Situation): boolean {
  const { whenStopped, environment, awaited, isTriggered } = situation;
  if (!canBuild(whenStopped, environment)) return false;
  const isRequested = awaited !== undefined && awaited.status !== "owed";
  return earlierBuildMayChangeBranches(situation) || (isRequested && !isTriggered);
}

/** Whether the table depends on the build that runs: one that an earlier run may have requested before it was killed. */
export function dependsOnRunning(situation: Situation): boolean {
  const { branches, whenStopped, isCreate, isRedeclared, isTriggered, environment, awaited } = situation;
  if (!environment.processing || !canBuild(whenStopped, environment) || awaited !== undefined) return false;
  if (changeFor(environment, branches) !== undefined || earlierBuildMayChangeBranches(situation)) return false;
  return isCreate || (isRedeclared && !isTriggered);
}

/** Whether a build may be requested now: the environment runs, or the build wakes it. */
export function canBuild(whenStopped: WhenStopped, environment: Environment): boolean {
  const flag = whyNotRunning(environment);
  return flag === undefined || (whenStopped === "wake" && flag !== "deleted");
}

/** Whether the program asks for a build that no earlier `up` has asked for: other branches, or `rebuildOn`. */
export function isDeclaredAnew({ awaited, branches, isTriggered }: BuildFacts): boolean {
  return awaited === undefined || !isPendingFor(awaited, branches) || isTriggered;
}

/**
 * Whether the environment shows the declared branches, but a build of other branches may be under way, or in a queue of the service, which this
 * resource asked for: a service may show branches only after their build. As far as builds are read, they tell whether it is over.
 */
export function earlierBuildMayChangeBranches({
  environment,
  branches,
  pending,
  builds = [],
}: Pick<Situation, "environment" | "branches" | "pending" | "builds">): boolean {
  if (pending === undefined || pending.status === "owed" || changeFor(environment, branches) !== undefined)
    return false;
  const { processing } = environment;
  const isOther = Object.entries(pending.branches).some(
    ([repo, branch]) => Object.hasOwn(branches, repo) && branches[repo] !== branch,
  );
  if (!isOther || (!processing && whyNotRunning(environment) !== undefined)) return false;
  const own = builds.filter((build) => hasBranches(build, pending.branches));
  const isSuperseded = own.length > 0 && own[0] !== builds[0];
  // While the service works, the build may have ended after the environment was read, which shows what was there before.
  const hasEnded = !processing && own.some(({ successfullyBuilt }) => successfullyBuilt);
  return !isSuperseded && !hasEnded;
}

/** Whether a pending build was requested for these branches. */
export function isPendingFor(pending: PendingBuild, branches: Branches): boolean {
  return isDeepStrictEqual({ ...pending.branches }, { ...branches });
}

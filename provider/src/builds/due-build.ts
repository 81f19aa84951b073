import { isDeepStrictEqual } from "node:util";
import type { Environment } from "../client";
import type { Build } from "../client/builds";
import { type Properties, withoutNil } from "../framework/properties";
import { type Branches, changeFor, hasBranches, whyNotRunning } from "./projects";
import { type PendingBuild, stored, unfinishedOf, type WHEN_STOPPED } from "./state";

/** What an EnvironmentBranches declares. */
export interface Declaration {
  readonly environmentId: string;
  readonly branches?: Branches | undefined;
  readonly rebuildOn?: readonly unknown[] | undefined;
  readonly waitForBuild: boolean;
  readonly buildTimeoutSeconds: number;
  readonly whenStopped: (typeof WHEN_STOPPED)[number];
  readonly requires?: readonly string[] | undefined;
}

/** The same, as far as a preview knows it. */
export type PlannedDeclaration = { readonly [Key in keyof Declaration]?: Declaration[Key] | undefined };

/** All that decides what is due of a build: what is declared, what the environment shows, and what is pending. */
export interface Situation {
  readonly branches: Branches;
  readonly whenStopped: Declaration["whenStopped"];
  readonly waitForBuild: boolean;
  readonly isCreate: boolean;
  /** State has other branches than declared. */
  readonly isRedeclared: boolean;
  /** `rebuildOn` asks for a build. */
  readonly isTriggered: boolean;
  readonly environment: Environment;
  /** The environment shows other branches than declared. */
  readonly differs: boolean;
  readonly pending: PendingBuild | undefined;
  /** The same, unless nobody waits for it. */
  readonly unfinished: PendingBuild | undefined;
  /** The builds since `pending` was asked for, the newest first; left out: not read. */
  readonly builds?: readonly Build[] | undefined;
  /** The build that the environment is processing; left out: not read. */
  readonly running?: RunningBuild;
}

/** A build that runs, of which state knows nothing. */
export interface RunningBuild {
  /** Ids of the builds in history before it. */
  readonly before: ReadonlySet<string>;
  /** It may be without the variables as they are now. */
  readonly isOlderThanVariables: boolean;
}

/**
 * - `change`, `rebuild`: a build is requested, with other branches or the same ones.
 * - `join`: the build that was requested before is waited for.
 * - `owe`: the environment sleeps, so the build is requested later.
 * - `keep`: the environment sleeps, so the pending build stays pending.
 * - `refuse`: the environment sleeps, and that is an error.
 * - `readBuilds`, `readRunning`: it depends on what has not been read yet.
 */
export type Due = "nothing" | "change" | "rebuild" | "join" | "owe" | "keep" | "refuse" | "readBuilds" | "readRunning";

/** What is known before any build is read. A create has no `old`; what is pending may be of the resource that it replaces. */
export function situationOf(
  declared: PlannedDeclaration,
  old: Properties | undefined,
  pending: PendingBuild | undefined,
  environment: Environment,
): Situation {
  const { branches = {}, whenStopped = "fail", waitForBuild = true } = declared;
  return {
    branches,
    whenStopped,
    waitForBuild,
    isCreate: old === undefined,
    isRedeclared: !isDeepStrictEqual({ ...stored(old ?? {}).branches }, { ...branches }),
    isTriggered: triggersRebuild(declared, old),
    environment,
    differs: changeFor(environment, branches) !== undefined,
    pending,
    unfinished: unfinishedOf(pending),
  };
}

/** What is due of a build: one build at most, whatever has changed. */
export function dueBuild(situation: Situation): Due {
  const { branches, isCreate, isRedeclared, isTriggered, environment, differs, unfinished, builds, running } =
    situation;
  const { processing, deleted } = environment;
  const isOwed = unfinished?.status === "owed";
  const isAsked = unfinished !== undefined && !isOwed;
  const isOfOthers = unfinished !== undefined && !isFor(unfinished, branches);
  const isDeclared = isTriggered || (differs && (unfinished === undefined || isOfOthers));
  const isOwedStill = isOwed && (differs || unfinished.needsRebuild === true);
  const isAble = canBuild(situation.whenStopped, environment);
  // Where a build of other branches is unfinished, a rebuild could be one of those: the service may not show them.
  const request = differs || isOfOthers ? "change" : "rebuild";
  const matching = (builds ?? []).filter((build) => hasBranches(build, branches));
  // Where no wait follows, a build that is not listed with the declared branches may be somebody's, and the request lost.
  const isProven = unfinished?.status !== "ambiguous" || situation.waitForBuild || matching.length > 0;

  // The first row that fits. The environment cannot build:
  if (!isAble && isDeclared && (deleted || situation.whenStopped === "fail")) return "refuse";
  if (!isAble && isDeclared) return "owe";
  if (!isAble && (isAsked || isOwedStill)) return "keep";
  if (!isAble) return "nothing";
  // It shows the declared branches, and the last request of this resource may bring others.
  if (mayBringOthers(situation) && builds === undefined) return "readBuilds";
  if (isBringingOthers(situation)) return "change";
  // The program has other values in `rebuildOn`. A create that is repeated after a crash finds its own build running.
  if (isTriggered && request === "change") return "change";
  if (isTriggered && isCreate && processing && running === undefined) return "readRunning";
  if (isTriggered && isCreate && processing && running?.isOlderThanVariables === false) return "join";
  if (isTriggered) return "rebuild";
  // An earlier `up` left a build that was not requested.
  if (isOwed) return isOwedStill ? request : "nothing";
  // An earlier `up` requested a build and did not see it succeed.
  if (isAsked && isOfOthers && (differs || processing)) return "change";
  if (isAsked && builds === undefined) return "readBuilds";
  if (isAsked && !differs && matching.some(({ successfullyBuilt }) => successfullyBuilt)) return "join";
  if (isAsked && isProven && processing && builds?.[0] === matching[0]) return "join";
  if (isAsked) return request;
  // Nothing is pending. What is repeated after a crash finds its own build running.
  if (differs) return "change";
  if ((isCreate || isRedeclared) && processing) return "join";
  return "nothing";
}

/** Whether a build may be requested now: the environment runs, or the build wakes it. */
export function canBuild(whenStopped: Declaration["whenStopped"], environment: Environment): boolean {
  const flag = whyNotRunning(environment);
  return flag === undefined || (whenStopped === "wake" && flag !== "deleted");
}

/** Whether the program asks for a build that no earlier `up` has asked for: other branches, or `rebuildOn`. */
export function isDeclaredAnew({ unfinished, branches, isTriggered }: Situation): boolean {
  return unfinished === undefined || !isFor(unfinished, branches) || isTriggered;
}

/** Whether `rebuildOn` asks for a build. */
export function triggersRebuild({ rebuildOn = [] }: PlannedDeclaration, old: Properties = {}): boolean {
  return !isDeepStrictEqual(withoutNil(old)["rebuildOn"] ?? [], rebuildOn);
}

/** What the environment shows of the wanted branches, and what was asked for before. */
type Shown = Pick<Situation, "environment" | "branches" | "differs" | "pending" | "builds">;

/**
 * Whether the environment shows the wanted branches, but a build of others may be under way, or in a queue of the service, which this
 * resource asked for. Then what is shown does not count: a service may show branches only after their build.
 */
export function mayBringOthers({ environment, differs, pending, branches }: Shown): boolean {
  if (differs || pending === undefined || pending.status === "owed") return false;
  const asked = new Map(Object.entries(pending.branches));
  const isOther = Object.entries(branches).some(([repo, branch]) => (asked.get(repo) ?? branch) !== branch);
  return isOther && (environment.processing || whyNotRunning(environment) === undefined);
}

/** Whether it does so, as far as its builds tell. */
export function isBringingOthers(shown: Shown): boolean {
  const { environment, pending, builds } = shown;
  if (pending === undefined || builds === undefined || !mayBringOthers(shown)) return false;
  const own = builds.filter((build) => hasBranches(build, pending.branches));
  const isSuperseded = own.length > 0 && own[0] !== builds[0];
  // While the service works, the build may have ended after the environment was read, which shows what was there before.
  const isOver = isSuperseded || (!environment.processing && own.some(({ successfullyBuilt }) => successfullyBuilt));
  return !isOver;
}

/** The build that a sleeping environment needs, for state. */
export function owedBuild({ unfinished, branches, isTriggered }: Situation): PendingBuild {
  const wasNeeded = unfinished !== undefined && (unfinished.status !== "owed" || unfinished.needsRebuild === true);
  return { v: 1, before: [], branches, status: "owed", needsRebuild: wasNeeded || isTriggered };
}

/** Whether a pending build was requested for these branches. */
export function isFor(pending: PendingBuild, branches: Branches): boolean {
  return isDeepStrictEqual({ ...pending.branches }, { ...branches });
}

import { isDeepStrictEqual } from "node:util";
import type { BranchChange, Environment } from "../client";
import { queuedMicros } from "../client/newest-builds";
import type { Build } from "../client/builds";
import { buildsSince, newestIds, recentBuilds } from "../environment/build-history";
import type { Context } from "../framework/context";
import { type Properties, withoutNil } from "../framework/properties";
import { allBranches, type Branches, changeFor, hasBranches, whyNotRunning } from "./projects";
import type { BuildRequest } from "./request-build";
import { type PendingBuild, stored, unfinishedBuild } from "./state";
import { lookForBuilds, type Sighting } from "./wait-for-build";

/** What an EnvironmentBranches declares. */
export interface Declaration {
  readonly environmentId: string;
  readonly branches?: Branches | undefined;
  readonly rebuildOn?: readonly unknown[] | undefined;
  readonly waitForBuild: boolean;
  readonly buildTimeoutSeconds: number;
  readonly whenStopped: "fail" | "skip" | "wake";
  readonly requires?: readonly string[] | undefined;
}

/** A build to request, one that was requested already, or one that has to wait until the environment runs again. */
export type NeededBuild =
  | BuildRequest
  | { readonly kind: "join"; readonly before: ReadonlySet<string> }
  | { readonly kind: "postpone" };

/** The build that brings the environment to what is declared: one at most, whatever has changed. */
export async function neededBuild(
  ctx: Context,
  input: Declaration,
  old: Properties | undefined,
  environment: Environment,
): Promise<NeededBuild | undefined> {
  const { environmentId, branches = {} } = input;
  const isTriggered = triggersRebuild(input, old);
  const unfinished = unfinishedBuild(old ?? {});
  const isChanged = changeFor(environment, branches) !== undefined;
  const hidden = isChanged ? undefined : await changeOfPending(ctx, input, old, environment);
  if (hidden !== undefined) return { kind: "change", projects: hidden };
  if (unfinished !== undefined && !isTriggered) return continueBuild(ctx, input, environment, unfinished);
  if (isChanged) return requestFor(input, environment, unfinished);
  // A create, or a change of branches, that is repeated after a crash finds its own build running.
  const mayBeRepeated =
    old === undefined || (!isTriggered && !isDeepStrictEqual({ ...stored(old).branches }, { ...branches }));
  if (mayBeRepeated && environment.processing && canBuild(input, environment))
    return joinOrRebuild(ctx, environmentId, isTriggered);
  return isTriggered ? requestFor(input, environment, unfinished) : undefined;
}

/** What to ask for. Where a build of other branches is unfinished, a rebuild could be one of those: the service may not show them. */
function requestFor(
  { branches = {} }: Declaration,
  environment: Environment,
  unfinished: PendingBuild | undefined,
): BuildRequest {
  const isOther = unfinished !== undefined && !isFor(unfinished, branches);
  if (!isOther && changeFor(environment, branches) === undefined) return { kind: "rebuild" };
  return { kind: "change", projects: allBranches(environment, branches) };
}

/** What a change has to send although every branch is shown as declared: a build of others, which this resource asked for, may
 * be under way. What that one brings to the repositories that are not declared stays. */
async function changeOfPending(
  ctx: Context,
  input: Declaration,
  old: Properties | undefined,
  environment: Environment,
): Promise<readonly BranchChange[] | undefined> {
  const { branches = {} } = input;
  const { pending } = stored(old ?? {});
  if (!canBuild(input, environment) || !(await mayGetOthers(ctx, environment, pending, branches))) return undefined;
  return allBranches(environment, { ...pending?.branches, ...branches });
}

/** Whether a build may be requested now: the environment runs, or the build wakes it. */
export function canBuild({ whenStopped }: Pick<Declaration, "whenStopped">, environment: Environment): boolean {
  const flag = whyNotRunning(environment);
  return flag === undefined || (whenStopped === "wake" && flag !== "deleted");
}

/** The build that a sleeping environment needs, for state. */
export function owedBuild(input: Declaration, old: Properties | undefined): PendingBuild {
  const unfinished = unfinishedBuild(old ?? {});
  const wasNeeded = unfinished !== undefined && (unfinished.status !== "owed" || unfinished.needsRebuild === true);
  const needsRebuild = wasNeeded || triggersRebuild(input, old);
  return { v: 1, before: [], branches: input.branches ?? {}, status: "owed", needsRebuild };
}

/** Whether the environment shows other branches than declared only because their build, which nobody awaits, is running. */
export async function isStillBuilding(ctx: Context, environment: Environment, old: Properties): Promise<boolean> {
  const { branches = {}, pending } = stored(old);
  if (!environment.processing || changeFor(environment, branches) === undefined) return false;
  if (pending?.status !== "notAwaited" || !isFor(pending, branches)) return false;
  const before = new Set(pending.before);
  return isUnderWay(await lookForBuilds(ctx, { environmentId: environment.id, branches, before }));
}

/**
 * Whether a build with other branches than the wanted ones may be under way, or in a queue of the service, which this resource
 * asked for. Then what the environment shows does not count: a service may show branches only after their build.
 */
export async function mayGetOthers(
  ctx: Context,
  environment: Environment,
  pending: PendingBuild | undefined,
  wanted: Branches,
): Promise<boolean> {
  if (pending === undefined || pending.status === "owed") return false;
  const asked = new Map(Object.entries(pending.branches));
  if (Object.entries(wanted).every(([repo, branch]) => (asked.get(repo) ?? branch) === branch)) return false;
  const { processing } = environment;
  if (!processing && whyNotRunning(environment) !== undefined) return false;
  const builds = await buildsSince(ctx, { environmentId: environment.id, before: new Set(pending.before) });
  const own = builds.filter((build) => hasBranches(build, pending.branches));
  const isSuperseded = own.length > 0 && own[0] !== builds[0];
  // While the service works, the build may have ended after the environment was read, which shows what was there before.
  const isOver = isSuperseded || (!processing && own.some(({ successfullyBuilt }) => successfullyBuilt));
  return !isOver;
}

/** The pending build after a refresh. One that waits for the environment to run is due once the refresh sees it running. */
export function pendingSeen(environment: Environment, old: Properties): PendingBuild | undefined {
  const { pending, whenStopped = "fail" } = stored(old);
  if (pending === undefined) return undefined;
  const { postponed, ...due } = pending;
  const waits = (postponed !== undefined || due.status === "owed") && !canBuild({ whenStopped }, environment);
  return waits ? { ...due, postponed: postponed ?? { wantedRunning: false } } : due;
}

/** What to do about the build that an earlier `up` requested and did not see succeed. */
async function continueBuild(
  ctx: Context,
  input: Declaration,
  environment: Environment,
  unfinished: PendingBuild,
): Promise<NeededBuild | undefined> {
  const { environmentId, branches = {} } = input;
  const isChanged = changeFor(environment, branches) !== undefined;
  const request = requestFor(input, environment, unfinished);
  const mayBuild = canBuild(input, environment);
  if (unfinished.status === "owed" && unfinished.needsRebuild !== true && !isChanged) return undefined;
  // Branches that are declared anew. A build of the earlier ones may run, whose branches the service does not show yet.
  if (!isFor(unfinished, branches) && (isChanged || (mayBuild && environment.processing))) return request;
  // It is not specified whether a deleted environment has a history.
  if (environment.deleted) return { kind: "postpone" };
  if (unfinished.status === "owed") return mayBuild ? request : { kind: "postpone" };
  const before = new Set(unfinished.before);
  const sighting = await lookForBuilds(ctx, { environmentId, branches, before });
  const { matching } = sighting;
  const hasSucceeded = matching.some(({ successfullyBuilt }) => successfullyBuilt);
  if (!mayBuild && !hasSucceeded) return { kind: "postpone" };
  // Where no wait follows, a build that is not listed with the declared branches may be somebody's, and the request lost.
  const isProven = unfinished.status !== "ambiguous" || input.waitForBuild || matching.length > 0;
  const isAlive = (isProven && isUnderWay(sighting)) || (hasSucceeded && !isChanged);
  return isAlive ? { kind: "join", before } : request;
}

/** Whether the environment is processing, and no build of other branches was queued since the request. */
function isUnderWay({ environment, builds, matching }: Sighting): boolean {
  return environment.processing && builds[0] === matching[0];
}

/** Whether a pending build was requested for these branches. */
function isFor(pending: PendingBuild, branches: Branches): boolean {
  return isDeepStrictEqual({ ...pending.branches }, { ...branches });
}

/** Whether the program asks for a build that no earlier `up` has asked for: other branches, or `rebuildOn`. */
export function isDeclaredAnew(
  input: Pick<Declaration, "branches" | "rebuildOn">,
  old: Properties | undefined,
): boolean {
  const unfinished = unfinishedBuild(old ?? {});
  return unfinished === undefined || !isFor(unfinished, input.branches ?? {}) || triggersRebuild(input, old);
}

/** Whether `rebuildOn` asks for a build. */
export function triggersRebuild({ rebuildOn = [] }: Pick<Declaration, "rebuildOn">, old: Properties = {}): boolean {
  return !isDeepStrictEqual(withoutNil(old)["rebuildOn"] ?? [], rebuildOn);
}

/**
 * Waits for the running build, as what is repeated after a crash finds its own one running. A build that was queued before
 * the variables were written, such as the first one of a new environment, is not enough when `rebuildOn` asks for them.
 */
async function joinOrRebuild(ctx: Context, environmentId: string, needsVariables: boolean): Promise<NeededBuild> {
  // A running build may be older than any change that this run has made.
  if (needsVariables && ctx.environment(environmentId).haveVariablesChanged) return { kind: "rebuild" };
  const call = { signal: ctx.signal };
  const builds = await recentBuilds(ctx, environmentId);
  const [running, ...earlier] = builds;
  if (needsVariables && running !== undefined) {
    const { variables } = await ctx.client.envVars.list(environmentId, call);
    const second = queuedSecond(running);
    if (variables.some(({ updatedAt = "" }) => updatedAt > second)) return { kind: "rebuild" };
  }
  // The newest build is the running one, unless it is over: a service may list a build only once it has ended.
  const isOver =
    running?.successfullyBuilt === true && (await ctx.client.environments.get(environmentId, call)).processing;
  return { kind: "join", before: newestIds(isOver ? builds : earlier) };
}

/** When a build was queued, as the service writes times of variables: no zone and whole seconds, so that only a later second
 * counts as later. A time that cannot be read is before all others. */
function queuedSecond(build: Build): string {
  const micros = queuedMicros(build);
  return micros === undefined ? "" : new Date(micros / 1_000).toISOString().slice(0, "YYYY-MM-DDTHH:MM:SS".length);
}

import { isDeepStrictEqual } from "node:util";
import type { Environment } from "../client";
import { queuedMicros } from "../client/build-order";
import type { Build } from "../client/builds";
import type { Context } from "../framework/context";
import { withoutNil, type Properties } from "../framework/properties";
import { newestIds, recentBuilds } from "../environment/build-history";
import { allBranches, type Branches, carries, changeFor, dormantFlag } from "./projects";
import type { BuildRequest } from "./queue";
import { type Pending, stored } from "./state";
import { awaitTrace, see, type Watch } from "./watch";

/** What an EnvironmentBranches declares. */
export interface Declaration {
  readonly environmentId: string;
  readonly branches?: Readonly<Record<string, string>> | undefined;
  readonly rebuildOn?: readonly unknown[] | undefined;
  readonly waitForBuild: boolean;
  readonly buildTimeoutSeconds: number;
}

/** A build to request, or one that is there already: the builds that history showed before it. */
export type Need = BuildRequest | { readonly before: ReadonlySet<string> };

/** What build brings the environment to what is declared: at most one, whatever has changed. */
export async function neededBuild(
  ctx: Context,
  input: Declaration,
  old: Properties | undefined,
  environment: Environment,
): Promise<Need | undefined> {
  const { environmentId, branches = {}, rebuildOn = [] } = input;
  const projects = changeFor(environment, branches);
  if (old === undefined) {
    if (projects !== undefined) return { kind: "change", projects };
    if (environment.processing) return joinOrRebuild(ctx, environmentId, rebuildOn.length > 0);
    return rebuildOn.length > 0 ? { kind: "rebuild" } : undefined;
  }
  const { pending } = stored(old);
  const hasTrigger = rebuilds(input, old);
  if (pending === undefined) {
    if (projects !== undefined) return { kind: "change", projects };
    if (hasTrigger) return { kind: "rebuild" };
    // An update that is repeated after a crash finds its own build running.
    const isNew = !isDeepStrictEqual({ ...stored(old).branches }, { ...branches });
    return isNew && environment.processing ? joinOrRebuild(ctx, environmentId, false) : undefined;
  }
  const watch = { environmentId, wanted: branches, before: new Set(pending.before) };
  const isSame = isFor(pending, branches);
  if (projects !== undefined) {
    const underWay = isSame && !hasTrigger && (await isUnderWay(ctx, watch));
    return underWay ? { before: watch.before } : { kind: "change", projects };
  }
  if (hasTrigger) return { kind: "rebuild" };
  // A build of other branches runs, which the service will show once it is over: that is not what is declared now.
  if (environment.processing && !isSame) return { kind: "change", projects: allBranches(environment, branches) };
  return resume(ctx, watch, pending);
}

/**
 * The environment, once it can be judged: while somebody's earlier build runs, it does not show whether a request that got
 * no answer is behind that one in a queue, or was lost.
 */
export async function judgeable(
  ctx: Context,
  input: Declaration,
  old: Properties | undefined,
  environment: Environment,
): Promise<Environment> {
  const { environmentId, branches = {}, waitForBuild, buildTimeoutSeconds } = input;
  const { pending } = stored(old ?? {});
  if (pending?.unanswered !== true || !waitForBuild || !environment.processing) return environment;
  // What was asked for is not wanted any more.
  if (!isFor(pending, branches) || rebuilds(input, old ?? {})) return environment;
  const before = new Set(pending.before);
  return awaitTrace(ctx, { environmentId, wanted: branches, before, timeoutMs: buildTimeoutSeconds * 1000 });
}

/**
 * Whether all that is owed is the build of an earlier run, and the environment cannot build: that waits until it runs
 * again. What the program wants anew of such an environment is refused instead.
 */
export async function mustSleep(
  ctx: Context,
  input: Declaration,
  old: Properties | undefined,
  environment: Environment,
): Promise<boolean> {
  const { environmentId, branches = {} } = input;
  const { pending } = stored(old ?? {});
  if (pending === undefined || dormantFlag(environment) === undefined || rebuilds(input, old ?? {})) return false;
  if (changeFor(environment, branches) !== undefined && !isFor(pending, branches)) return false;
  // The specification does not show whether a deleted environment has a history.
  if (environment.deleted) return true;
  const { candidates } = await see(ctx, { environmentId, wanted: branches, before: new Set(pending.before) });
  return !candidates.some(({ successfullyBuilt }) => successfullyBuilt);
}

/** Whether the declared branches are those that an earlier build was requested for. */
function isFor(pending: Pending, branches: Branches): boolean {
  return isDeepStrictEqual({ ...(pending.branches ?? branches) }, { ...branches });
}

/** Whether `rebuildOn` asks for a build. */
function rebuilds({ rebuildOn = [] }: Declaration, old: Properties): boolean {
  return !isDeepStrictEqual(withoutNil(old)["rebuildOn"] ?? [], rebuildOn);
}

/** Whether an environment does not show the declared branches only because their build, which nobody waited for, runs. */
export async function isStillQueued(ctx: Context, environment: Environment, old: Properties): Promise<boolean> {
  const { branches = {}, queued } = stored(old);
  if (queued === undefined || !environment.processing || changeFor(environment, branches) === undefined) return false;
  if (!isDeepStrictEqual(queued.branches, branches)) return false;
  return isUnderWay(ctx, { environmentId: environment.id, wanted: branches, before: new Set(queued.before) });
}

/** Whether the build that an earlier run requested still runs, although the environment does not show its branches. */
async function isUnderWay(ctx: Context, watch: Omit<Watch, "timeoutMs">): Promise<boolean> {
  const { environment, fresh } = await see(ctx, watch);
  const [newest] = fresh;
  return environment.processing && (newest === undefined || carries(newest, watch.wanted));
}

/** Looks at the build that an earlier run left: done, still running or in a queue, or to be started again. */
async function resume(ctx: Context, watch: Omit<Watch, "timeoutMs">, pending: Pending): Promise<Need> {
  const { environment, candidates } = await see(ctx, watch);
  const [newest] = candidates;
  const alive = environment.processing || candidates.some(({ successfullyBuilt }) => successfullyBuilt);
  const queued = newest !== undefined && pending.started !== true && pending.judged !== newest.id;
  return alive || queued ? { before: watch.before } : { kind: "rebuild" };
}

/**
 * What is repeated after a crash finds its own build running, and waits for it. A build that was queued before the
 * variables were written, such as the first one of a new environment, is not enough when `rebuildOn` asks for them.
 */
async function joinOrRebuild(ctx: Context, environmentId: string, wantsVariables: boolean): Promise<Need> {
  // What this process has changed was not there when a build that runs by now was queued, as far as anybody can tell.
  if (wantsVariables && ctx.environment(environmentId).builds.haveVariablesChanged) return { kind: "rebuild" };
  const call = { signal: ctx.signal };
  const builds = await recentBuilds(ctx, environmentId);
  const [running, ...earlier] = builds;
  if (wantsVariables && running !== undefined) {
    const { variables } = await ctx.client.envVars.list(environmentId, call);
    const second = queuedSecond(running);
    if (variables.some(({ updatedAt = "" }) => updatedAt > second)) return { kind: "rebuild" };
  }
  // The newest is the running one, unless it was over before: a service may list a build only once it has ended.
  const over =
    running?.successfullyBuilt === true && (await ctx.client.environments.get(environmentId, call)).processing;
  return { before: newestIds(over ? builds : earlier) };
}

/** When a build was queued, as the service writes times of variables: no zone and whole seconds, so that only a later second
 * counts as later. A time that cannot be read is before all others. */
function queuedSecond(build: Build): string {
  const micros = queuedMicros(build);
  return micros === undefined ? "" : new Date(micros / 1_000).toISOString().slice(0, "YYYY-MM-DDTHH:MM:SS".length);
}

import type { Environment } from "../client/environments";
import type { Build } from "../client/builds";
import { displayable } from "../client/error-text";
import { type BuildReading, type HistoryMark, readBuilds } from "../environment/build-history";
import { AmbiguousResultError } from "../environment/send-once";
import { POLL_CALL, Wait, type WaitLimit } from "../environment/wait";
import type { Context } from "../framework/context";
import {
  type BuildProgress,
  failureOf,
  lateError,
  MAX_QUEUE_MS,
  otherBranchesError,
  progressText,
  successOf,
} from "./build-progress";
import type { BranchesInput } from "./branches-inputs";
import { stoppingFlagOf } from "./not-running";
import { hasBranches, hasOtherBranches } from "./projects";
import type { AwaitedBuild } from "./request-build";
import type { PendingBuild } from "./state";

/**
 * Waits until a new build with the declared branches succeeds. A newer one that supersedes it counts. One that was there
 * before the request never does.
 * @throws BuildError when it failed, was superseded, or took too long, or the environment was stopped, retired or deleted meanwhile.
 */
export async function waitUntilBuilt(
  ctx: Context,
  { environmentId, whenStopped }: BranchesInput,
  awaited: PendingBuild,
  wasNotRunning: boolean,
  limit: WaitLimit,
): Promise<{ readonly build: Build; readonly environment: Environment }> {
  const { branches } = awaited;
  const wait = new Wait(ctx, limit);
  let last: BuildProgress | undefined;
  for await (const progress of readProgress(ctx, environmentId, awaited, wait)) {
    last = progress;
    const build = successOf(awaited, wasNotRunning, progress);
    if (build === undefined) {
      const failure = failureOf(awaited, progress, whenStopped);
      if (failure !== undefined) throw failure;
      wait.what = progressText(awaited, progress);
      continue;
    }
    const environment = await wait.poll(readSettled(ctx, progress.environment, branches));
    if (environment === undefined) continue;
    if (!hasOtherBranches(environment, branches)) return { build, environment };
    // The build that the service still works on is this one, as far as history tells: it may show its branches at the end only.
    const isSettling = environment.processing && progress.builds[0] === build;
    if (!isSettling) throw otherBranchesError(environment, build);
    wait.what = `waiting until ${displayable(environment.name)} shows the branches of its build`;
  }
  throw lateError(`environment ${ctx.client.titleOf(environmentId)}`, awaited, last, wait.after, wait.lastFailure);
}

/**
 * Looks for the effect of a request that got no answer. With a `limit`, it looks until nothing can be expected any more, else once.
 * @throws AmbiguousResultError when nothing shows that the service has accepted it
 */
export async function findUnanswered(ctx: Context, requested: AwaitedBuild, limit?: WaitLimit): Promise<void> {
  const { environment, pending, unansweredText } = requested;
  if (unansweredText === undefined) return;
  const lost = new AmbiguousResultError(unansweredText, "The next `pulumi up` requests the build again.");
  if (limit === undefined) {
    if (isAccepted(requested, await readBuilds(ctx, environment.id, pending, POLL_CALL))) return;
    throw lost;
  }
  const wait = new Wait(ctx, limit);
  for await (const progress of readProgress(ctx, environment.id, pending, wait)) {
    if (isAccepted(requested, progress)) return;
    const { environment: now, idleMs } = progress;
    if (idleMs >= MAX_QUEUE_MS || (stoppingFlagOf(now) !== undefined && !now.processing)) break;
    wait.what = `looking for the build of ${displayable(now.name)}`;
  }
  throw lost;
}

/** Whether the service shows that it has accepted a request: a new build, unless it may be an older one of somebody, or branches that were
 * not there before. */
function isAccepted({ environment, pending }: AwaitedBuild, now: BuildReading): boolean {
  const { branches, busy } = pending;
  const isInHistory = busy !== true && now.builds.some((one) => hasBranches(one, branches));
  return isInHistory || (hasOtherBranches(environment, branches) && !hasOtherBranches(now.environment, branches));
}

/** Reads again and again, with pauses, until the time is up. */
async function* readProgress(
  ctx: Context,
  environmentId: string,
  mark: HistoryMark,
  wait: Wait,
): AsyncGenerator<BuildProgress> {
  let hasStarted = false;
  let idleSinceMs: number | undefined;
  do {
    const startedMs = wait.elapsedMs;
    const reading = await wait.poll(readBuilds(ctx, environmentId, mark, POLL_CALL));
    // While nothing can be read, the environment is not known to be idle.
    idleSinceMs = reading?.environment.processing === false ? (idleSinceMs ?? startedMs) : undefined;
    if (reading === undefined) continue;
    hasStarted ||= reading.environment.processing;
    yield { ...reading, hasStarted, idleMs: startedMs - (idleSinceMs ?? startedMs) };
  } while (await wait.pause());
}

/** Reads again when the build may have ended after the environment was read, so that outputs show what it has deployed. */
async function readSettled(
  ctx: Context,
  environment: Environment,
  branches: PendingBuild["branches"],
): Promise<Environment> {
  if (!environment.processing && !hasOtherBranches(environment, branches)) return environment;
  return ctx.client.environments.get(environment.id, { signal: ctx.signal, ...POLL_CALL });
}

import type { Environment } from "../client/environments";
import { displayable } from "../client/error-text";
import { InvalidRequestError, type PreviewenvError } from "../client/errors";
import { buildsSince, markHistory } from "../environment/build-history";
import { ambiguousErrorOf } from "../environment/send-once";
import { POLL_CALL, Wait, type WaitLimit } from "../environment/wait";
import type { Context } from "../framework/context";
import { IncompleteError } from "../framework/resource-errors";
import { mayStillCome, type Situation } from "./due-build";
import { stoppingFlagOf } from "./not-running";
import { allBranches, describeProjects } from "./projects";
import { startEnvironment } from "./start-environment";
import type { PendingBuild } from "./state";

/** A build that was requested, now or by an earlier `up`, or joined (`Due`). */
export interface AwaitedBuild {
  /** The environment as last read before the request. */
  readonly environment: Environment;
  /** As state keeps it once the service is known to have accepted it. */
  readonly pending: PendingBuild;
  /** The request as a sentence, when it got no answer: maybe no build was queued. */
  readonly unansweredText?: string | undefined;
}

/** Requests other branches. What a build under way brings to the repositories that are not declared stays. */
export async function requestChange(ctx: Context, situation: Situation): Promise<AwaitedBuild> {
  const { environment, branches, pending: earlier } = situation;
  const projects = allBranches(environment, {
    ...(mayStillCome(situation) && earlier?.branches),
    ...branches,
  });
  ctx.log.status(`switching to ${describeProjects(projects)}`);
  const pending = await markedBuild(ctx, situation);
  const error = await ambiguousErrorOf(
    ctx.client.environments.changeBranches(environment.id, projects, { signal: ctx.signal }),
  );
  return { environment, pending, unansweredText: error?.message };
}

/**
 * Requests a rebuild. Where a service rebuilds only what runs, the environment is started first. Where it refuses a rebuild while it builds, the
 * end of that build is waited for.
 */
export async function requestRebuild(ctx: Context, situation: Situation, limit: WaitLimit): Promise<AwaitedBuild> {
  const { environment } = situation;
  const rebuild = (): Promise<PreviewenvError | undefined> =>
    ambiguousErrorOf(ctx.client.environments.act("rebuild", environment.id, { signal: ctx.signal }));
  ctx.log.status(`rebuilding ${displayable(environment.name)}`);
  const pending = await markedBuild(ctx, situation);
  try {
    return { environment, pending, unansweredText: (await rebuild())?.message };
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    if (stoppingFlagOf(environment) === undefined) {
      const idle = await waitUntilIdle(ctx, environment, error, limit);
      const later = await markedBuild(ctx, { ...situation, environment: idle });
      return { environment: idle, pending: later, unansweredText: (await rebuild())?.message };
    }
  }
  const started = await startEnvironment(ctx, environment, limit, false);
  // The service may build what it starts: that build has what was declared before it.
  const newBuilds = await buildsSince(ctx, started, pending);
  if (started.processing || newBuilds.length > 0) return { environment: started, pending };
  return { environment: started, pending, unansweredText: (await rebuild())?.message };
}

/**
 * The environment once it builds nothing any more.
 * @throws the refusal when the service builds nothing, IncompleteError when it still does after the time that a build may take
 */
async function waitUntilIdle(
  ctx: Context,
  { id, name }: Environment,
  refusal: InvalidRequestError,
  limit: WaitLimit,
): Promise<Environment> {
  const wait = new Wait(ctx, limit);
  wait.what = `waiting for a build of ${displayable(name)}: the service refuses a rebuild until it ends`;
  let now: Environment | undefined = await ctx.client.environments.get(id, { signal: ctx.signal });
  if (!now.processing) throw refusal;
  while (now === undefined || now.processing) {
    if (!(await wait.pause()))
      throw new IncompleteError(`${refusal.message} Another build was still running ${wait.after}.${wait.lastFailure}`);
    now = await wait.poll(ctx.client.environments.get(id, { signal: ctx.signal, ...POLL_CALL }));
  }
  return now;
}

/** A build that is about to be requested, as state keeps it once the service has accepted it. It reads the history, to mark its end. */
export async function markedBuild(
  ctx: Context,
  { environment, branches }: Pick<Situation, "environment" | "branches">,
): Promise<PendingBuild> {
  const { before = [], busy } = await markHistory(ctx, environment);
  return { v: 1, status: "asked", branches, before: [...before], ...(busy && { busy }) };
}

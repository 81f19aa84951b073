import type { Environment } from "../client";
import type { Build } from "../client/builds";
import { displayable } from "../client/error-text";
import { Wait, type WaitLimit } from "../environment/wait";
import type { Context } from "../framework/context";
import {
  type BuildProgress,
  type BuildSearch,
  failureOf,
  lateError,
  otherBranchesError,
  progressText,
  readBuilds,
  readSettled,
  successOf,
} from "./build-progress";
import { changeFor } from "./projects";

/**
 * Waits until a new build with the declared branches succeeds. A newer one that supersedes it counts. One that was there
 * before the request never does.
 * @throws BuildError when it failed, was superseded, or took too long, or the environment was stopped, retired or deleted meanwhile.
 * @throws AmbiguousResultError when the request got no answer, and no effect of it shows.
 */
export async function waitForBuild(
  ctx: Context,
  environmentId: string,
  search: BuildSearch,
  limit: WaitLimit,
): Promise<{ readonly build: Build; readonly environment: Environment }> {
  const wait = new Wait(ctx, { ...limit, timeoutName: "buildTimeoutSeconds" });
  let progress: BuildProgress | undefined;
  let idleSinceMs: number | undefined;
  let waitingFor: string | undefined;
  do {
    const startedMs = wait.elapsedMs;
    const shown = await wait.poll(readBuilds(ctx, environmentId, search));
    // While nothing can be read, the environment is not known to be idle.
    idleSinceMs = shown?.environment.processing === false ? (idleSinceMs ?? startedMs) : undefined;
    if (shown === undefined) continue;
    const hasStarted = progress?.hasStarted === true || shown.environment.processing;
    progress = { ...shown, hasStarted, idleMs: startedMs - (idleSinceMs ?? startedMs) };
    const build = successOf(search, progress);
    if (build === undefined) {
      const failure = failureOf(search, progress);
      if (failure !== undefined) throw failure;
      waitingFor = progressText(progress);
      continue;
    }
    const settled = await wait.poll(readSettled(ctx, shown.environment, search.branches));
    if (settled === undefined) continue;
    if (changeFor(settled, search.branches) === undefined) return { build, environment: settled };
    // What the service still works on is this build, as far as history tells: it may show its branches at the end only.
    const isSettling = settled.processing && shown.builds[0] === shown.matching[0];
    if (!isSettling) throw otherBranchesError(settled, build);
    waitingFor = `waiting until ${displayable(shown.environment.name)} shows the branches of its build`;
  } while (await wait.pause(waitingFor));
  throw lateError(`environment ${ctx.client.titleOf(environmentId)}`, progress, wait.after, wait.lastFailure);
}

import type { Environment } from "../client";
import { MS_PER_SECOND } from "../client/clock";
import { environmentTitle, sentence } from "../client/error-text";
import { CancelledError, PreviewenvError } from "../client/errors";
import { AmbiguousResultError } from "../environment/send-once";
import type { WaitLimit } from "../environment/wait";
import type { Context } from "../framework/context";
import type { Properties } from "../framework/properties";
import { BuildError, LOOKS_AGAIN } from "./build-progress";
import type { BranchesInput } from "./inputs";
import { changeFor, whyNotRunning } from "./projects";
import type { AskedBuild } from "./request-build";
import { startEnvironment } from "./start-environment";
import { describeBuild, type PendingBuild } from "./state";
import { waitForBuild } from "./wait-for-build";

/** What state keeps of the build: the outputs `build` and `pending`, and why it is not finished. */
export interface BuildOutputs {
  readonly environment: Environment;
  readonly build?: Properties | undefined;
  readonly pending?: PendingBuild | undefined;
  readonly unfinishedReasons?: readonly string[];
}

/** Starts the environment, if need be, and waits for the build that was requested. Says what is left to do, if anything. */
export async function finishBuild(ctx: Context, input: BranchesInput, asked: AskedBuild): Promise<BuildOutputs> {
  const { environment, branches, knownBuildIds, unansweredText } = asked;
  const limit = { timeoutMs: input.buildTimeoutSeconds * MS_PER_SECOND, since: ctx.clock.now() };
  const status = unansweredText === undefined ? "requested" : "ambiguous";
  const pending: PendingBuild = { v: 1, before: [...knownBuildIds], branches, status };
  try {
    if (asked.needsStart) await startEnvironment(ctx, environment, limit, true);
    return input.waitForBuild
      ? await awaitBuild(ctx, input, asked, limit)
      : await finishWithoutWaiting(ctx, asked, pending);
  } catch (error) {
    if (!(error instanceof PreviewenvError)) throw error;
    return afterFailure(ctx, input, environment, pending, error);
  }
}

/** What state keeps of a build that was not seen to succeed. */
function afterFailure(
  ctx: Context,
  { whenStopped }: BranchesInput,
  environment: Environment,
  pending: PendingBuild,
  error: PreviewenvError,
): BuildOutputs {
  const { reason, build: failed } = error instanceof BuildError ? error : {};
  const build = describeBuild(failed);
  if (reason !== undefined && reason !== "failed" && reason !== "deleted" && whenStopped === "skip")
    return { environment, build, pending: postpone(ctx, environment, pending, reason) };
  const text = error instanceof CancelledError ? cancelledText(environment, error) : error.message;
  const kept = { environment, build, unfinishedReasons: [text] };
  if (reason === "failed") return { ...kept, pending: { ...pending, status: "owed", needsRebuild: true } };
  return { ...kept, pending: error instanceof AmbiguousResultError ? { ...pending, status: "ambiguous" } : pending };
}

/** Waits until the build has succeeded. */
async function awaitBuild(
  ctx: Context,
  { environmentId, whenStopped }: BranchesInput,
  asked: AskedBuild,
  limit: WaitLimit,
): Promise<BuildOutputs> {
  const { environment, build } = await waitForBuild(ctx, environmentId, asked, limit);
  // The environment was not started while the request had no answer: the start could have begun a second build.
  const isAsleep = whenStopped === "wake" && whyNotRunning(environment) !== undefined;
  const running = isAsleep ? await startEnvironment(ctx, environment, limit, true) : environment;
  return { environment: running, build: describeBuild(build) };
}

/**
 * Reads the environment, and waits for no build. After a request without an answer somebody's build proves nothing: only branches do
 * that were not shown before the request. What sleeps after that is woken by the next `up`.
 */
async function finishWithoutWaiting(ctx: Context, asked: AskedBuild, pending: PendingBuild): Promise<BuildOutputs> {
  const { branches, unansweredText } = asked;
  const environment = await ctx.client.environments.get(asked.environment.id, { signal: ctx.signal });
  const wouldShow = changeFor(asked.environment, branches) !== undefined;
  const isSeen = changeFor(environment, branches) === undefined && whyNotRunning(environment) === undefined;
  if (unansweredText !== undefined && !(wouldShow && isSeen))
    throw new AmbiguousResultError(unansweredText, LOOKS_AGAIN, wouldShow);
  return { environment, pending: { ...pending, status: "notAwaited" } };
}

/** Notes that a build waits until the environment runs, and says so. */
export function postpone(
  ctx: Context,
  environment: Environment,
  pending: PendingBuild,
  flag: string = whyNotRunning(environment) ?? "not running",
): PendingBuild {
  const what =
    pending.status === "owed"
      ? "so the build is postponed. The first `pulumi up --refresh` after the environment runs again requests it."
      : "so the build that was requested cannot finish. The first `pulumi up --refresh` after the " +
        "environment runs again looks at that build, and starts a new one if it has to.";
  ctx.log.warn(`environment ${environmentTitle(environment)} is ${flag}, ${what}`);
  return { ...pending, postponed: true };
}

function cancelledText(environment: Environment, { message }: CancelledError): string {
  return (
    `environment ${environmentTitle(environment)}: ${sentence(message)} The build continues. The next \`pulumi up\` looks at it ` +
    "before it starts another."
  );
}

import type { Environment } from "../client/environments";
import { environmentTitle, sentence } from "../client/error-text";
import { CancelledError, PreviewenvError } from "../client/errors";
import { explainNotFound } from "../environment/existence";
import type { WaitLimit } from "../environment/wait";
import type { Context } from "../framework/context";
import type { Properties } from "../framework/properties";
import { BuildError } from "./build-progress";
import { type BranchesInput, whenStoppedMeans } from "./branches-inputs";
import { stoppingFlagOf } from "./not-running";
import type { AwaitedBuild } from "./request-build";
import { startEnvironment } from "./start-environment";
import { buildOutput, owedBuild, type PendingBuild } from "./state";
import { findUnanswered, waitUntilBuilt } from "./wait-for-build";

/** What came of a build: the environment, the outputs `build` and `pending` of state, and why it is not finished. */
export interface BuildOutcome {
  readonly environment: Environment;
  readonly build?: Properties | undefined;
  readonly pending?: PendingBuild | undefined;
  readonly unfinishedReasons?: readonly string[];
}

/**
 * Looks up a request that got no answer, starts the environment, if need be, and waits for the build that was requested. Says what is left
 * to do, if anything.
 * @param limit how long everything about the build may take together
 */
export async function finishBuild(
  ctx: Context,
  input: BranchesInput,
  requested: AwaitedBuild,
  limit: WaitLimit,
): Promise<BuildOutcome> {
  const { environment, pending: accepted } = requested;
  // Until it is known that the service has accepted the request.
  let pending = owedBuild(accepted.branches);
  try {
    await findUnanswered(ctx, requested, input.waitForBuild ? limit : undefined);
    pending = accepted;
    const wasNotRunning = stoppingFlagOf(environment) !== undefined;
    if (wasNotRunning) await startEnvironment(ctx, environment, limit, true);
    if (!input.waitForBuild)
      return { environment: await ctx.client.environments.get(environment.id, { signal: ctx.signal }), pending };
    const ended = await waitUntilBuilt(ctx, input, accepted, wasNotRunning, limit);
    return { environment: ended.environment, build: buildOutput(ended.build) };
  } catch (error) {
    if (!(error instanceof PreviewenvError)) throw error;
    return afterFailure(ctx, input, environment, pending, await explainNotFound(ctx, environment.id, error));
  }
}

/** The outputs of a build that was not seen to succeed. */
function afterFailure(
  ctx: Context,
  { whenStopped }: BranchesInput,
  environment: Environment,
  pending: PendingBuild,
  error: PreviewenvError,
): BuildOutcome {
  const { reason, build: failed } = error instanceof BuildError ? error : {};
  const build = buildOutput(failed);
  const isStopped = reason === "stopped" || reason === "retired";
  if (isStopped && whenStoppedMeans[whenStopped] === "postponed")
    return { environment, build, pending: postpone(ctx, environment, pending, reason) };
  const text = error instanceof CancelledError ? cancelledText(environment, pending, error) : error.message;
  return {
    environment,
    build,
    pending: reason === "failed" ? owedBuild(pending.branches) : pending,
    unfinishedReasons: [text],
  };
}

/** Postpones a build until the environment runs, and says so. */
export function postpone(
  ctx: Context,
  environment: Environment,
  pending: PendingBuild,
  flag: string = stoppingFlagOf(environment) ?? "not running",
): PendingBuild {
  const what =
    pending.status === "owed"
      ? "so the build is postponed. The first `pulumi up --refresh` after the environment runs again requests it."
      : "so the build that was requested cannot finish. The first `pulumi up --refresh` after the " +
        "environment runs again looks at that build, and starts a new one if it has to.";
  ctx.log.warn(`environment ${environmentTitle(environment)} is ${flag}, ${what}`);
  return { ...pending, asleep: true };
}

function cancelledText(environment: Environment, { status }: PendingBuild, { message }: CancelledError): string {
  const next =
    status === "asked"
      ? "The build continues. The next `pulumi up` looks at it before it starts another."
      : "Its request got no answer. The next `pulumi up` requests the build again.";
  return `environment ${environmentTitle(environment)}: ${sentence(message)} ${next}`;
}

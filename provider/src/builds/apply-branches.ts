import type { Environment } from "../client";
import { MS_PER_SECOND } from "../client/clock";
import { environmentTitle, sentence } from "../client/error-text";
import { CancelledError, PreviewenvError } from "../client/errors";
import { AmbiguousResultError } from "../environment/send-once";
import type { Context } from "../framework/context";
import type { WaitLimit } from "../environment/wait";
import { type Properties, withoutNil } from "../framework/properties";
import type { Written } from "../framework/resource";
import { type Asked, type AskedBuild, askForBuild } from "./ask-for-build";
import { buildFacts } from "./due-build";
import type { BranchesInput } from "./inputs";
import { branchesOf, changeFor, whyNotRunning } from "./projects";
import { noteCreated, replacedBy } from "./replaced-resource";
import { describeBuild, describeEnvironment, type PendingBuild, type StoredBranches, parseState } from "./state";
import { BuildError, LOOKS_AGAIN, waitForBuild } from "./wait-for-build";
import { startEnvironment } from "./start-environment";

/** What a step leaves of the build: the outputs `build` and `pending`, and why it is not finished. */
interface BuildLeft {
  readonly environment: Environment;
  readonly build?: Properties | undefined;
  readonly pending?: PendingBuild | undefined;
  readonly unfinishedReasons?: readonly string[];
}

/**
 * Brings an environment's branches to what is declared, with one build at most. A build that was requested and not seen to succeed
 * stays open: the next `up` looks at that build first.
 */
export async function applyBranches(ctx: Context, input: BranchesInput, old?: Properties): Promise<Written> {
  const { environmentId, branches = {} } = input;
  const session = ctx.environment(environmentId);
  // A create goes on with what the resource had that it replaces.
  const last = parseState(old ?? replacedBy(session) ?? {});
  const asked = await askForBuild(ctx, input, buildFacts(input, old, last.pending));
  session.branches.take(Object.keys(branches));
  const originalBranches = last.originalBranches ?? (old === undefined ? branchesOf(asked.environment) : {});
  if (old === undefined) noteCreated(session, originalBranches, input.onDestroy);
  const left = asked.kind === "build" ? await finishBuild(ctx, input, asked) : keepBuild(ctx, input, asked, last);
  const { environment, unfinishedReasons = [], ...outputs } = left;
  const state = withoutNil({ ...input, ...describeEnvironment(environment), originalBranches, ...outputs });
  return { id: environmentId, state, unfinishedReasons };
}

/** Keeps what state has of builds: none is requested now. */
function keepBuild(
  ctx: Context,
  { waitForBuild: waits }: BranchesInput,
  asked: Exclude<Asked, AskedBuild>,
  last: StoredBranches,
): BuildLeft {
  const { environment } = asked;
  const build = waits ? last.build : undefined;
  if (asked.kind === "postponed") return { environment, build, pending: postpone(ctx, environment, asked.pending) };
  const isNotAwaited = last.pending?.status === "notAwaited" && !waits;
  return { environment, build, pending: isNotAwaited ? last.pending : undefined };
}

/** Starts the environment, if need be, and waits for the build that was requested. Says what is left to do, if anything. */
async function finishBuild(ctx: Context, input: BranchesInput, asked: AskedBuild): Promise<BuildLeft> {
  const { buildTimeoutSeconds, waitForBuild: waits, whenStopped } = input;
  const { environment, branches, knownBuildIds, unansweredText } = asked;
  const limit = { timeoutMs: buildTimeoutSeconds * MS_PER_SECOND, since: ctx.clock.now() };
  const status = unansweredText === undefined ? "requested" : "ambiguous";
  const pending: PendingBuild = { v: 1, before: [...knownBuildIds], branches, status };
  try {
    if (asked.needsStart) await startEnvironment(ctx, environment, limit, true);
    return waits ? await awaitBuild(ctx, input, asked, limit) : await lookOnce(ctx, asked, pending);
  } catch (error) {
    if (!(error instanceof PreviewenvError)) throw error;
    const failure = error instanceof BuildError ? error : undefined;
    const build = describeBuild(failure?.build);
    if (failure?.reason === "failed")
      return {
        environment,
        build,
        pending: { ...pending, status: "owed", needsRebuild: true },
        unfinishedReasons: [error.message],
      };
    if (failure?.reason !== undefined && failure.reason !== "deleted" && whenStopped === "skip")
      return { environment, build, pending: postpone(ctx, environment, pending, failure.reason) };
    const isAmbiguous = error instanceof AmbiguousResultError;
    return {
      environment,
      build,
      pending: isAmbiguous ? { ...pending, status: "ambiguous" } : pending,
      unfinishedReasons: [error instanceof CancelledError ? cancelledText(environment, error) : error.message],
    };
  }
}

/** Waits until the build has succeeded. */
async function awaitBuild(
  ctx: Context,
  { environmentId, whenStopped }: BranchesInput,
  asked: AskedBuild,
  limit: WaitLimit,
): Promise<BuildLeft> {
  const { environment, build } = await waitForBuild(ctx, environmentId, asked, limit);
  // After a request without an answer nothing was started until its build was seen.
  const isAsleep = whenStopped === "wake" && whyNotRunning(environment) !== undefined;
  const running = isAsleep ? await startEnvironment(ctx, environment, limit, true) : environment;
  return { environment: running, build: describeBuild(build) };
}

/**
 * Looks at the environment, and waits for no build. After a request without an answer somebody's build proves nothing: only branches do
 * that were not shown before the request. What sleeps after that is woken by the next `up`.
 */
async function lookOnce(
  ctx: Context,
  { environment: before, branches, unansweredText }: AskedBuild,
  pending: PendingBuild,
): Promise<BuildLeft> {
  const environment = await ctx.client.environments.get(before.id, { signal: ctx.signal });
  const isVisible = changeFor(before, branches) !== undefined;
  const isSeen = changeFor(environment, branches) === undefined && whyNotRunning(environment) === undefined;
  if (unansweredText !== undefined && !(isVisible && isSeen))
    throw new AmbiguousResultError(unansweredText, LOOKS_AGAIN, isVisible);
  return { environment, pending: { ...pending, status: "notAwaited" } };
}

/** Notes that a build waits until the environment runs, and says so. */
function postpone(
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

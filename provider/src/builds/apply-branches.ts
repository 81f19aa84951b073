import type { Environment } from "../client";
import { MS_PER_SECOND } from "../client/clock";
import { environmentTitle, sentence } from "../client/error-text";
import { CancelledError, PreviewenvError } from "../client/errors";
import { declaredState } from "../environment/declared-state";
import { AmbiguousResultError } from "../environment/send-once";
import type { Context } from "../framework/context";
import type { WaitLimit } from "../environment/wait";
import { type Properties, withoutNil } from "../framework/properties";
import type { Written } from "../framework/resource";
import { type AskedBuild, askForBuild } from "./ask-for-build";
import type { Declaration } from "./due-build";
import { branchesOf, changeFor, whyNotRunning } from "./projects";
import { noteCreated, replacedBy } from "./replaced-resource";
import { describeBuild, describeEnvironment, type PendingBuild, stored } from "./state";
import { BuildError, LOOKS_AGAIN, waitForBuild } from "./wait-for-build";
import { wake } from "./wake";

/** What a step leaves of the build: the outputs `build` and `pending`. */
interface Outcome {
  readonly environment: Environment;
  readonly build?: Properties | undefined;
  readonly pending?: PendingBuild | undefined;
}

/**
 * Brings an environment's branches to what is declared, with one build at most. A build that was requested and not seen to succeed
 * stays open: the next `up` looks at that build first.
 */
export async function applyBranches(ctx: Context, input: Declaration & Properties, old?: Properties): Promise<Written> {
  const { environmentId, branches = {}, waitForBuild: waits } = input;
  const session = ctx.environment(environmentId);
  // A create goes on with what the resource had that it replaces.
  const previous = stored(old ?? replacedBy(session) ?? {});
  const asked = await askForBuild(ctx, input, { old, pending: previous.pending });
  const { environment } = asked;
  session.branches.take(Object.keys(branches));
  const originalBranches = previous.originalBranches ?? (old === undefined ? branchesOf(environment) : {});
  if (old === undefined) noteCreated(session, originalBranches, input["onDestroy"]);
  const written = ({ environment: now, ...rest }: Outcome): Written => ({
    id: environmentId,
    state: withoutNil({ ...input, ...describeEnvironment(now), originalBranches, ...rest }),
  });
  const build = waits ? previous.build : undefined;

  if (asked.kind === "postponed")
    return written({ environment, build, pending: asked.pending && postpone(ctx, environment, asked.pending) });
  if (asked.kind === "nothing")
    return written({
      environment,
      build,
      ...(previous.pending?.status === "notAwaited" && !waits && { pending: previous.pending }),
    });
  const status = asked.unanswered === undefined ? "requested" : "ambiguous";
  const pending: PendingBuild = { v: 1, before: [...asked.before], branches, status };
  try {
    return written(await finishBuild(ctx, input, asked, pending));
  } catch (failure) {
    if (!(failure instanceof PreviewenvError)) throw failure;
    const { build: seen, ...rest } = findings(failure);
    const open = { environment, build: seen, pending: { ...pending, ...rest } };
    const reason = failure instanceof BuildError ? failure.reason : undefined;
    if ((reason === "stopped" || reason === "retired") && input.whenStopped === "skip")
      return written({ ...open, pending: postpone(ctx, environment, open.pending, reason) });
    return { ...written(open), open: [failureText(environment, failure)] };
  }
}

/** Wakes the environment, if need be, and waits for the build that was requested. */
async function finishBuild(
  ctx: Context,
  input: Declaration,
  asked: AskedBuild,
  pending: PendingBuild,
): Promise<Outcome> {
  const { environmentId, branches = {}, buildTimeoutSeconds } = input;
  const { environment, before, wasProcessing = false, isToBeWoken: isWoken = false, unanswered } = asked;
  const limit: WaitLimit = { timeoutMs: buildTimeoutSeconds * MS_PER_SECOND, since: ctx.clock.now() };
  if (isWoken) await wake(ctx, environment, limit, true);
  if (input.waitForBuild) {
    const search = { environmentId, branches, before, wasProcessing, isWoken, unanswered };
    const finished = await waitForBuild(ctx, search, limit);
    const build = describeBuild(finished.build);
    // After a request without an answer nothing was started until its build was seen.
    const sleeps = input.whenStopped === "wake" && whyNotRunning(finished.environment) !== undefined;
    return { environment: sleeps ? await wake(ctx, finished.environment, limit, true) : finished.environment, build };
  }
  const now = await ctx.client.environments.get(environmentId, { signal: ctx.signal });
  // Where no wait follows, somebody's build proves nothing: only branches do that were not shown before the request. What sleeps after that is
  // woken by the next `up`.
  const isVisible = changeFor(environment, branches) !== undefined;
  const isSeen = isVisible && changeFor(now, branches) === undefined && whyNotRunning(now) === undefined;
  if (unanswered !== undefined && !isSeen) throw new AmbiguousResultError(unanswered, LOOKS_AGAIN, isVisible);
  return { environment: now, pending: { ...pending, status: "notAwaited" } };
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
  const wantedRunning = declaredState(ctx.environment(environment.id)).wanted === "running";
  return { ...pending, postponed: { wantedRunning } };
}

/** What the next `up` has to know of a build that this one did not see succeed, and that build. */
function findings(failure: PreviewenvError): Partial<PendingBuild> & { readonly build?: Properties | undefined } {
  if (failure instanceof AmbiguousResultError) return { status: "ambiguous" };
  if (!(failure instanceof BuildError)) return {};
  return {
    build: describeBuild(failure.build),
    ...(failure.reason === "failed" && { status: "owed", needsRebuild: true }),
  };
}

function failureText(environment: Environment, failure: PreviewenvError): string {
  if (!(failure instanceof CancelledError)) return failure.message;
  return (
    `environment ${environmentTitle(environment)}: ${sentence(failure.message)} The build continues. The next \`pulumi up\` looks at it ` +
    "before it starts another."
  );
}

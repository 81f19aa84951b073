import type { Environment } from "../client";
import { MS_PER_SECOND } from "../client/clock";
import { displayable } from "../client/error-text";
import { CancelledError, PreviewenvError } from "../client/errors";
import { buildIds } from "../environment/build-history";
import { AmbiguousResultError } from "../environment/send-once";
import type { Context } from "../framework/context";
import { PartialFailureError } from "../framework/partial-failure";
import { type Properties, withoutNil } from "../framework/properties";
import { type Declaration, neededBuild, settleAmbiguousRequest } from "./needed-build";
import {
  branchesOf,
  describeProjects,
  refuseUnknownRepositories,
  refuseUnlessRunning,
  title,
  whyNotRunning,
} from "./projects";
import { requestBuild } from "./request-build";
import { describeBuild, describeEnvironment, type PendingBuild, stored } from "./state";
import { BuildError, waitForBuild } from "./wait-for-build";

/** What came of asking for the build that is needed. */
interface Requested {
  readonly environment: Environment;
  /** Ids of the builds in history before the request; left out: no build is to be waited for. */
  readonly before?: ReadonlySet<string>;
  /** Whether the environment was processing right before the request. */
  readonly wasProcessing?: boolean;
  readonly error?: AmbiguousResultError;
  readonly isPostponed?: boolean;
}

/**
 * Brings an environment's branches to what is declared, with one build at most, and returns the new state.
 * @throws PartialFailureError once a build was requested: state is kept, and the next `up` looks at that build first.
 */
export async function applyBranches(
  ctx: Context,
  input: Declaration & Properties,
  old?: Properties,
): Promise<Properties> {
  const { environmentId, branches = {}, buildTimeoutSeconds } = input;
  const { pending: earlier, ...known } = stored(old ?? {});
  // Reading the branches and changing them belong together: two changes at a time would undo each other.
  const session = ctx.environment(environmentId);
  const {
    environment,
    before,
    wasProcessing = false,
    error,
    isPostponed,
  } = await session.withLock("branches", () => requestNeededBuild(ctx, input, old));
  session.branches.take(Object.keys(branches));
  const originalBranches = known.originalBranches ?? (old === undefined ? branchesOf(environment) : {});
  const state = (now: Environment, rest: Properties): Properties =>
    withoutNil({ ...input, ...describeEnvironment(now), originalBranches, ...rest });

  if (isPostponed === true) {
    ctx.log.warn(postponedText(environment));
    return state(environment, {
      build: known.build,
      pending: { ...earlier, postponed: { wantedRunning: session.wantedState === "running" } },
    });
  }
  if (before === undefined)
    return state(environment, input.waitForBuild ? { build: known.build } : { pending: earlier });
  const pending: PendingBuild = { v: 1, before: [...before], branches, status: "requested" };
  try {
    if (error !== undefined) throw error;
    if (!input.waitForBuild) {
      const now = await ctx.client.environments.get(environmentId, { signal: ctx.signal });
      return state(now, { pending: { ...pending, status: "notAwaited" } });
    }
    const search = { environmentId, branches, before, wasProcessing };
    const finished = await waitForBuild(ctx, search, buildTimeoutSeconds * MS_PER_SECOND);
    return state(finished.environment, { build: describeBuild(finished.build) });
  } catch (failure) {
    if (!(failure instanceof PreviewenvError)) throw failure;
    const { build, ...rest } = findings(failure);
    throw new PartialFailureError(environmentId, state(environment, { build, pending: { ...pending, ...rest } }), [
      failure instanceof CancelledError
        ? `environment ${title(environment)}: ${failure.message}. The build goes on; the next \`pulumi up\` looks at it ` +
          "before it starts another."
        : failure.message,
    ]);
  }
}

/** What the next `up` has to know of a build that this one did not see succeed, and that build. */
function findings(failure: PreviewenvError): Partial<PendingBuild> & { readonly build?: Properties | undefined } {
  if (failure instanceof AmbiguousResultError) return { status: "ambiguous" };
  return failure instanceof BuildError ? { build: describeBuild(failure.build), ...failure.pending } : {};
}

function postponedText(environment: Environment): string {
  return (
    `environment ${title(environment)} is ${whyNotRunning(environment) ?? "not running"}, so the build that an earlier ` +
    "`pulumi up` requested cannot finish. The first `pulumi up --refresh` after the environment runs again looks at that " +
    "build, and starts a new one if it has to."
  );
}

/** Requests the one build that is needed, if any. */
async function requestNeededBuild(ctx: Context, input: Declaration, old: Properties | undefined): Promise<Requested> {
  const { environmentId, branches = {} } = input;
  const found = await ctx.client.environments.get(environmentId, { signal: ctx.signal });
  refuseUnknownRepositories(found, branches);
  const environment = await settleAmbiguousRequest(ctx, input, old, found);
  const needed = await neededBuild(ctx, input, old, environment);
  if (needed === undefined) return { environment };
  if (needed.kind === "postpone") return { environment, isPostponed: true };
  if (needed.kind === "join") return { environment, before: needed.before };
  const isChange = needed.kind === "change";
  const attempt = isChange ? "change the branches of environment" : "rebuild environment";
  refuseUnlessRunning(environment, attempt, "Nothing was changed.");
  const before = await buildIds(ctx, environmentId);
  ctx.log.status(
    isChange ? `switching to ${describeProjects(needed.projects)}` : `rebuilding ${displayable(environment.name)}`,
  );
  try {
    await requestBuild(ctx, needed, environment, before);
    return { environment, before, wasProcessing: environment.processing };
  } catch (error) {
    if (error instanceof AmbiguousResultError) return { environment, before, error };
    throw error;
  }
}

import type { Environment } from "../client";
import { displayable } from "../client/error-text";
import { CancelledError, PreviewenvError } from "../client/errors";
import type { Context } from "../framework/context";
import { PartialFailureError } from "../framework/partial-failure";
import { withoutNil, type Properties } from "../framework/properties";
import { UnansweredError } from "../environment/unanswered";
import { branchesOf, describeProjects, dormantFlag, refuseDormant, refuseStrangers, title } from "./projects";
import { type Declaration, judgeable, mustSleep, neededBuild } from "./need";
import { buildIds } from "../environment/build-history";
import { queueBuild } from "./queue";
import { describeBuild, describeEnvironment, type Pending, stored } from "./state";
import { BuildError, type Finished, watchBuild } from "./watch";

const GOES_ON = "The build goes on; the next `pulumi up` looks at it before it starts another.";

/** A build to wait for; `undefined` when there is none. */
interface Queued {
  readonly environment: Environment;
  readonly before: ReadonlySet<string> | undefined;
  /** What an earlier run requested waits until the environment runs again. */
  readonly sleeps?: boolean;
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
  const { environmentId, branches = {}, waitForBuild, buildTimeoutSeconds } = input;
  const earlier = stored(old ?? {});
  // Read, merge and write belong together: two changes of one environment would undo each other.
  const { environment, before, failure, sleeps } = await ctx
    .environment(environmentId)
    .withLock("branches", () => request(ctx, input, old));
  ctx.environment(environmentId).branches.take(Object.keys(branches));
  const originalBranches = earlier.originalBranches ?? (old === undefined ? branchesOf(environment) : {});
  const state = (now: Environment, rest: Properties): Properties =>
    withoutNil({ ...input, ...describeEnvironment(now), originalBranches, ...rest });

  if (sleeps === true) {
    warnOfSleep(ctx, environment);
    const { build, queued } = old ?? {};
    return state(environment, { build, queued, pending: { ...earlier.pending, asleep: true } });
  }
  if (before === undefined) {
    const kept = waitForBuild ? { build: old?.["build"] } : { queued: old?.["queued"] };
    return state(environment, kept);
  }
  const pending: Pending = { v: 1, before: [...before], branches };
  const fail = (error: PreviewenvError): PartialFailureError => {
    const { build, ...known } = learn(error);
    return new PartialFailureError(environmentId, state(environment, { build, pending: { ...pending, ...known } }), [
      error instanceof CancelledError
        ? `environment ${title(environment)}: ${error.message}. ${GOES_ON}`
        : error.message,
    ]);
  };
  if (failure !== undefined) throw fail(failure);
  try {
    if (!waitForBuild) {
      const now = await ctx.client.environments.get(environmentId, { signal: ctx.signal });
      return state(now, { queued: pending });
    }
    const watch = { environmentId, wanted: branches, before, timeoutMs: buildTimeoutSeconds * 1000 };
    const { build, environment: now }: Finished = await watchBuild(ctx, watch);
    return state(now, { build: describeBuild(build) });
  } catch (error) {
    if (!(error instanceof PreviewenvError)) throw error;
    throw fail(error);
  }
}

function warnOfSleep(ctx: Context, environment: Environment): void {
  ctx.log.warn(
    `environment ${title(environment)} is ${dormantFlag(environment) ?? "asleep"}, and the build that an earlier ` +
      "`pulumi up` requested was not seen to succeed. It is looked at again by the first `pulumi up` after the environment " +
      "runs, and started anew if it has to be.",
  );
}

/** What the next `up` has to know of a build that this one did not see succeed. */
function learn(error: PreviewenvError): Partial<Pending> & { readonly build?: Properties | undefined } {
  if (error instanceof UnansweredError) return { unanswered: true };
  if (!(error instanceof BuildError)) return {};
  const { build, started, judged } = error;
  return {
    build: describeBuild(build),
    ...(started && { started }),
    ...(judged && build !== undefined && { judged: build.id }),
  };
}

/** Requests the one build that is needed, if any. */
async function request(
  ctx: Context,
  input: Declaration,
  old: Properties | undefined,
): Promise<Queued & { readonly failure?: PreviewenvError }> {
  const { environmentId, branches = {} } = input;
  const now = await ctx.client.environments.get(environmentId, { signal: ctx.signal });
  refuseStrangers(now, branches);
  if (await mustSleep(ctx, input, old, now)) return { environment: now, before: undefined, sleeps: true };
  const environment = await judgeable(ctx, input, old, now);

  const build = await neededBuild(ctx, input, old, environment);
  if (build === undefined) return { environment, before: undefined };
  if ("before" in build) return { environment, before: build.before };
  const attempt = build.kind === "change" ? "change the branches of environment" : "rebuild environment";
  refuseDormant(environment, attempt, "Nothing was changed.");
  const before = await buildIds(ctx, environmentId);
  ctx.log.status(
    build.kind === "change"
      ? `switching to ${describeProjects(build.projects)}`
      : `rebuilding ${displayable(environment.name)}`,
  );
  try {
    await queueBuild(ctx, environment, build, before);
    return { environment, before };
  } catch (error) {
    if (error instanceof UnansweredError) return { environment, before, failure: error };
    throw error;
  }
}

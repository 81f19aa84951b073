import { isDeepStrictEqual } from "node:util";
import type { Environment } from "../../client";
import { PreviewenvError } from "../../client/errors";
import type { Context } from "../../core/context";
import { PartialFailureError } from "../../core/partial-failure";
import { present, type Properties } from "../../core/properties";
import { branchesOf, carries, changeFor, describeProjects, refuseDormant, refuseStrangers } from "./projects";
import { buildIds, type BuildRequest, queueBuild, UnansweredError } from "./queue";
import { describeBuild, describeEnvironment, type Pending, stored } from "./state";
import { BuildError, type Finished, see, type Watch, watchBuild } from "./watch";

/** What an EnvironmentBranches declares. */
export interface Declaration {
  readonly environmentId: string;
  readonly branches?: Readonly<Record<string, string>> | undefined;
  readonly rebuildOn?: readonly unknown[] | undefined;
  readonly waitForBuild: boolean;
  readonly buildTimeoutSeconds: number;
}

/** A build to wait for; `undefined` when there is none. */
type Queued = { readonly environment: Environment; readonly before: ReadonlySet<string> | undefined };

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
  const { environment, before, failure } = await ctx.mutex.run(environmentId, () => request(ctx, input, old));
  const originalBranches = earlier.originalBranches ?? (old === undefined ? branchesOf(environment) : {});
  const state = (now: Environment, rest: Properties): Properties =>
    present({ ...input, ...describeEnvironment(now), originalBranches, ...rest });

  if (before === undefined) return state(environment, { build: waitForBuild ? old?.["build"] : undefined });
  const pending: Pending = { v: 1, before: [...before], branches };
  const fail = (error: PreviewenvError, build?: Properties): PartialFailureError =>
    new PartialFailureError(environmentId, state(environment, { build, pending }), [error.message]);
  if (failure !== undefined) throw fail(failure);
  try {
    if (!waitForBuild) return state(await ctx.client.environments.get(environmentId, { signal: ctx.signal }), {});
    const watch = { environmentId, wanted: branches, before, timeoutMs: buildTimeoutSeconds * 1000 };
    const { build, environment: now }: Finished = await watchBuild(ctx, watch);
    return state(now, { build: describeBuild(build) });
  } catch (error) {
    if (!(error instanceof PreviewenvError)) throw error;
    throw fail(error, describeBuild(error instanceof BuildError ? error.build : undefined));
  }
}

/** Requests the one build that is needed, if any. */
async function request(
  ctx: Context,
  input: Declaration,
  old: Properties | undefined,
): Promise<Queued & { readonly failure?: PreviewenvError }> {
  const { environmentId, branches = {} } = input;
  const environment = await ctx.client.environments.get(environmentId, { signal: ctx.signal });
  refuseStrangers(environment, branches);

  const build = await neededBuild(ctx, input, old, environment);
  if (build === undefined) return { environment, before: undefined };
  if ("before" in build) return { environment, before: build.before };
  refuseDormant(environment, build.kind === "change" ? "change the branches" : "rebuild");
  const before = await buildIds(ctx, environmentId);
  ctx.log.status(
    build.kind === "change" ? `switching to ${describeProjects(build.projects)}` : `rebuilding ${environment.name}`,
  );
  try {
    await queueBuild(ctx, environment, build, before);
    return { environment, before };
  } catch (error) {
    if (error instanceof UnansweredError) return { environment, before, failure: error };
    throw error;
  }
}

/** What build is needed: one to request, one that already runs (its `before`), or none. */
async function neededBuild(
  ctx: Context,
  input: Declaration,
  old: Properties | undefined,
  environment: Environment,
): Promise<BuildRequest | { readonly before: ReadonlySet<string> } | undefined> {
  const { environmentId, branches = {}, rebuildOn = [] } = input;
  const { pending } = stored(old ?? {});
  const watch = pending && { environmentId, wanted: branches, before: new Set(pending.before) };
  const known = old === undefined ? [] : (present(old)["rebuildOn"] ?? []);
  const rebuilds = !isDeepStrictEqual(known, rebuildOn);
  const projects = changeFor(environment, branches);
  if (projects !== undefined) {
    const requested = pending !== undefined && !rebuilds && isDeepStrictEqual({ ...pending.branches }, { ...branches });
    if (watch && requested && (await isUnderWay(ctx, watch))) return { before: watch.before };
    return { kind: "change", projects };
  }
  if (old === undefined && environment.processing) return joinOrRebuild(ctx, environmentId, rebuildOn.length > 0);
  if (rebuilds) return { kind: "rebuild" };
  return watch && resume(ctx, watch);
}

/** Whether the build that an earlier run requested still runs, although the environment does not show its branches. */
async function isUnderWay(ctx: Context, watch: Omit<Watch, "timeoutMs">): Promise<boolean> {
  const { environment, fresh } = await see(ctx, watch);
  const [newest] = fresh;
  return environment.processing && (newest === undefined || carries(newest, watch.wanted));
}

/** Looks at the build that an earlier run left: done, still running, or to be started again. */
async function resume(
  ctx: Context,
  watch: Omit<Watch, "timeoutMs">,
): Promise<BuildRequest | { readonly before: ReadonlySet<string> }> {
  const { environment, candidates } = await see(ctx, watch);
  const alive = environment.processing || candidates.some(({ successfullyBuilt }) => successfullyBuilt);
  return alive ? { before: watch.before } : { kind: "rebuild" };
}

/**
 * A create that is repeated after a crash finds its own build running, and waits for it. A build that was queued before
 * the variables were written, such as the first one of a new environment, is not enough when `rebuildOn` asks for them.
 */
async function joinOrRebuild(
  ctx: Context,
  environmentId: string,
  wantsVariables: boolean,
): Promise<BuildRequest | { readonly before: ReadonlySet<string> }> {
  const call = { signal: ctx.signal };
  const { builds } = await ctx.client.builds.page(environmentId, {}, call);
  const [running, ...earlier] = builds;
  if (wantsVariables && running !== undefined) {
    const { variables } = await ctx.client.envVars.list(environmentId, call);
    // Both are ISO 8601, the variables' without zone and in whole seconds: only a later second counts as later.
    const queued = running.queuedAt.slice(0, "YYYY-MM-DDTHH:MM:SS".length);
    if (variables.some(({ updatedAt = "" }) => updatedAt > queued)) return { kind: "rebuild" };
  }
  return { before: new Set(earlier.map(({ id }) => id)) };
}

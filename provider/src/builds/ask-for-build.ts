import type { Environment } from "../client";
import { MS_PER_SECOND } from "../client/clock";
import { displayable, environmentTitle } from "../client/error-text";
import { InvalidRequestError, type PreviewenvError } from "../client/errors";
import { buildsSince, newestIds, recentBuilds } from "../environment/build-history";
import { declaredState, noteDueBuildOrRefuse } from "../environment/declared-state";
import { ambiguousErrorOf } from "../environment/send-once";
import type { Context } from "../framework/context";
import { RefusedError } from "../framework/errors";
import { dueBuild, isDeclaredAnew, earlierBuildMayChangeBranches, type Situation, type BuildFacts } from "./due-build";
import type { BranchesInput } from "./inputs";
import { allBranches, type Branches, changeFor, describeProjects, notRunningText, whyNotRunning } from "./projects";
import { readSituation } from "./read-situation";
import { refuseWithoutRequired } from "./required-variables";
import type { PendingBuild } from "./state";
import type { BuildSearch } from "./wait-for-build";
import { startEnvironment } from "./start-environment";

/** What came of asking for the build that is due. */
export type Asked =
  | { readonly kind: "nothing"; readonly environment: Environment }
  /** The build has to wait until the environment runs. */
  | { readonly kind: "postponed"; readonly environment: Environment; readonly pending: PendingBuild }
  | AskedBuild;

/** A build that was asked for, now or before. */
export interface AskedBuild extends BuildSearch {
  readonly kind: "build";
  /** The environment as it was before. */
  readonly environment: Environment;
}

/** Requests the one build that is due, if any. */
export async function askForBuild(ctx: Context, input: BranchesInput, facts: BuildFacts): Promise<Asked> {
  const { environmentId, whenStopped } = input;
  // Reading the branches and changing them belong together: two changes at a time would undo each other.
  using _held = await ctx.environment(environmentId).actionLock.hold(["branches"], ctx.signal);
  const situation = await readSituation(ctx, environmentId, facts);
  const { environment } = situation;
  const due = dueBuild(situation);
  if (due === "nothing") return { kind: "nothing", environment };
  if (due === "owe") return { kind: "postponed", environment, pending: owedBuild(situation) };
  if (due === "keep") return { kind: "postponed", environment, pending: keptBuild(situation) };
  if (due === "join") return joinedBuild(situation);
  if (whenStopped === "fail" && isDeclaredAnew(situation)) noteDueBuildOrRefuse(ctx, environmentId, "certain");
  if (due === "refuse") throw notRunningError(ctx, situation);
  await refuseWithoutRequired(ctx, environment, input.requires);
  // What is held here is held until the request is answered.
  if (due === "change") return await requestChange(ctx, situation);
  return await requestRebuild(ctx, situation, input.buildTimeoutSeconds);
}

/** The build that a sleeping environment needs, for state. */
function owedBuild({ unfinished, branches, isTriggered }: Situation): PendingBuild {
  const wasNeeded = unfinished !== undefined && (unfinished.status !== "owed" || unfinished.needsRebuild === true);
  return { v: 1, before: [], branches, status: "owed", needsRebuild: wasNeeded || isTriggered };
}

/** The pending build as it stays. Of an owed one nothing was requested yet: it is for the branches that are declared now. */
function keptBuild(situation: Situation): PendingBuild {
  const { unfinished } = situation;
  return unfinished === undefined || unfinished.status === "owed" ? owedBuild(situation) : unfinished;
}

/** A build that runs or has ended: one that state knows, or the one that the environment is processing. */
function joinedBuild({ environment, branches, unfinished, running, waitForBuild }: Situation): AskedBuild {
  const isUnanswered = unfinished?.status === "ambiguous" && waitForBuild;
  return {
    kind: "build",
    environment,
    branches,
    knownBuildIds: new Set(running?.knownBuildIds ?? unfinished?.before),
    needsStart: whyNotRunning(environment) !== undefined,
    unansweredText: isUnanswered
      ? `environment ${environmentTitle(environment)}: an earlier \`pulumi up\` got no answer to its request for a build.`
      : undefined,
  };
}

function notRunningError(ctx: Context, { environment, branches }: Situation): RefusedError {
  const isDeclared = declaredState(ctx.environment(environment.id)).wanted === "running";
  const outcome = isDeclared
    ? "Nothing was changed."
    : "Nothing was changed. If this program has that EnvironmentState, let this resource depend on it (`dependsOn`).";
  const isChange = changeFor(environment, branches) !== undefined;
  const attempt = isChange ? "change the branches of environment" : "rebuild environment";
  return new RefusedError(notRunningText(environment, attempt, outcome, isDeclared));
}

/** Requests other branches. What a build under way brings to the repositories that are not declared stays. */
async function requestChange(ctx: Context, situation: Situation): Promise<AskedBuild> {
  const { environment, branches, pending } = situation;
  const projects = allBranches(environment, {
    ...(earlierBuildMayChangeBranches(situation) && pending?.branches),
    ...branches,
  });
  ctx.log.status(`switching to ${describeProjects(projects)}`);
  const knownBuildIds = newestIds(await recentBuilds(ctx, environment.id));
  const error = await ambiguousErrorOf(
    ctx.client.environments.changeBranches(environment.id, projects, { signal: ctx.signal }),
  );
  return sentBuild(environment, branches, knownBuildIds, error);
}

/** Requests a rebuild. Where a service rebuilds only what runs, the environment is started first. */
async function requestRebuild(
  ctx: Context,
  { environment, branches }: Situation,
  buildTimeoutSeconds: number,
): Promise<AskedBuild> {
  const rebuild = (): Promise<PreviewenvError | undefined> =>
    ambiguousErrorOf(ctx.client.environments.act("rebuild", environment.id, { signal: ctx.signal }));
  ctx.log.status(`rebuilding ${displayable(environment.name)}`);
  const knownBuildIds = newestIds(await recentBuilds(ctx, environment.id));
  try {
    return sentBuild(environment, branches, knownBuildIds, await rebuild());
  } catch (error) {
    if (!(error instanceof InvalidRequestError) || whyNotRunning(environment) === undefined) throw error;
  }
  const started = await startEnvironment(ctx, environment, { timeoutMs: buildTimeoutSeconds * MS_PER_SECOND }, false);
  // The service may build what it starts: that build has what was declared before it.
  const builds = await buildsSince(ctx, { environmentId: environment.id, knownBuildIds });
  if (started.processing || builds.length > 0) return { kind: "build", environment: started, branches, knownBuildIds };
  return sentBuild(started, branches, knownBuildIds, await rebuild());
}

/** A request that was sent once. `error` when it got no answer. */
function sentBuild(
  environment: Environment,
  branches: Branches,
  knownBuildIds: ReadonlySet<string>,
  error: PreviewenvError | undefined,
): AskedBuild {
  const { processing: wasProcessing } = environment;
  // A start could begin a second build while it is not known whether there is a first one.
  const needsStart = error === undefined && whyNotRunning(environment) !== undefined;
  return {
    kind: "build",
    environment,
    branches,
    knownBuildIds,
    wasProcessing,
    needsStart,
    unansweredText: error?.message,
  };
}

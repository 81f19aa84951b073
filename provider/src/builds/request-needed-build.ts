import type { Environment } from "../client";
import { MS_PER_SECOND } from "../client/clock";
import { displayable, environmentTitle } from "../client/error-text";
import { InvalidRequestError } from "../client/errors";
import { buildIds } from "../environment/build-history";
import { bringUp, contradictionText, declaredState, isBroughtUp } from "../environment/declared-state";
import { AmbiguousResultError } from "../environment/send-once";
import type { Context } from "../framework/context";
import { RefusedError } from "../framework/partial-failure";
import type { Properties } from "../framework/properties";
import { canBuild, type Declaration, isDeclaredAnew, type NeededBuild, neededBuild, owedBuild } from "./needed-build";
import {
  type Branches,
  describeProjects,
  refuseUnknownRepositories,
  refuseUnlessRunning,
  unknownRepositories,
  whyNotRunning,
} from "./projects";
import { type BuildRequest, requestBuild, requestUnawaitedBuild } from "./request-build";
import { refuseWithoutRequired } from "./required-variables";
import { type PendingBuild, unfinishedBuild } from "./state";
import { lookForBuilds } from "./wait-for-build";
import { wake } from "./wake";

/** What came of asking for the build that is needed. */
export interface Requested {
  readonly environment: Environment;
  /** Ids of the builds in history before the request; left out: no build is to be waited for. */
  readonly before?: ReadonlySet<string>;
  /** Whether the environment was processing right before the request. */
  readonly wasProcessing?: boolean;
  readonly error?: AmbiguousResultError;
  /** What was requested, when that got no answer, as a sentence. */
  readonly unanswered?: string | undefined;
  /** A build that has to wait until the environment runs. */
  readonly postponed?: PendingBuild | undefined;
}

/** Requests the one build that is needed, if any. */
export async function requestNeededBuild(
  ctx: Context,
  input: Declaration,
  old: Properties | undefined,
): Promise<Requested> {
  const { environmentId, branches = {}, whenStopped } = input;
  // Reading the branches and changing them belong together: two changes at a time would undo each other.
  using _held = await ctx.environment(environmentId).holdBranches(ctx.signal);
  const { environment, needed } = await lookForNeed(ctx, input, old);
  if (needed === undefined) return { environment };
  if (needed.kind === "postpone") return { environment, postponed: stillPostponed(old, branches) };
  if (needed.kind === "join")
    return { environment, before: needed.before, unanswered: unansweredBefore(environment, old) };
  if (whenStopped === "skip" && !environment.deleted && !canBuild(input, environment))
    return { environment, postponed: owedBuild(input, old) };
  if (whenStopped === "fail" && isDeclaredAnew(input, old)) refuseBesideStop(ctx, environmentId);
  const isChange = needed.kind === "change";
  const attempt = isChange ? "change the branches of environment" : "rebuild environment";
  const isDeclared = declaredState(ctx.environment(environmentId)).wanted === "running";
  const outcome = isDeclared
    ? "Nothing was changed."
    : "Nothing was changed. If this program has that EnvironmentState, let this resource depend on it (`dependsOn`).";
  if (!canBuild(input, environment)) refuseUnlessRunning(environment, attempt, outcome, isDeclared);
  await refuseWithoutRequired(ctx, environment, input.requires);
  ctx.log.status(
    isChange ? `switching to ${describeProjects(needed.projects)}` : `rebuilding ${displayable(environment.name)}`,
  );
  const before = await buildIds(ctx, environmentId);
  return await send(ctx, input, needed, { environment, before });
}

/** An environment, and the build that it needs. */
interface Need {
  readonly environment: Environment;
  readonly needed: NeededBuild | undefined;
}

/** Looks what is needed. An environment in which something is, and that an EnvironmentState of the program starts, is started first. */
async function lookForNeed(ctx: Context, input: Declaration, old: Properties | undefined): Promise<Need> {
  const { environmentId, branches = {} } = input;
  const found = await ctx.client.environments.get(environmentId, { signal: ctx.signal });
  // What a deleted one has is not specified; it may have its repositories once it is revived.
  const isIncomplete = found.deleted && unknownRepositories(found, branches).length > 0;
  const first = isIncomplete ? undefined : await needOf(ctx, input, old, found);
  const isDue = first === undefined || first.needed !== undefined;
  const isAsleep = whyNotRunning(found) !== undefined;
  const environment =
    isDue && isAsleep && (await isStartedByProgram(ctx, input, found)) ? await bringUp(ctx, environmentId) : found;
  return environment === found && first !== undefined ? first : needOf(ctx, input, old, environment);
}

async function needOf(
  ctx: Context,
  input: Declaration,
  old: Properties | undefined,
  found: Environment,
): Promise<Need> {
  refuseUnknownRepositories(found, input.branches ?? {});
  return { environment: found, needed: await neededBuild(ctx, input, old, found) };
}

/** Waits, unless the build itself starts the environment, until the engine has probably shown what the program has. */
async function isStartedByProgram(ctx: Context, input: Declaration, environment: Environment): Promise<boolean> {
  const { environmentId } = input;
  const session = ctx.environment(environmentId);
  const startsItself = canBuild(input, environment);
  if (declaredState(session).wanted === undefined && !startsItself) await session.variables.untilQuiet(ctx.signal);
  return isBroughtUp(ctx, environmentId);
}

/** @throws RefusedError when the program stops the environment. A stop that the engine shows later is refused then. */
function refuseBesideStop(ctx: Context, environmentId: string): void {
  const state = declaredState(ctx.environment(environmentId));
  if (state.wanted === "stopped") throw new RefusedError(contradictionText(ctx, environmentId));
  state.dueBuild = "certain";
}

/** The build that goes on waiting. Of an owed one nothing was requested yet: it is for the branches that are declared now. */
function stillPostponed(old: Properties | undefined, branches: Branches): PendingBuild | undefined {
  const unfinished = unfinishedBuild(old ?? {});
  return unfinished?.status === "owed" ? { ...unfinished, branches } : unfinished;
}

/** The request of an earlier `up` that got no answer, as a sentence. */
function unansweredBefore(environment: Environment, old: Properties | undefined): string | undefined {
  if (unfinishedBuild(old ?? {})?.status !== "ambiguous") return undefined;
  return `environment ${environmentTitle(environment)}: an earlier \`pulumi up\` got no answer to its request for a build.`;
}

async function send(
  ctx: Context,
  input: Declaration,
  request: BuildRequest,
  { environment, before }: Requested & { readonly before: ReadonlySet<string> },
): Promise<Requested> {
  try {
    const wasProcessing = environment.processing;
    if (!input.waitForBuild) await requestUnawaitedBuild(ctx, request, environment);
    const error = input.waitForBuild ? await requestBuild(ctx, request, environment.id) : undefined;
    return { environment, before, wasProcessing, ...(error && { unanswered: error.message }) };
  } catch (error) {
    if (error instanceof AmbiguousResultError) return { environment, before, error };
    const isAsleep = whyNotRunning(environment) !== undefined;
    // A branch change is refused for its branches. A rebuild is refused where a service rebuilds only what runs.
    if (!isAsleep || request.kind === "change" || !(error instanceof InvalidRequestError)) throw error;
    const timeoutMs = input.buildTimeoutSeconds * MS_PER_SECOND;
    await wake(ctx, environment, { timeoutMs, isBuilding: false });
    const { environmentId, branches = {} } = input;
    const now = await lookForBuilds(ctx, { environmentId, branches, before });
    // The service builds what it starts: that build has what was declared before it.
    const isBuilding = now.matching.length > 0 || now.environment.processing;
    return isBuilding
      ? { environment: now.environment, before }
      : send(ctx, input, request, { environment: now.environment, before });
  }
}

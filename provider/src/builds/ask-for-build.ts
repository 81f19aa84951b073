import type { BranchChange, Environment } from "../client";
import type { Build } from "../client/builds";
import { MS_PER_SECOND } from "../client/clock";
import { displayable, environmentTitle } from "../client/error-text";
import { InvalidRequestError } from "../client/errors";
import { queuedMs } from "../client/newest-builds";
import { buildsSince, newestIds, recentBuilds } from "../environment/build-history";
import { declaredState, isBroughtUp, noteDueBuild } from "../environment/declared-state";
import { trySend } from "../environment/send-once";
import type { Context } from "../framework/context";
import { RefusedError } from "../framework/errors";
import type { Properties } from "../framework/properties";
import {
  canBuild,
  type Declaration,
  type Due,
  dueBuild,
  isBringingOthers,
  isDeclaredAnew,
  owedBuild,
  type RunningBuild,
  type Situation,
  situationOf,
} from "./due-build";
import {
  allBranches,
  describeProjects,
  notRunningText,
  refuseUnknownRepositories,
  unknownRepositories,
  whyNotRunning,
} from "./projects";
import { refuseWithoutRequired } from "./required-variables";
import type { PendingBuild } from "./state";
import { lookForBuilds } from "./wait-for-build";
import { bringUp, wake } from "./wake";

/** What came of asking for the build that is due. */
export type Asked =
  | { readonly kind: "nothing"; readonly environment: Environment }
  /** The build has to wait until the environment runs. */
  | { readonly kind: "postponed"; readonly environment: Environment; readonly pending: PendingBuild | undefined }
  | AskedBuild;

/** A build that was asked for, now or before. */
export interface AskedBuild {
  readonly kind: "build";
  /** The environment as it was before. */
  readonly environment: Environment;
  /** Ids of the builds in history before the request. */
  readonly before: ReadonlySet<string>;
  /** Whether the environment was processing right before the request. */
  readonly wasProcessing?: boolean;
  /** The environment has to be started when the build has not done that. */
  readonly isToBeWoken?: boolean;
  /** What was requested, when that got no answer, as a sentence. */
  readonly unanswered?: string;
}

/** What state says: `old` is left out for a create, and `pending` may be of the resource that it replaces. */
export interface Before {
  readonly old: Properties | undefined;
  readonly pending: PendingBuild | undefined;
}

/** Requests the one build that is due, if any. */
export async function askForBuild(ctx: Context, input: Declaration, before: Before): Promise<Asked> {
  const { environmentId, branches = {}, whenStopped } = input;
  // Reading the branches and changing them belong together: two changes at a time would undo each other.
  using _held = await ctx.environment(environmentId).actionLock.hold(["branches"], ctx.signal);
  const { situation, due } = await whatIsDue(ctx, input, before);
  const { environment, differs, pending } = situation;
  if (due === "nothing") return { kind: "nothing", environment };
  if (due === "owe") return { kind: "postponed", environment, pending: owedBuild(situation) };
  // Of an owed build nothing was requested yet: it is for the branches that are declared now.
  const kept = pending?.status === "owed" ? { ...pending, branches } : pending;
  if (due === "keep") return { kind: "postponed", environment, pending: kept };
  if (due === "join") return joined(ctx, situation);
  if (whenStopped === "fail" && isDeclaredAnew(situation)) noteDueBuild(ctx, environmentId, "certain");
  if (due === "refuse") throw asleep(ctx, environment, differs);
  await refuseWithoutRequired(ctx, environment, input.requires);
  const change = due === "change" ? projectsFor(situation) : undefined;
  ctx.log.status(
    change === undefined ? `rebuilding ${displayable(environment.name)}` : `switching to ${describeProjects(change)}`,
  );
  return await request(ctx, input, { environment, change, before: newestIds(await recentBuilds(ctx, environmentId)) });
}

/** A situation in which all is read that decides. */
interface Decision {
  readonly situation: Situation;
  readonly due: Exclude<Due, "readBuilds" | "readRunning">;
}

/** Looks what is due. An environment in which something is, and that an EnvironmentState of the program starts, is started first. */
async function whatIsDue(ctx: Context, input: Declaration, before: Before): Promise<Decision> {
  const { environmentId, branches = {} } = input;
  const environment = await ctx.client.environments.get(environmentId, { signal: ctx.signal });
  // What a deleted one has is not specified; it may have its repositories once it is revived.
  const isIncomplete = environment.deleted && unknownRepositories(environment, branches).length > 0;
  const decision = isIncomplete ? undefined : await decide(ctx, input, before, environment);
  const isAsleep = whyNotRunning(environment) !== undefined;
  if (isAsleep && decision?.due !== "nothing" && (await isStartedByProgram(ctx, input, environment)))
    return decide(ctx, input, before, await bringUp(ctx, environmentId));
  return decision ?? decide(ctx, input, before, environment);
}

/** Asks the table, and reads what it depends on. */
async function decide(
  ctx: Context,
  input: Declaration,
  { old, pending }: Before,
  environment: Environment,
): Promise<Decision> {
  refuseUnknownRepositories(environment, input.branches ?? {});
  let situation = situationOf(input, old, pending, environment);
  for (;;) {
    const due = dueBuild(situation);
    if (due === "readBuilds") situation = { ...situation, builds: await pendingBuilds(ctx, situation) };
    else if (due === "readRunning") situation = { ...situation, running: await readRunning(ctx, situation) };
    else return { situation, due };
  }
}

/** The builds since the pending one was asked for. The environment has just been read: the other way round, a build that ends in
 * between would be taken for failed. */
export function pendingBuilds(
  ctx: Context,
  { environment, pending }: Pick<Situation, "environment" | "pending">,
): Promise<readonly Build[]> {
  return buildsSince(ctx, { environmentId: environment.id, before: new Set(pending?.before) });
}

/** The build that runs, for what may be repeated after a crash. */
async function readRunning(ctx: Context, { environment, isTriggered }: Situation): Promise<RunningBuild> {
  // A running build may be older than any change that this run has made.
  if (isTriggered && ctx.environment(environment.id).haveVariablesChanged)
    return { before: new Set(), isOlderThanVariables: true };
  const call = { signal: ctx.signal };
  const builds = await recentBuilds(ctx, environment.id);
  const [running, ...earlier] = builds;
  const { variables } =
    isTriggered && running !== undefined ? await ctx.client.envVars.list(environment.id, call) : { variables: [] };
  const second = running === undefined ? "" : queuedSecond(running);
  // The newest build is the running one, unless it is over: a service may list a build only once it has ended.
  const isOver =
    running?.successfullyBuilt === true && (await ctx.client.environments.get(environment.id, call)).processing;
  return {
    before: newestIds(isOver ? builds : earlier),
    isOlderThanVariables: variables.some(({ updatedAt = "" }) => updatedAt > second),
  };
}

/** When a build was queued, as the service writes times of variables: no zone and whole seconds, so that only a later second
 * counts as later. A time that cannot be read is before all others. */
function queuedSecond(build: Build): string {
  const ms = queuedMs(build);
  return ms === undefined ? "" : new Date(ms).toISOString().slice(0, "YYYY-MM-DDTHH:MM:SS".length);
}

/** Waits, unless the build itself starts the environment, until the engine has probably shown what the program has. */
async function isStartedByProgram(ctx: Context, input: Declaration, environment: Environment): Promise<boolean> {
  const { environmentId, whenStopped } = input;
  const session = ctx.environment(environmentId);
  const startsItself = canBuild(whenStopped, environment);
  if (declaredState(session).wanted === undefined && !startsItself) await session.variables.untilQuiet(ctx.signal);
  return isBroughtUp(ctx, environmentId);
}

/** A build that runs or has ended: one that state knows, or the one that the environment is processing. */
async function joined(ctx: Context, situation: Situation): Promise<AskedBuild> {
  const { environment, unfinished, running } = situation;
  const { before } = running ?? unfinished ?? (await readRunning(ctx, situation));
  const unanswered = `environment ${environmentTitle(environment)}: an earlier \`pulumi up\` got no answer to its request for a build.`;
  return {
    kind: "build",
    environment,
    before: new Set(before),
    isToBeWoken: whyNotRunning(environment) !== undefined,
    ...(unfinished?.status === "ambiguous" && situation.waitForBuild && { unanswered }),
  };
}

function asleep(ctx: Context, environment: Environment, isChange: boolean): RefusedError {
  const isDeclared = declaredState(ctx.environment(environment.id)).wanted === "running";
  const outcome = isDeclared
    ? "Nothing was changed."
    : "Nothing was changed. If this program has that EnvironmentState, let this resource depend on it (`dependsOn`).";
  const attempt = isChange ? "change the branches of environment" : "rebuild environment";
  return new RefusedError(notRunningText(environment, attempt, outcome, isDeclared));
}

/** What a change sends. What a build under way brings to the repositories that are not declared stays. */
function projectsFor(situation: Situation): readonly BranchChange[] {
  const { environment, branches, pending } = situation;
  return allBranches(environment, { ...(isBringingOthers(situation) && pending?.branches), ...branches });
}

/** What is requested: other branches, or a rebuild when there is no `change`. */
interface Request {
  readonly environment: Environment;
  readonly change: readonly BranchChange[] | undefined;
  readonly before: ReadonlySet<string>;
}

/** Requests the build. Where a service rebuilds only what runs, the environment is started first. */
async function request(ctx: Context, input: Declaration, wanted: Request): Promise<AskedBuild> {
  const { environment, change, before } = wanted;
  try {
    return await send(ctx, wanted);
  } catch (error) {
    // A branch change is refused for its branches.
    const isForSleep = change === undefined && whyNotRunning(environment) !== undefined;
    if (!isForSleep || !(error instanceof InvalidRequestError)) throw error;
  }
  const { environmentId, branches = {}, buildTimeoutSeconds } = input;
  await wake(ctx, environment, { timeoutMs: buildTimeoutSeconds * MS_PER_SECOND }, false);
  const now = await lookForBuilds(ctx, { environmentId, branches, before });
  // The service may build what it starts: that build has what was declared before it.
  const isBuilding = now.matching.length > 0 || now.environment.processing;
  return isBuilding
    ? { kind: "build", environment: now.environment, before }
    : send(ctx, { ...wanted, environment: now.environment });
}

/** Sends the request, once. */
async function send(ctx: Context, { environment, change, before }: Request): Promise<AskedBuild> {
  const { environments } = ctx.client;
  const call = { signal: ctx.signal };
  const error = await trySend(
    change === undefined
      ? environments.act("rebuild", environment.id, call)
      : environments.changeBranches(environment.id, change, call),
  );
  const asked = { kind: "build", environment, before, wasProcessing: environment.processing } as const;
  // A start could begin a second build while it is not known whether there is a first one.
  return error === undefined
    ? { ...asked, isToBeWoken: whyNotRunning(environment) !== undefined }
    : { ...asked, unanswered: error.message };
}

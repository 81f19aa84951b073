import type { Environment } from "../client";
import { environmentTitle } from "../client/error-text";
import { declaredState, noteDueBuildOrRefuse } from "../environment/declared-state";
import type { Context } from "../framework/context";
import { RefusedError } from "../framework/errors";
import { type Properties, withoutNil } from "../framework/properties";
import type { Written } from "../framework/resource";
import { buildFacts, type BuildFacts, type Due, dueBuild, isDeclaredAnew, type Situation } from "./due-build";
import { finishBuild, type BuildOutputs, postpone } from "./finish-build";
import type { BranchesInput } from "./inputs";
import { branchesOf, changeFor, notRunningText, whyNotRunning } from "./projects";
import { readSituation } from "./read-situation";
import { noteCreated, replacedBy } from "./replaced-resource";
import { type AskedBuild, requestChange, requestRebuild } from "./request-build";
import { refuseWithoutRequired } from "./required-variables";
import { describeEnvironment, type PendingBuild, parseState, type StoredBranches } from "./state";

/** What came of asking for the build that is due. */
interface Asked {
  readonly environment: Environment;
  /** The build to wait for. */
  readonly build?: AskedBuild;
  /** A build that has to wait until the environment runs. */
  readonly sleepingBuild?: PendingBuild;
}

/**
 * Brings an environment's branches to what is declared, with one build at most. A build that was requested and not seen to succeed
 * stays open: the next `up` looks at that build first.
 */
export async function applyBranches(ctx: Context, input: BranchesInput, old?: Properties): Promise<Written> {
  const { environmentId } = input;
  const session = ctx.environment(environmentId);
  // A create goes on with what the resource had that it replaces.
  const last = parseState(old ?? replacedBy(session) ?? {});
  const asked = await askForBuild(ctx, input, buildFacts(input, old, last.pending));
  const originalBranches = last.originalBranches ?? (old === undefined ? branchesOf(asked.environment) : {});
  if (old === undefined) noteCreated(session, originalBranches, input.onDestroy);
  const outcome =
    asked.build === undefined
      ? outputsWithoutBuild(ctx, input, asked, last)
      : await finishBuild(ctx, input, asked.build);
  const { environment, unfinishedReasons = [], ...outputs } = outcome;
  const state = withoutNil({ ...input, ...describeEnvironment(environment), originalBranches, ...outputs });
  return { id: environmentId, state, unfinishedReasons };
}

/** Requests the one build that is due, if any. */
async function askForBuild(ctx: Context, input: BranchesInput, facts: BuildFacts): Promise<Asked> {
  const { environmentId, whenStopped } = input;
  // Reading the branches and changing them belong together: two changes at a time would undo each other.
  using _held = await ctx.environment(environmentId).actionLock.hold(["branches"], ctx.signal);
  const situation = await readSituation(ctx, environmentId, facts);
  const { environment } = situation;
  const due = dueBuild(situation);
  if (due === "nothing") return { environment };
  if (due === "owe" || due === "keep") return { environment, sleepingBuild: postponedBuild(situation, due) };
  if (due === "join") return { environment, build: joinedBuild(situation) };
  if (whenStopped === "fail" && isDeclaredAnew(situation)) noteDueBuildOrRefuse(ctx, environmentId, "certain");
  if (due === "refuse") throw notRunningError(ctx, situation);
  await refuseWithoutRequired(ctx, environment, input.requires);
  // What is held here is held until the request is answered.
  const build =
    due === "change"
      ? await requestChange(ctx, situation)
      : await requestRebuild(ctx, situation, input.buildTimeoutSeconds);
  return { environment, build };
}

/** The build that waits until the environment runs. Of an owed one nothing was requested yet: it is for the branches that are declared now. */
function postponedBuild({ awaited, branches, isTriggered }: Situation, due: Due): PendingBuild {
  if (due === "keep" && awaited !== undefined && awaited.status !== "owed") return awaited;
  const wasNeeded = awaited !== undefined && (awaited.status !== "owed" || awaited.needsRebuild === true);
  return { v: 1, before: [], branches, status: "owed", needsRebuild: wasNeeded || isTriggered };
}

/** A build that runs or has ended: one that state knows, or the one that the environment is processing. */
function joinedBuild({ environment, branches, awaited, running, waitForBuild }: Situation): AskedBuild {
  const isUnanswered = awaited?.status === "ambiguous" && waitForBuild;
  return {
    environment,
    branches,
    knownBuildIds: new Set(running?.knownBuildIds ?? awaited?.before),
    needsStart: whyNotRunning(environment) !== undefined,
    unansweredText: isUnanswered
      ? `environment ${environmentTitle(environment)}: an earlier \`pulumi up\` got no answer to its request for a build.`
      : undefined,
  };
}

function notRunningError(ctx: Context, { environment, branches }: Situation): RefusedError {
  const isDeclared = declaredState(ctx.environment(environment.id)).desired === "running";
  const outcome = isDeclared
    ? "Nothing was changed."
    : "Nothing was changed. If this program has that EnvironmentState, let this resource depend on it (`dependsOn`).";
  const isChange = changeFor(environment, branches) !== undefined;
  const attempt = isChange ? "change the branches of environment" : "rebuild environment";
  return new RefusedError(notRunningText(environment, attempt, outcome, isDeclared));
}

/** Keeps what state has of builds: none is requested now. */
function outputsWithoutBuild(
  ctx: Context,
  { waitForBuild: waits }: BranchesInput,
  { environment, sleepingBuild }: Asked,
  last: StoredBranches,
): BuildOutputs {
  const build = waits ? last.build : undefined;
  if (sleepingBuild !== undefined) return { environment, build, pending: postpone(ctx, environment, sleepingBuild) };
  const isNotAwaited = last.pending?.status === "notAwaited" && !waits;
  return { environment, build, pending: isNotAwaited ? last.pending : undefined };
}

import type { Environment } from "../client/environments";
import { MS_PER_SECOND } from "../client/clock";
import { readBuilds } from "../environment/build-history";
import type { WaitLimit } from "../environment/wait";
import type { Context } from "../framework/context";
import { RefusedError } from "../framework/resource-errors";
import { type Properties, withoutNil } from "../framework/properties";
import type { LiveResource } from "../framework/resource";
import {
  buildFacts,
  type BuildFacts,
  isAskedFor,
  isDueByThisUp,
  newestSuccess,
  type Situation,
  whatIsDue,
} from "./due-build";
import { newestFailedTexts, pendingForRunning, withNewestBuild } from "./unknown-builds";
import { type BuildOutcome, finishBuild, postpone } from "./finish-build";
import type { BranchesInput } from "./branches-inputs";
import { notRunningText } from "./not-running";
import { type Branches, branchesOf, hasOtherBranches, refuseUndeclarable } from "./projects";
import { requestChange, requestRebuild, type AwaitedBuild } from "./request-build";
import { refuseWithoutRequired } from "./required-variables";
import {
  buildOutput,
  environmentOutputs,
  isNewRepository,
  owedBuild,
  parseState,
  type PendingBuild,
  type StoredBranches,
} from "./state";

/**
 * Brings an environment's branches to what is declared, with one build at most. A build that was requested and not seen to succeed
 * stays open: the next `up` looks at that build first.
 */
export async function applyBranches(ctx: Context, input: BranchesInput, old?: Properties): Promise<LiveResource> {
  const { environmentId } = input;
  const last = parseState(old ?? {});
  const limit = {
    timeoutMs: input.buildTimeoutSeconds * MS_PER_SECOND,
    timeoutName: "buildTimeoutSeconds",
    since: ctx.clock.now(),
  };
  const due = await doWhatIsDue(ctx, input, buildFacts(input, old), limit);
  const { environment: found, requested } = due;
  const originalBranches =
    old === undefined ? branchesOf(found) : withNewRepositories(last, branchesOf(found), input.branches);
  const build = input.waitForBuild ? last.build : undefined;
  const outcome = requested === undefined ? { build, ...due.outcome } : await finishBuild(ctx, input, requested, limit);
  const { environment = found, unfinishedReasons = [], ...rest } = outcome;
  const state = withoutNil({ ...input, ...environmentOutputs(environment), originalBranches, ...rest });
  return { id: environmentId, state, unfinishedReasons };
}

/**
 * The original branches, and the found ones of declared repositories that joined the environment after the create. If the environment
 * lacks an original repository, the new one may be that one under another name, with a branch from this resource: nothing is added.
 */
function withNewRepositories(last: StoredBranches, found: Branches, declared: Branches = {}): Branches {
  const { originalBranches = {} } = last;
  if (Object.keys(originalBranches).some((repo) => !Object.hasOwn(found, repo))) return originalBranches;
  const joined = Object.entries(found).filter(([repo]) => Object.hasOwn(declared, repo) && isNewRepository(repo, last));
  return { ...originalBranches, ...Object.fromEntries(joined) };
}

/** What came of what was due: a build that was requested or joined, or else the outcome. */
interface DueOutcome {
  /** The environment as it was found. */
  readonly environment: Environment;
  readonly requested?: AwaitedBuild;
  /** Its environment counts, if it has one: it was read later. */
  readonly outcome?: Partial<BuildOutcome>;
}

/** Does what is due (`Due`): it requests one build at most. */
async function doWhatIsDue(
  ctx: Context,
  { environmentId, requires }: BranchesInput,
  facts: BuildFacts,
  limit: WaitLimit,
): Promise<DueOutcome> {
  // Reading the branches and changing them belong together: two changes at a time would undo each other.
  using _lock = await ctx.environment(environmentId).actionLock.lock(["branches"], ctx.signal);
  const situation = await readSituation(ctx, environmentId, facts);
  const { environment, pending, branches } = situation;
  const due = whatIsDue(situation);
  switch (due) {
    case "record":
      return { environment, outcome: await recorded(ctx, situation) };
    case "postpone":
      return { environment, outcome: { pending: postpone(ctx, environment, buildToPostpone(situation)) } };
    case "refuse":
      throw notRunningError(situation);
    case "join":
      return { environment, requested: { environment, pending: await joinedBuild(ctx, situation) } };
    case "change":
    case "rebuild": {
      await refuseWithoutRequired(ctx, environment, requires);
      for (const text of newestFailedTexts(situation, "it is rebuilt")) ctx.log.info(text);
      // The lock is held until the request is answered.
      const requested = await (due === "change"
        ? requestChange(ctx, situation)
        : requestRebuild(ctx, situation, limit));
      return { environment, requested };
    }
    case "nothing":
      break;
  }
  return { environment, outcome: isAskedFor(pending, branches) ? { pending } : {} };
}

/** Reads what decides: the environment, and the builds since one was asked for. @throws RefusedError when it lacks a repository */
async function readSituation(ctx: Context, environmentId: string, facts: BuildFacts): Promise<Situation> {
  const { pending } = facts;
  const mark = pending?.status === "asked" ? pending : undefined;
  const { environment, builds: newBuilds } = await readBuilds(ctx, environmentId, mark);
  refuseUndeclarable(environment, Object.keys(facts.branches));
  return withNewestBuild(ctx, { ...facts, environment, newBuilds });
}

/** The pending build has succeeded. What the environment shows may be older than its end. */
async function recorded(ctx: Context, situation: Situation): Promise<Partial<BuildOutcome>> {
  const { environment, newBuilds, branches, waitForBuild } = situation;
  const now = environment.processing
    ? await ctx.client.environments.get(environment.id, { signal: ctx.signal })
    : environment;
  return { environment: now, ...(waitForBuild && { build: buildOutput(newestSuccess(newBuilds, branches)) }) };
}

/** The build to postpone. What is due anew was not requested yet: it is for the branches that are declared now. */
function buildToPostpone(situation: Situation): PendingBuild {
  const { pending, branches } = situation;
  return pending?.status === "asked" && !isDueByThisUp(situation) ? pending : owedBuild(branches);
}

/** The build to join: the pending one, which may be over, or else the one that the environment is processing. */
async function joinedBuild(ctx: Context, { environment, branches, pending }: Situation): Promise<PendingBuild> {
  if (isAskedFor(pending, branches)) return { ...pending, branches };
  return pendingForRunning(ctx, environment, branches);
}

function notRunningError({ environment, branches, whenStopped }: Situation): RefusedError {
  const isChange = hasOtherBranches(environment, branches);
  const attempt = isChange ? "change the branches of environment" : "rebuild environment";
  return new RefusedError(notRunningText(environment, attempt, "Nothing was changed.", whenStopped));
}

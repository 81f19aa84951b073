import type { Environment } from "../client/environments";
import { buildsSince } from "../environment/build-history";
import { getOrWarn } from "../environment/existence";
import { sendOnce } from "../environment/send-once";
import type { Context } from "../framework/context";
import { environmentTitle } from "../client/error-text";
import { InvalidRequestError } from "../client/errors";
import { RefusedError } from "../framework/resource-errors";
import type { Properties } from "../framework/properties";
import { isPendingFor, mayStillCome } from "./due-build";
import { whenStoppedMeans } from "./branches-inputs";
import { stoppingFlagOf } from "./not-running";
import {
  allBranches,
  type Branches,
  branchesOf,
  describeProjects,
  hasOtherBranches,
  namesakesAmong,
  refuseNamesakes,
} from "./projects";
import { type PendingBuild, parseState } from "./state";
import { see } from "../client/troubleshooting";

const LOOKS_AGAIN = "The next `pulumi up --refresh` or `pulumi destroy` looks again before it repeats anything.";

/**
 * Puts the declared repositories back to the original branches. The others are sent with the branch they have now.
 * A repository that was switched since the last refresh, or the last `up` that changed the resource, keeps its branch, with a warning. Nothing is
 * done to an environment that is gone, or has these branches, unless a build of other branches may be under way. Of repositories that another
 * resource of this run declares, nothing is restored: it may have replaced this one.
 * @throws RefusedError when the environment is deleted, retired or stopped, and `whenStopped` says so. Otherwise that is a warning. Also
 * when the service refuses the branches, or two repositories have one name. In an `up`, all of these are warnings: a replaced resource
 * cannot be given other inputs any more, so no advice could be followed, and each later `up` would fail.
 * @throws AmbiguousResultError
 */
export async function restoreBranches(ctx: Context, environmentId: string, old: Properties): Promise<void> {
  const { branches = {}, originalBranches = {}, pending, whenStopped = "fail" } = parseState(old);
  const inRun = ctx.environment(environmentId);
  using _lock = await inRun.actionLock.lock(["branches"], ctx.signal);
  const own = Object.entries(originalBranches).filter(([repo]) => Object.hasOwn(branches, repo));
  const isDeclared = ([repo]: readonly [string, string]): boolean => inRun.declaredRepositories.has(repo);
  warnOfLost(ctx, environmentId, replacedOriginals(branches, originalBranches).filter(isDeclared));
  const environment = await getOrWarn(ctx, environmentId);
  if (environment === undefined) return;
  const found = branchesOf(environment);
  // While a build of this stack is pending, nobody can tell: the environment may show branches from before it.
  const isSwitched = ([repo, original]: readonly [string, string]): boolean =>
    pending === undefined && Object.hasOwn(found, repo) && found[repo] !== branches[repo] && found[repo] !== original;
  const restorable = own.filter((one) => !isDeclared(one));
  const restored = Object.fromEntries(restorable.filter((one) => !isSwitched(one)));
  warnOfSwitched(ctx, environment, restorable.filter(isSwitched));
  warnOfNotRestored(ctx, environment, branches, originalBranches);
  const differs = hasOtherBranches(environment, restored);
  if (!differs && !(await mayBringOtherBranches(ctx, environment, restored, pending))) return;
  const flag = stoppingFlagOf(environment);
  if (flag !== undefined) {
    const isRefused = whenStoppedMeans[whenStopped] === "refused" && !(await ctx.runsProgram());
    if (!isRefused)
      return ctx.log.warn(
        `environment ${environmentTitle(environment)} is ${flag}, so its original branches are not restored: ` +
          describeBranches(Object.entries(restored)),
      );
    throw new RefusedError(
      `cannot restore the branches of environment ${environmentTitle(environment)}: it is ${flag}. Start it first, or set ` +
        '`whenStopped: "skip"` or `onDestroy: "retain"`, run `pulumi up`, then run `pulumi destroy` again. Nothing was changed. ' +
        see("not-restored"),
    );
  }
  const namesakes = namesakesAmong(environment.projects);
  if (namesakes !== undefined && (await ctx.runsProgram()))
    return ctx.log.warn(
      `environment ${environmentTitle(environment)} has ${namesakes}, so its original branches are not restored`,
    );
  refuseNamesakes(
    environment,
    "restore the branches",
    "To keep those that are there now, replace `branches` by `rebuildOn: []`, run `pulumi up`, then run `pulumi destroy` again.",
  );
  const projects = allBranches(environment, restored);
  try {
    await sendOnce(ctx, {
      environmentId,
      sending: ctx.client.environments.changeBranches(environmentId, projects, { signal: ctx.signal }),
      // Branches that were shown before, while a build of other branches was under way, are no trace of the request.
      ...(differs && { isFulfilled: (now: Environment) => !hasOtherBranches(now, restored) }),
      advice: LOOKS_AGAIN,
    });
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    const refusal = `${error.message} So the original branches cannot be restored: ${describeBranches(Object.entries(restored))}. One of them may be gone.`;
    // A 400 without a text of the service's may be a gateway's.
    if (error.titles.length > 0 && (await ctx.runsProgram())) return ctx.log.warn(`${refusal} Nothing was changed.`);
    throw new RefusedError(
      `${refusal} To keep the branches that are there now, set \`onDestroy: "retain"\`, run \`pulumi up\`, then run \`pulumi destroy\` ` +
        `again. Nothing was changed. ${see("not-restored")}`,
    );
  }
}

/** Whether a build of other branches than these, which this resource asked for, may still bring them. */
async function mayBringOtherBranches(
  ctx: Context,
  environment: Environment,
  branches: Branches,
  pending: PendingBuild | undefined,
): Promise<boolean> {
  if (pending?.status !== "asked" || isPendingFor(pending, branches)) return false;
  return mayStillCome({ environment, pending, newBuilds: await buildsSince(ctx, environment, pending) });
}

/** `originals`: the original branches of the repositories that stay as they are. */
function warnOfSwitched(
  ctx: Context,
  environment: Environment,
  originals: readonly (readonly [string, string])[],
): void {
  if (originals.length === 0) return;
  const them = environment.projects.filter(({ repoName }) => originals.some(([repo]) => repo === repoName));
  ctx.log.warn(
    `environment ${environmentTitle(environment)}: these branches stay, because they were switched since the last refresh, or the last ` +
      `\`pulumi up\` that changed this resource, by somebody else or by an \`up\` that was killed: ${describeProjects(them)}. ` +
      `The original ones: ${describeBranches(originals)}.`,
  );
}

/**
 * Not restored are declared repositories without an original branch, and those that left the environment. One may be both: renamed. After
 * a refresh, state does not have a repository that left as a declared one. So if the environment has a new one, all that left count.
 */
function warnOfNotRestored(
  ctx: Context,
  environment: Environment,
  declared: Branches,
  originalBranches: Branches,
): void {
  const what = `environment ${environmentTitle(environment)}`;
  const kept = environment.projects.filter(
    ({ repoName }) => Object.hasOwn(declared, repoName) && !Object.hasOwn(originalBranches, repoName),
  );
  if (kept.length > 0)
    ctx.log.warn(`${what}: these branches stay, because the original ones are not known: ${describeProjects(kept)}`);
  const found = branchesOf(environment);
  const hasNew = Object.keys(found).some((repo) => !Object.hasOwn(originalBranches, repo));
  const lost = Object.entries(originalBranches).filter(
    ([repo]) => !Object.hasOwn(found, repo) && (hasNew || Object.hasOwn(declared, repo)),
  );
  if (lost.length > 0)
    ctx.log.warn(
      `${what} lacks repositories, so their original branches are not restored: ${describeBranches(lost)}. If a repository was renamed, ` +
        "switch it back by hand.",
    );
}

/** For the warning of an environment that a list lacks: the original branches that only this state knows, as a sentence, or nothing. */
export function describeLost(old: Properties): string {
  const { branches = {}, originalBranches = {} } = parseState(old);
  const lost = replacedOriginals(branches, originalBranches);
  return lost.length === 0 ? "" : `Original branches that are not restored: ${describeBranches(lost)}. `;
}

/** The original branches in whose place other ones are declared. */
function replacedOriginals(declared: Branches, originalBranches: Branches): readonly (readonly [string, string])[] {
  return Object.entries(originalBranches).filter(
    ([repo, branch]) => Object.hasOwn(declared, repo) && declared[repo] !== branch,
  );
}

function describeBranches(branches: readonly (readonly [string, string])[]): string {
  return describeProjects(branches.map(([repoName, branch]) => ({ repoName, branch })));
}

/** The replacement of a resource has found the branches that this one has set: it does not know those from before. */
function warnOfLost(ctx: Context, environmentId: string, lost: readonly (readonly [string, string])[]): void {
  if (lost.length === 0) return;
  ctx.log.warn(
    `environment ${ctx.client.titleOf(environmentId)}: another resource declares these branches now, so the original ones are not restored: ` +
      `${describeBranches(lost)}. It does not know them: its \`onDestroy: "restore"\` puts back what it has found. To restore them, declare them in ` +
      "`branches` before the destroy.",
  );
}

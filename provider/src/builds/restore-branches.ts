import type { Environment } from "../client";
import { buildsSince } from "../environment/build-history";
import { getOrWarn } from "../environment/existence";
import { sendOnce } from "../environment/send-once";
import type { Context } from "../framework/context";
import { environmentTitle, nameList } from "../client/error-text";
import { InvalidRequestError } from "../client/errors";
import { RefusedError } from "../framework/errors";
import type { Properties } from "../framework/properties";
import { earlierBuildMayChangeBranches } from "./due-build";
import { allBranches, changeFor, describeProjects, whyNotRunning } from "./projects";
import { parseState } from "./state";
import { LOOKS_AGAIN } from "./build-progress";

/**
 * Puts the declared repositories back to the branches found at create. The others are sent with the branch they have now.
 * Nothing is done to an environment that is gone, or has these branches, unless a build of other branches may be under way.
 * @throws RefusedError when it is deleted, retired or stopped, and `whenStopped` is "fail". Otherwise that is a warning. Also when
 * the service refuses the branches.
 * @throws AmbiguousResultError
 */
export async function restoreBranches(ctx: Context, environmentId: string, old: Properties): Promise<void> {
  const { branches = {}, originalBranches = {}, pending, whenStopped = "fail" } = parseState(old);
  const session = ctx.environment(environmentId);
  using _held = await session.actionLock.hold(["branches"], ctx.signal);
  const environment = await getOrWarn(ctx, environmentId);
  if (environment === undefined) return;
  const own = Object.entries(originalBranches).filter(([repo]) => Object.hasOwn(branches, repo));
  const declared = own.filter(([repo]) => session.declaredRepositories.has(repo)).map(([repo]) => repo);
  const restored = Object.fromEntries(own.filter(([repo]) => !declared.includes(repo)));
  if (declared.length > 0)
    ctx.log.info(
      `environment ${environmentTitle(environment)}: ${nameList(declared)} not restored, because another resource declares it`,
    );
  const differs = changeFor(environment, restored) !== undefined;
  if (!differs) {
    const shown = { environment, branches: restored, pending };
    if (!earlierBuildMayChangeBranches(shown)) return;
    const builds = await buildsSince(ctx, { environmentId, knownBuildIds: new Set(pending?.before) });
    if (!earlierBuildMayChangeBranches({ ...shown, builds })) return;
  }
  const flag = whyNotRunning(environment);
  if (flag !== undefined && whenStopped === "fail")
    throw new RefusedError(
      `cannot restore the branches of environment ${environmentTitle(environment)}: it is ${flag}. Start it first, or set ` +
        '`whenStopped: "skip"` or `onDestroy: "retain"`, run `pulumi up`, then run `pulumi destroy` again. Nothing was changed.',
    );
  if (flag !== undefined)
    return ctx.log.warn(
      `environment ${environmentTitle(environment)} is ${flag}, so its branches are not restored to those found at create`,
    );
  const projects = allBranches(environment, restored);
  try {
    await sendOnce(ctx, {
      environmentId,
      sending: ctx.client.environments.changeBranches(environmentId, projects, { signal: ctx.signal }),
      // What was shown before, while a build of other branches was under way, is no trace of the request.
      ...(differs && { isFulfilled: (now: Environment) => changeFor(now, restored) === undefined }),
      advice: LOOKS_AGAIN,
    });
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    const kept = Object.entries(restored).map(([repoName, branch]) => ({ repoName, branch }));
    throw new RefusedError(
      `${error.message} So the branches found at create cannot be restored: ${describeProjects(kept)}. One of them may be ` +
        'gone. To keep the branches that are there now, set `onDestroy: "retain"`, run `pulumi up`, then run `pulumi destroy` ' +
        "again. Nothing was changed.",
    );
  }
}

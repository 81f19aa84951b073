import type { Context } from "../framework/context";
import { nameList } from "../framework/names";
import type { Properties } from "../framework/properties";
import { getUnlessGone } from "../environment/gone";
import { changeFor, dormantFlag, title } from "./projects";
import { stored } from "./state";

/**
 * Puts the declared repositories back to the branches found at create; the others are sent with the branch they have
 * then. An environment that is gone, or sleeps, is left as it is: the stack of a closed pull request must go cleanly.
 */
export async function restoreBranches(ctx: Context, environmentId: string, old: Properties): Promise<void> {
  const { branches = {}, originalBranches = {} } = stored(old);
  const session = ctx.environment(environmentId);
  await session.withLock("branches", async () => {
    const environment = await getUnlessGone(ctx, environmentId);
    if (environment === undefined || environment.deleted) return;
    const mine = Object.entries(originalBranches).filter(([repo]) => Object.hasOwn(branches, repo));
    const left = mine.filter(([repo]) => session.branches.isOwned(repo)).map(([repo]) => repo);
    const wanted = Object.fromEntries(mine.filter(([repo]) => !left.includes(repo)));
    if (left.length > 0)
      ctx.log.info(
        `environment ${title(environment)}: ${nameList(left)} not restored, another resource declares it now`,
      );
    const projects = changeFor(environment, wanted);
    if (projects === undefined) return;
    const flag = dormantFlag(environment);
    if (flag !== undefined)
      return ctx.log.warn(`environment ${title(environment)} is ${flag}: its branches are left as they are`);
    session.builds.note();
    await ctx.client.environments.changeBranches(environmentId, projects, { signal: ctx.signal });
  });
}

import { environmentTitle } from "../client/error-text";
import type { Context } from "../framework/context";
import { isKeptWhenDropped } from "../framework/list-mark";
import type { Properties } from "../framework/properties";
import { getShared } from "./existence";

/**
 * Whether a delete must leave an environment as it is, by the list mark in state. Without a program the command is a destroy, which deletes. A
 * program that still lists the environment has dropped a child of it.
 * @param lost For the warning: what nobody knows any more without this state. The resource that has it is deleted before the others.
 */
export async function staysWhenDropped(
  ctx: Context,
  environmentId: string,
  old: Properties,
  lost: string = "",
): Promise<boolean> {
  if (!isKeptWhenDropped(old)) return false;
  const inRun = ctx.environment(environmentId);
  if (inRun.isFromList || !(await ctx.runsProgram())) return false;
  const environment = await getShared(ctx, environmentId);
  // Deleted or gone: the usual end. Nothing is left to delete, or it comes back with the environment.
  if (environment === undefined || environment.deleted || inRun.isToldDropped) return true;
  inRun.isToldDropped = true;
  ctx.log.warn(
    `environment ${environmentTitle(environment)} exists, and the program declares nothing for it as one of a list any more, as far as this ` +
      "provider can see: the list, `match`, `exclude` or `each` leaves it out, its last entry of `variableSets` was removed, or resources " +
      `outside of the list, another Provider or another plugin version have it now. Its variables and branches stay as they are. ` +
      `${lost}What no other resource of this stack has of them is not managed any more. ` +
      'When the program declares it again, what is as declared is taken over. For the rest, set `onConflict: "overwrite"` for one `up`. To have it ' +
      "deleted, declare it again, and then empty its maps in another `up`.",
  );
  return true;
}

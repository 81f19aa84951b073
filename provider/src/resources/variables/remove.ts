import { NotFoundError, PreviewenvError, WithdrawnError } from "../../client/errors";
import { scopeOf } from "../../core/claims";
import type { Context } from "../../core/context";
import { nameList } from "../../core/names";
import { forEachAtOnce } from "../../core/pool";

/** More wait than the client sends at once. Thousands that wait on one signal would cost the square of their number. */
const AT_ONCE = 256;

/** What became of names that had to go. */
export interface Removed {
  readonly deleted: ReadonlySet<string>;
  /** Names that another resource of the program declares now: left as they are. */
  readonly left: ReadonlySet<string>;
  readonly failed: ReadonlyMap<string, string>;
}

/**
 * Deletes variables by name; the client bounds how many at once. The specification: 404 when the environment or the
 * variable is unknown, and both mean that nothing is left to delete.
 */
export async function removeVariables(ctx: Context, environmentId: string, names: readonly string[]): Promise<Removed> {
  const scope = scopeOf("variables", environmentId);
  const left = new Set<string>();
  const deleted = new Set<string>();
  const failed = new Map<string, string>();
  // Requests wait for their turn, and meanwhile the engine asks about further resources: one of them may have the name.
  const isGoing = (name: string): boolean => {
    if (ctx.claims.has(scope, name)) {
      ctx.claims.leave(scope, name);
      return false;
    }
    ctx.claims.removing(scope, name);
    return true;
  };
  await forEachAtOnce(names, AT_ONCE, async (name) => {
    ctx.variableChanges.note(environmentId);
    try {
      await ctx.client.envVars.delete(environmentId, name, { signal: ctx.signal, isWanted: () => isGoing(name) });
      deleted.add(name);
    } catch (error) {
      if (error instanceof WithdrawnError) left.add(name);
      else if (error instanceof NotFoundError) deleted.add(name);
      else if (error instanceof PreviewenvError) failed.set(name, error.message);
      else throw error;
    }
  });
  if (left.size > 0)
    ctx.log.info(`environment ${environmentId}: ${nameList(left)} not deleted, another resource declares it now`);
  return { deleted, left, failed };
}

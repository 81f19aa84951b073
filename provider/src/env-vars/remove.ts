import { NotFoundError, PreviewenvError, ResponseShapeError, SkippedError } from "../client/errors";
import type { Context } from "../framework/context";
import { nameList } from "../framework/names";
import { forEachConcurrently } from "../framework/concurrency";
import { listUnlessGone } from "./listing";

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
 * variable is unknown, and both mean that nothing is left to delete. Another answer than these and 204 may be of
 * a gateway, so that a read of the variables decides.
 */
export async function removeVariables(ctx: Context, environmentId: string, names: readonly string[]): Promise<Removed> {
  const { variables, builds } = ctx.environment(environmentId);
  const left = new Set<string>();
  const deleted = new Set<string>();
  const failed = new Map<string, string>();
  const unclear = new Map<string, ResponseShapeError>();
  // Requests wait for their turn, and meanwhile the engine asks about further resources: one of them may have the name.
  await forEachConcurrently(names, AT_ONCE, async (name) => {
    builds.noteVariableChange();
    try {
      await ctx.client.envVars.delete(environmentId, name, {
        signal: ctx.signal,
        shouldSend: () => variables.delete(name),
      });
      deleted.add(name);
    } catch (error) {
      if (error instanceof SkippedError) left.add(name);
      else if (error instanceof NotFoundError) deleted.add(name);
      else if (error instanceof ResponseShapeError) unclear.set(name, error);
      else if (error instanceof PreviewenvError) failed.set(name, error.message);
      else throw error;
    }
  });
  for (const [name, reason] of await stillThere(ctx, environmentId, unclear))
    if (reason === undefined) deleted.add(name);
    else failed.set(name, reason);
  if (left.size > 0)
    ctx.log.info(`environment ${environmentId}: ${nameList(left)} not deleted, another resource declares it now`);
  return { deleted, left, failed };
}

/** Of names whose DELETE had an answer that may not be the service's: why each may still be there, if it may. */
async function stillThere(
  ctx: Context,
  environmentId: string,
  unclear: ReadonlyMap<string, ResponseShapeError>,
): Promise<ReadonlyMap<string, string | undefined>> {
  if (unclear.size === 0) return new Map();
  try {
    const listed = new Set((await listUnlessGone(ctx, environmentId))?.map(({ name }) => name));
    return new Map(
      [...unclear].map(([name, { message }]) => [
        name,
        listed.has(name) ? `${message} The variable is still there${hintFor(name)}.` : undefined,
      ]),
    );
  } catch (failure) {
    if (!(failure instanceof PreviewenvError)) throw failure;
    const text = `The list of variables could not be read to see whether it is gone: ${failure.message}`;
    return new Map([...unclear].map(([name, { message }]) => [name, `${message} ${text}`]));
  }
}

/** The usual reason why a way to the service carries other names, and not this one. */
function hintFor(name: string): string {
  return name.includes("/") ? "; its name has a `/`, sent as `%2F`, which some proxies refuse: let them pass it" : "";
}

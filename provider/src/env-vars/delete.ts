import { NotFoundError, PreviewenvError, ResponseShapeError, SkippedError } from "../client/errors";
import type { Context } from "../framework/context";
import { nameList } from "../client/error-text";
import { forEachConcurrently } from "../client/concurrency";
import { listUnlessGone } from "../environment/variables";
import type { Writing } from "./write";

/** More wait than the client sends at once. Thousands that wait on one signal would cost the square of their number. */
const AT_ONCE = 256;

/**
 * Deletes variables by name; the client bounds how many at once. The specification: 404 when the environment or the
 * variable is unknown, and both mean that nothing is left to delete. Another answer than these and 204 may be of
 * a gateway, so that a read of the variables decides.
 */
export async function deleteVariables(
  { ctx, environmentId, outcome }: Pick<Writing, "ctx" | "environmentId" | "outcome">,
  names: readonly string[],
): Promise<void> {
  const { variables, builds } = ctx.environment(environmentId);
  const left = new Set<string>();
  const unclear = new Map<string, ResponseShapeError>();
  // Two states may have a name when a run before this one was interrupted: one request is enough.
  for (const name of names) if (variables.isConfirmedDeleted(name)) outcome.deleted.add(name);
  const present = names.filter((name) => !outcome.deleted.has(name));
  await forEachConcurrently(present, AT_ONCE, async (name) => {
    builds.noteVariableChange();
    try {
      // Requests wait for their turn, and meanwhile the engine asks about further resources: one of them may have the name.
      const shouldSend = (): boolean => variables.delete(name);
      await ctx.client.envVars.delete(environmentId, name, { signal: ctx.signal, shouldSend });
      outcome.deleted.add(name);
    } catch (error) {
      if (error instanceof SkippedError) left.add(name);
      else if (error instanceof NotFoundError) outcome.deleted.add(name);
      else if (error instanceof ResponseShapeError) unclear.set(name, error);
      else if (error instanceof PreviewenvError) outcome.failed.set(name, error.message);
      else throw error;
    }
  });
  for (const [name, reason] of await stillThere(ctx, environmentId, unclear))
    if (reason === undefined) outcome.deleted.add(name);
    else outcome.failed.set(name, reason);
  for (const name of left) outcome.left.add(name);
  for (const name of outcome.deleted) variables.confirmDeleted(name);
  if (left.size > 0)
    ctx.log.info(
      `environment ${environmentId}: ${nameList(left)} not deleted, because another resource of the program declares this now`,
    );
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

/** The usual reason why requests with other names reach the service, and those with this one do not. */
function hintFor(name: string): string {
  return name.includes("/") ? "; its name has a `/`, sent as `%2F`, which some proxies refuse: let them pass it" : "";
}

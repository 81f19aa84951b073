import { NotFoundError, PreviewenvError, ResponseShapeError, SkippedError } from "../client/errors";
import type { Context } from "../framework/context";
import { nameList } from "../client/error-text";
import { forEachConcurrently } from "../client/concurrency";
import type { Deleter } from "../framework/environment-session";
import { listUnlessGone, readOrWarn } from "../environment/variables";
import { isWrittenSince, type KnownVariable } from "./variable";
import type { Writing } from "./write";

/** More wait than the client sends at once. Thousands that wait on one signal would cost the square of their number. */
const AT_ONCE = 256;

/** Names to delete from an environment, and who asks. */
export interface Removal extends Pick<Writing, "ctx" | "environmentId" | "outcome"> {
  readonly by: Deleter;
}

/**
 * Deletes variables; the client bounds how many at once. The specification: 404 when the environment or the variable is unknown.
 * The variables were seen a moment before, so that after any other answer than 204 a read of the variables decides.
 *
 * It deletes only what this stack has seen: what somebody has written since stays, and a warning names it.
 */
export async function deleteVariables(removal: Removal, removed: readonly KnownVariable[]): Promise<void> {
  const { ctx, environmentId, outcome, by } = removal;
  const { variables, builds } = ctx.environment(environmentId);
  const unclear = new Map<string, PreviewenvError>();
  // Two states may have a name when a run before this one was interrupted: one request is enough.
  for (const { name } of removed) if (variables.isConfirmedDeleted(name)) outcome.deleted.add(name);
  const due = await seenByThisStack(removal, removed);
  await forEachConcurrently(due, AT_ONCE, async ({ name }) => {
    builds.noteVariableChange();
    try {
      // Requests wait for their turn, and meanwhile the engine asks about further resources: one of them may have the name.
      const shouldSend = (): boolean => variables.delete(name, by);
      await ctx.client.envVars.delete(environmentId, name, { signal: ctx.signal, shouldSend });
      outcome.deleted.add(name);
    } catch (error) {
      if (error instanceof SkippedError) leave(removal, name);
      else if (error instanceof NotFoundError || error instanceof ResponseShapeError) unclear.set(name, error);
      else if (error instanceof PreviewenvError) outcome.failed.set(name, error.message);
      else throw error;
    }
  });
  for (const [name, reason] of await stillThere(ctx, environmentId, unclear))
    if (reason === undefined) outcome.deleted.add(name);
    else outcome.failed.set(name, reason);
  for (const name of outcome.deleted) variables.confirmDeleted(name);
  report(removal, removed);
}

/**
 * The variables to delete: those that no other resource wants, that are there, and that nobody has written since this stack last
 * saw them. One read that all resources of the run share; none when others want all of them.
 */
async function seenByThisStack(removal: Removal, removed: readonly KnownVariable[]): Promise<readonly KnownVariable[]> {
  const { ctx, environmentId, outcome, by } = removal;
  const { variables } = ctx.environment(environmentId);
  const open = removed.filter(({ name }) => !outcome.deleted.has(name));
  const [left, due] = partition(open, ({ name }) => variables.isLeft(name, by));
  for (const { name } of left) leave(removal, name);
  if (due.length === 0) return [];
  try {
    const found = await readOrWarn(ctx, environmentId, by === "resource" ? "deleting" : "reading");
    const [there, gone] = partition(due, ({ name }) => found?.has(name) === true);
    for (const { name } of gone) outcome.deleted.add(name);
    const [written, seen] = partition(there, (one) => isWrittenSince(one, found?.get(one.name)));
    for (const { name } of written) outcome.writtenSince.add(name);
    if (by === "update") return seen;
    // Its new owner may have taken it over without a write, or in another process.
    const [given, own] = partition(seen, ({ isGiven = false }) => isGiven);
    for (const { name } of given) outcome.given.add(name);
    warnOfGiven(removal, given);
    return own;
  } catch (error) {
    if (!(error instanceof PreviewenvError)) throw error;
    for (const { name } of due) outcome.failed.set(name, error.message);
    return [];
  }
}

function warnOfGiven({ ctx, environmentId }: Removal, given: readonly KnownVariable[]): void {
  if (given.length === 0) return;
  const [it, stays] = given.length === 1 ? ["it", "stays"] : ["them", "stay"];
  ctx.log.warn(
    `environment ${ctx.client.titleOf(environmentId)}: ${nameList(given.map(({ name }) => name))} ${stays}, because an earlier \`pulumi up\` has left ${it} to ` +
      `another resource of the program. If no resource has ${it}, delete ${it} in the dashboard.`,
  );
}

function partition<T>(items: readonly T[], holds: (item: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [items.filter(holds), items.filter((item) => !holds(item))];
}

/** Another resource has the name, or is going to write it. */
function leave({ ctx, environmentId, outcome }: Removal, name: string): void {
  const { variables } = ctx.environment(environmentId);
  if (variables.isTaken(name)) outcome.left.add(name);
  else {
    outcome.given.add(name);
    variables.give([name]);
  }
}

/** Says what was not deleted, and why. Names that an earlier run has given away are no news. */
function report({ ctx, environmentId, outcome, by }: Removal, removed: readonly KnownVariable[]): void {
  const namesIn = (names: ReadonlySet<string>): readonly string[] =>
    removed.flatMap(({ name, isGiven = false }) => (names.has(name) && !isGiven ? [name] : []));
  const left = namesIn(new Set([...outcome.left, ...outcome.given]));
  if (left.length > 0)
    ctx.log.info(
      `environment ${ctx.client.titleOf(environmentId)}: ${nameList(left)} not deleted, because another resource of the program declares this now`,
    );
  const written = namesIn(outcome.writtenSince);
  if (written.length === 0) return;
  const [it, was] = written.length === 1 ? ["it", "it was"] : ["them", "they were"];
  const advice =
    by === "update"
      ? `To delete ${it}, run \`pulumi up --refresh\`. To keep ${it}, declare \`existing()\` as the value for one \`pulumi up\`.`
      : `If nobody needs ${it}, delete ${it} in the dashboard. (The same command with \`--refresh\` would have deleted ${it}.)`;
  ctx.log.warn(
    `environment ${ctx.client.titleOf(environmentId)}: ${nameList(written)} not deleted, because ${was} written by somebody else since this stack ` +
      `last saw ${it}. ${advice}`,
  );
}

/** Of names whose DELETE had an answer that may not be the service's: why each may still be there, if it may. */
async function stillThere(
  ctx: Context,
  environmentId: string,
  unclear: ReadonlyMap<string, PreviewenvError>,
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

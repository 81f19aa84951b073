import { forEachConcurrently } from "../client/concurrency";
import { nameList } from "../client/error-text";
import { NotFoundError, PreviewenvError, ResponseShapeError, SkippedError } from "../client/errors";
import { listVariables, readShared, unlessAbsent } from "../environment/variables";
import type { Context } from "../framework/context";
import type { Deleter, OwnedNames } from "../run/owned-names";
import type { VariablesByName } from "../run/shared-variables";
import { isRemoval } from "./plan";
import type { Done, Order, Result } from "./result";
import { isWrittenSince, type StoredVariable } from "./variable";

/** More wait than the client sends at once. Thousands that wait on one signal would cost the square of their number. */
const AT_ONCE = 256;

/**
 * Deletes variables; the client bounds how many at once. The specification: 404 when the environment or the variable is unknown.
 * The variables were seen a moment before, so that after any other answer than 204 a read of the variables decides.
 *
 * It deletes only what this stack has seen: what somebody has written since stays, and a warning names it.
 */
export async function deleteVariables(order: Order, { steps, results }: Done): Promise<void> {
  const { ctx, environmentId, by } = order;
  const removed = steps.filter(isRemoval).map(({ stored }) => stored);
  const environment = ctx.environment(environmentId);
  const { variables } = environment;
  const unclear = new Map<string, PreviewenvError>();
  await forEachConcurrently(await dueIn(order, results, removed), AT_ONCE, async ({ name }) => {
    environment.haveVariablesChanged = true;
    try {
      // Requests wait for their turn, and meanwhile the engine asks about further resources: one of them may have the name.
      const shouldSend = (): boolean => variables.claimDelete(name, by);
      await ctx.client.envVars.delete(environmentId, name, { signal: ctx.signal, shouldSend });
      results.set(name, { is: "deleted" });
    } catch (error) {
      if (error instanceof SkippedError) results.set(name, whyNotDeleted(variables, name));
      else if (error instanceof NotFoundError || error instanceof ResponseShapeError) unclear.set(name, error);
      else if (error instanceof PreviewenvError) results.set(name, { is: "failed", reason: error.message });
      else throw error;
    }
  });
  for (const [name, result] of await lookAgain(ctx, environmentId, unclear)) results.set(name, result);
  sayWhatStays(order, results, removed);
}

/**
 * The variables to delete: those that no other resource wants, that are there, and that nobody has written since this stack last
 * saw them. One read that all resources of the run share; none when others want all of them.
 */
async function dueIn(
  { ctx, environmentId, by }: Order,
  results: Done["results"],
  removed: readonly StoredVariable[],
): Promise<readonly StoredVariable[]> {
  const { variables } = ctx.environment(environmentId);
  for (const { name } of removed) if (variables.mustStay(name, by)) results.set(name, whyNotDeleted(variables, name));
  const open = removed.filter(({ name }) => !results.has(name));
  if (open.length === 0) return [];
  try {
    const read = await readShared(ctx, environmentId, by === "resource" ? "deleting" : "reading");
    const listed = unlessAbsent(ctx, environmentId, read);
    for (const variable of open) {
      const result = withoutRequest(variable, listed, by);
      if (result !== undefined) results.set(variable.name, result);
    }
  } catch (error) {
    if (!(error instanceof PreviewenvError)) throw error;
    for (const { name } of open) results.set(name, { is: "failed", reason: error.message });
  }
  return open.filter(({ name }) => !results.has(name));
}

/** What becomes of a variable for which the list shows that there is nothing to delete. */
function withoutRequest(
  variable: StoredVariable,
  listed: VariablesByName | undefined,
  by: Deleter,
): Result | undefined {
  const there = listed?.get(variable.name);
  if (there === undefined) return { is: "deleted" };
  if (isWrittenSince(variable, there)) return { is: "written since" };
  // Its new owner may have taken it over without a write, or in another process.
  return by === "resource" && variable.is === "given" ? { is: "declared by another" } : undefined;
}

/** Another resource has the name, or is going to write it. */
function whyNotDeleted(variables: OwnedNames, name: string): Result {
  if (variables.resultOf(name) === "taken") return { is: "owned by another" };
  variables.give([name]);
  return { is: "declared by another" };
}

/** What became of names whose DELETE had an answer that may not be the service's. */
async function lookAgain(
  ctx: Context,
  environmentId: string,
  unclear: ReadonlyMap<string, PreviewenvError>,
): Promise<readonly (readonly [string, Result])[]> {
  if (unclear.size === 0) return [];
  const failed = (text: string): Result => ({ is: "failed", reason: text });
  try {
    const read = await listVariables(ctx, environmentId);
    const listed = new Set(typeof read === "string" ? [] : read.variables.map(({ name }) => name));
    return [...unclear].map(([name, { message }]) => [
      name,
      listed.has(name) ? failed(`${message} The variable is still there.`) : { is: "deleted" },
    ]);
  } catch (failure) {
    if (!(failure instanceof PreviewenvError)) throw failure;
    const text = `The list of variables could not be read to see whether it is gone: ${failure.message}`;
    return [...unclear].map(([name, { message }]) => [name, failed(`${message} ${text}`)]);
  }
}

/** Says what was not deleted, and why. */
function sayWhatStays(
  { ctx, environmentId, by }: Order,
  results: Done["results"],
  removed: readonly StoredVariable[],
): void {
  const place = `environment ${ctx.client.titleOf(environmentId)}`;
  // What an earlier run has given away is no news.
  const own = removed.filter(({ is }) => is !== "given");
  const namesOf = (...kinds: readonly (Result["is"] | undefined)[]): readonly string[] =>
    own.flatMap(({ name }) => (kinds.includes(results.get(name)?.is) ? [name] : []));
  const left = namesOf("owned by another", "declared by another");
  if (left.length > 0)
    ctx.log.info(`${place}: ${nameList(left)} not deleted, because another resource of the program declares this now`);
  const written = namesOf("written since");
  if (written.length === 0) return;
  const [it, was] = written.length === 1 ? ["it", "it was"] : ["them", "they were"];
  const advice =
    by === "update"
      ? `To delete ${it}, run \`pulumi up --refresh\`. To keep ${it}, declare \`existing()\` as the value for one \`pulumi up\`.`
      : `If nobody needs ${it}, delete ${it} in the dashboard. (The same command with \`--refresh\` would have deleted ${it}.)`;
  ctx.log.warn(
    `${place}: ${nameList(written)} not deleted, because ${was} written by somebody else since this stack last saw ${it}. ${advice}`,
  );
}

import { forEachConcurrently } from "../client/concurrency";
import { nameList } from "../client/error-text";
import { CancelledError, NotFoundError, PreviewenvError, ResponseShapeError, SkippedError } from "../client/errors";
import { listVariables, readShared, presentOrWarn } from "../environment/variables";
import type { Context } from "../framework/context";
import { IncompleteError } from "../framework/errors";
import type { Deleter, OwnedNames } from "../run/owned-names";
import { isRemoval, plan } from "./plan";
import { isWrittenSince, type StoredVariable } from "./variable";
import { failuresIn, failureText, type Result, type Results, variableCount } from "./write-result";

/** More wait than the client sends at once. Thousands that wait on one signal would cost the square of their number. */
const AT_ONCE = 256;

const NOT_TAKEN =
  "another resource declares it and could not write it, so it is not deleted yet: solve the error of that resource first";

/**
 * Deletes the variables of a resource that is deleted.
 * @throws IncompleteError that lists the names that are still there.
 */
export async function deleteAllOf(
  ctx: Context,
  environmentId: string,
  stored: ReadonlyMap<string, StoredVariable>,
): Promise<void> {
  const { variableOwnership, variableLock } = ctx.environment(environmentId);
  using _names = await variableLock.hold(stored.keys(), ctx.signal);
  const removed = plan(stored, [], false, variableOwnership).filter(isRemoval);
  const results = await deleteVariables(
    ctx,
    environmentId,
    removed.map((step) => step.stored),
    "delete",
  );
  const notTaken = [...results].filter(([name, { outcome }]) => {
    const isLeft = outcome === "owned by another" || outcome === "declared by another";
    return isLeft && variableOwnership.resultOf(name) === "failed";
  });
  const failed = new Map([...failuresIn(results), ...notTaken.map(([name]) => [name, NOT_TAKEN] as const)]);
  if (failed.size === 0) return;
  const count = variableCount(removed.length);
  const summary = `${failed.size} of ${count} of environment ${ctx.client.titleOf(environmentId)} could not be deleted`;
  const text = failureText(summary, failed);
  throw ctx.signal.aborted ? new CancelledError(text, true) : new IncompleteError(text);
}

/**
 * Deletes variables. The client bounds how many at once. It deletes only what this stack has seen: what somebody has written since
 * stays, and a warning names it.
 */
export async function deleteVariables(
  ctx: Context,
  environmentId: string,
  removed: readonly StoredVariable[],
  by: Deleter,
): Promise<Results> {
  const { variableOwnership, variableCache } = ctx.environment(environmentId);
  const results = new Map<string, Result>();
  for (const { name } of removed)
    if (variableOwnership.mustStay(name, by)) results.set(name, whyNotDeleted(variableOwnership, name));
  const candidates = removed.filter(({ name }) => !results.has(name));
  for (const [name, result] of await compareWithList(ctx, environmentId, candidates, by)) results.set(name, result);
  const due = candidates.filter(({ name }) => !results.has(name));
  for (const [name, result] of await sendDeletes(ctx, environmentId, due, by)) results.set(name, result);
  for (const [name, { outcome }] of results) {
    if (outcome === "deleted") variableCache.merge(name, undefined);
    else if (outcome === "failed") variableCache.drop();
  }
  sayWhatStays(ctx, environmentId, removed, results, by);
  return results;
}

/** Another resource has the name, or is going to write it. */
function whyNotDeleted(variables: OwnedNames, name: string): Result {
  if (variables.resultOf(name) === "taken") return { outcome: "owned by another" };
  variables.handOver([name]);
  return { outcome: "declared by another" };
}

/**
 * Finds what needs no DELETE: what is not there any more, and what somebody has written since this stack last saw it. One read that all
 * resources of the run share. None when others want all of them.
 */
async function compareWithList(
  ctx: Context,
  environmentId: string,
  candidates: readonly StoredVariable[],
  by: Deleter,
): Promise<Results> {
  if (candidates.length === 0) return new Map();
  try {
    const read = await readShared(ctx, environmentId, by === "delete" ? "variableCacheForDeletes" : "variableCache");
    const list = presentOrWarn(ctx, environmentId, read);
    const results = candidates.map((variable): [string, Result | undefined] => {
      const listed = list?.get(variable.name);
      if (listed === undefined) return [variable.name, { outcome: "deleted" }];
      if (isWrittenSince(variable, listed)) return [variable.name, { outcome: "written since" }];
      // Its new owner may have taken it over without a write, or in another process.
      const isHandedOver = by === "delete" && variable.kind === "handedOver";
      return [variable.name, isHandedOver ? { outcome: "declared by another" } : undefined];
    });
    return new Map(results.flatMap(([name, result]) => (result === undefined ? [] : [[name, result]])));
  } catch (error) {
    if (!(error instanceof PreviewenvError)) throw error;
    return new Map(candidates.map(({ name }) => [name, { outcome: "failed", reason: error.message }]));
  }
}

/** Sends a DELETE for each variable. An answer that may not be the service's is checked by a read. */
async function sendDeletes(
  ctx: Context,
  environmentId: string,
  due: readonly StoredVariable[],
  by: Deleter,
): Promise<Results> {
  const environment = ctx.environment(environmentId);
  const { variableOwnership } = environment;
  const results = new Map<string, Result>();
  const unclear = new Map<string, string>();
  await forEachConcurrently(due, AT_ONCE, async ({ name }) => {
    environment.haveVariablesChanged = true;
    try {
      // Requests wait for their turn, and meanwhile the engine asks about further resources: one of them may have the name.
      const shouldSend = (): boolean => variableOwnership.claimDelete(name, by);
      await ctx.client.envVars.delete(environmentId, name, { signal: ctx.signal, shouldSend });
      results.set(name, { outcome: "deleted" });
    } catch (error) {
      if (error instanceof SkippedError) results.set(name, whyNotDeleted(variableOwnership, name));
      else if (error instanceof NotFoundError || error instanceof ResponseShapeError) unclear.set(name, error.message);
      else if (error instanceof PreviewenvError) results.set(name, { outcome: "failed", reason: error.message });
      else throw error;
    }
  });
  return unclear.size === 0 ? results : new Map([...results, ...(await checkByList(ctx, environmentId, unclear))]);
}

/** What became of names whose DELETE had an answer that may not be the service's, with the answer as the text for each. */
async function checkByList(
  ctx: Context,
  environmentId: string,
  unclear: ReadonlyMap<string, string>,
): Promise<Results> {
  const names = new Set<string>();
  let problem = "The variable is still there.";
  try {
    const read = await listVariables(ctx, environmentId);
    for (const { name } of typeof read === "string" ? [] : read.variables) names.add(name);
  } catch (error) {
    if (!(error instanceof PreviewenvError)) throw error;
    problem = `The list of variables could not be read to see whether it is gone: ${error.message}`;
    for (const name of unclear.keys()) names.add(name);
  }
  const resultOf = (name: string, answer: string): Result =>
    names.has(name) ? { outcome: "failed", reason: `${answer} ${problem}` } : { outcome: "deleted" };
  return new Map([...unclear].map(([name, answer]) => [name, resultOf(name, answer)]));
}

/** Says what was not deleted, and why. */
function sayWhatStays(
  ctx: Context,
  environmentId: string,
  removed: readonly StoredVariable[],
  results: Results,
  by: Deleter,
): void {
  const place = `environment ${ctx.client.titleOf(environmentId)}`;
  // What an earlier run has given away is no news.
  const own = removed.filter(({ kind }) => kind !== "handedOver");
  const namesOf = (...outcomes: readonly (Result["outcome"] | undefined)[]): readonly string[] =>
    own.flatMap(({ name }) => (outcomes.includes(results.get(name)?.outcome) ? [name] : []));
  const leftToOthers = namesOf("owned by another", "declared by another");
  if (leftToOthers.length > 0)
    ctx.log.info(
      `${place}: ${nameList(leftToOthers)} not deleted, because another resource of the program declares this now`,
    );
  const written = namesOf("written since");
  if (written.length === 0) return;
  const [it, was] = written.length === 1 ? ["it", "it was"] : ["them", "they were"];
  const advice =
    by === "delete"
      ? `If nobody needs ${it}, delete ${it} in the dashboard. (The same command with \`--refresh\` would have deleted ${it}.)`
      : `To delete ${it}, run \`pulumi up --refresh\`. To keep ${it}, declare \`existing()\` as the value for one \`pulumi up\`.`;
  ctx.log.warn(
    `${place}: ${nameList(written)} not deleted, because ${was} written by somebody else since this stack last saw ${it}. ${advice}`,
  );
}

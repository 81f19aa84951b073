import { forEachConcurrently } from "../client/concurrency";
import {
  CancelledError,
  NotFoundError,
  PreviewenvError,
  ResponseShapeError,
  UndocumentedNotFoundError,
} from "../client/errors";
import { listVariables, presentOrWarn, readShared } from "../environment/variables";
import type { SharedVariables, VariablesByName } from "../run/shared-variables";
import type { Context } from "../framework/context";
import { IncompleteError } from "../framework/resource-errors";
import {
  type DoneStep,
  failureText,
  type Result,
  type Results,
  variableCount,
  whyNotDone,
  withResults,
} from "./results";
import { decideRemovals, foundInRun, isRemoval, plan, type VariableStep } from "./steps";
import { lookedUpTexts, sayWhatMayStay, sayWhatStays } from "./staying-variables";
import type { StoredVariable } from "./variable";

/** More wait than the client sends at once. Thousands that wait on one signal would cost the square of their number. */
const AT_ONCE = 256;

/** The engine stores nothing of a delete that fails: a plain `up` would find what state still has unchanged. */
const HALF_DELETED =
  "Run the command again. To keep the resource instead, run `pulumi up --refresh`: state still has what was deleted.";

/**
 * Deletes the variables of a resource that is deleted.
 * @throws IncompleteError that lists the names that are still there.
 */
export async function deleteAllOf(
  ctx: Context,
  environmentId: string,
  stored: ReadonlyMap<string, StoredVariable>,
): Promise<void> {
  const { variableLock, variableCacheForDeletes } = ctx.environment(environmentId);
  using _lock = await variableLock.lock(stored.keys(), ctx.signal);
  const steps = plan({ stored, declared: [], isTriggered: false, isImported: false, kept: new Set() }, undefined);
  const removed = await deleteVariables(ctx, environmentId, steps, variableCacheForDeletes);
  // Also in a destroy that runs the program: the provider cannot tell it from an `up` that puts a `get` in the place of the resource.
  for (const text of lookedUpTexts(ctx, environmentId, removed)) ctx.log.warn(text);
  const failed = whyNotDone(removed);
  if (failed.size === 0) return;
  const count = variableCount(removed.length);
  const summary = `${failed.size} of ${count} of environment ${ctx.client.titleOf(environmentId)} could not be deleted`;
  const text = failureText(`${summary}. ${HALF_DELETED}`, failed);
  throw ctx.signal.aborted ? new CancelledError(text, true) : new IncompleteError(text);
}

/**
 * Deletes the variables of the removals among the steps, while the caller holds their names. It is decided once for each of them, by what
 * the run knows and by one list read that all resources of the run share. A name that another resource of the program has stays. So does
 * one that somebody has written since this stack last saw it, and a warning names it. One that a failed resource may have declared is an error.
 */
export async function deleteVariables(
  ctx: Context,
  environmentId: string,
  planned: readonly VariableStep[],
  cache: SharedVariables,
): Promise<readonly DoneStep[]> {
  const inRun = ctx.environment(environmentId);
  const { names, variableCache } = inRun;
  const removals = planned.filter(isRemoval);
  let steps: readonly VariableStep[];
  let list: VariablesByName | undefined;
  try {
    // It is not read when the run decides about all of the names.
    const isRead = removals.some((step) => foundInRun(step, inRun) === undefined);
    if (isRead) list = presentOrWarn(ctx, environmentId, await readShared(ctx, environmentId, cache));
    steps = decideRemovals(removals, list, inRun);
  } catch (error) {
    if (!(error instanceof PreviewenvError)) throw error;
    const { message: reason } = error;
    return removals.map((step) => ({ ...step, result: { outcome: "failed", reason } }));
  }
  const due = steps.filter(({ action }) => action === "delete");
  for (const { name } of due) names.noteDeleted(name);
  const results = await sendDeletes(ctx, environmentId, due);
  for (const [name, { outcome }] of results) {
    if (outcome === "failed") variableCache.drop();
    else variableCache.merge(name, undefined);
  }
  sayWhatStays(ctx, environmentId, steps);
  sayWhatMayStay(ctx, environmentId, steps);
  return withResults(steps, results);
}

/**
 * Sends a DELETE for each variable. A 404 or an undocumented answer is checked by a read. A 404 for a variable that the list lacked needs no
 * such check: both say that it is gone.
 */
async function sendDeletes(ctx: Context, environmentId: string, due: readonly VariableStep[]): Promise<Results> {
  const results = new Map<string, Result>();
  const unclear = new Map<string, string>();
  await forEachConcurrently(due, AT_ONCE, async ({ name, facts: { found } }) => {
    try {
      await ctx.client.envVars.delete(environmentId, name, { signal: ctx.signal });
      results.set(name, { outcome: "deleted" });
    } catch (error) {
      const isNotFound = error instanceof NotFoundError || error instanceof UndocumentedNotFoundError;
      if (isNotFound && found === "unlisted") results.set(name, { outcome: "gone" });
      else if (isNotFound || error instanceof ResponseShapeError) unclear.set(name, error.message);
      else if (error instanceof PreviewenvError) results.set(name, { outcome: "failed", reason: error.message });
      else throw error;
    }
  });
  return unclear.size === 0 ? results : new Map([...results, ...(await checkByList(ctx, environmentId, unclear))]);
}

/** The results for names whose DELETE is checked by a read, with its answer as the text for each. */
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

import { forEachConcurrently } from "../client/concurrency";
import { nameList } from "../client/error-text";
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
import type { Properties } from "../framework/properties";
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
import { decideRemovals, foundInRun, isRemoval, namesFound, plan, type VariableStep } from "./steps";
import { prunes } from "./env-var-set-state";
import type { StoredVariable } from "./variable";
import { see } from "../client/troubleshooting";

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

/** Says which variables leave state, and stay on the service because of `keep`. */
export function keptTexts(ctx: Context, environmentId: string, steps: readonly VariableStep[]): readonly string[] {
  const names = steps.flatMap(({ name, facts: { inState } }) => (inState === "kept" ? [name] : []));
  if (names.length === 0) return [];
  return [
    `environment ${ctx.client.titleOf(environmentId)}: not deleted, because \`keep\` matches: ${nameList(names)}`,
  ];
}

/** Says which variables leave state, and stay on the service because the program looks at them. */
export function lookedUpTexts(ctx: Context, environmentId: string, steps: readonly VariableStep[]): readonly string[] {
  const lookedUp = namesFound(steps, "lookedUp");
  if (lookedUp.length === 0) return [];
  const them = lookedUp.length === 1 ? "it" : "them";
  return [
    `environment ${ctx.client.titleOf(environmentId)}: ${nameList(lookedUp)} not deleted, because the program looks at ${them} with \`get\`. ` +
      `State forgets ${them}, unless another resource declares ${them}. What nobody needs, delete in the dashboard.`,
  ];
}

/** Why a variable stays on the service at first, although its set prunes, by what state has of it. The text goes on with `it` or `them`. */
const LEFT_AT_FIRST = [
  ["existing", "the program declared `existing()` for"],
  ["imported", "this run has only imported"],
] as const;

/** Says which variables leave state, and stay on the service until a later update with `prune` deletes them. It never deletes what a `get` names. */
export function prunedLaterTexts(
  ctx: Context,
  environmentId: string,
  steps: readonly VariableStep[],
  inputs: Properties,
): readonly string[] {
  const { names } = ctx.environment(environmentId);
  const pruned = steps.filter(({ name }) => prunes(inputs, name) && !names.isLookedUp(name));
  return LEFT_AT_FIRST.flatMap(([inState, reason]) => {
    const left = pruned.flatMap(({ name, facts }) => (facts.inState === inState ? [name] : []));
    if (left.length === 0) return [];
    const them = left.length === 1 ? "it" : "them";
    return [
      `environment ${ctx.client.titleOf(environmentId)}: ${nameList(left)} not deleted yet, because ${reason} ${them}. State forgets ${them}, and ` +
        `\`prune\` ${deletesLater(them)}`,
    ];
  });
}

/** What `prune` does to variables that state forgets. */
function deletesLater(them: string): string {
  return `deletes ${them} after the next refresh, unless you declare ${them} or add ${them} to \`keep\`.`;
}

/** Says what was not deleted, and why. */
function sayWhatStays(ctx: Context, environmentId: string, steps: readonly VariableStep[]): void {
  const place = `environment ${ctx.client.titleOf(environmentId)}`;
  const inUse = namesFound(steps, "inUse");
  if (inUse.length > 0)
    ctx.log.info(
      `${place}: not deleted, because another resource of the program, or the replacement of this one, declares it now: ${nameList(inUse)}`,
    );
  const changed = namesFound(steps, "changed");
  if (changed.length === 0) return;
  const [it, was] = changed.length === 1 ? ["it", "it was"] : ["them", "they were"];
  ctx.log.warn(
    `${place}: ${nameList(changed)} not deleted, because ${was} written since this stack last saw ${it}, by somebody else or by another ` +
      `resource. State forgets ${it}: if nobody needs ${it}, delete ${it} in the dashboard. A set with \`prune\` ${deletesLater(it)} ` +
      see("not-deleted"),
  );
}

/** The service may have stored the variable under another form of its name. That may also be somebody else's. */
function sayWhatMayStay(ctx: Context, environmentId: string, steps: readonly VariableStep[]): void {
  const { names } = ctx.environment(environmentId);
  const others = steps
    .flatMap(({ facts: { found }, listed }) => (found === "alike" && listed ? [listed.name] : []))
    .filter((name) => !names.isInUse(name) && !names.isLookedUp(name));
  if (others.length === 0) return;
  const [it, name] = others.length === 1 ? ["it", "its name"] : ["them", "their names"];
  ctx.log.warn(
    `environment ${ctx.client.titleOf(environmentId)}: ${nameList(others)} not deleted. This stack may have written ` +
      `${it} under another form of ${name}: then delete ${it} in the dashboard.`,
  );
}

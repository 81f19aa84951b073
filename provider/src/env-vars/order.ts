import type { EnvVar } from "../client/env-vars";
import { CancelledError } from "../client/errors";
import { absenceError } from "../environment/gone";
import { readShared } from "../environment/variables";
import type { Context } from "../framework/context";
import type { SharedVariables } from "../run/shared-variables";
import { IncompleteError, RefusedError } from "../framework/errors";
import { baselineOf } from "./answer";
import {
  compare,
  type Comparison,
  blockedIn,
  conflictText,
  ConflictError,
  guardedIn,
  reasonsIn,
  takeOverWarnings,
} from "./comparison";
import { deleteVariables } from "./delete";
import { isComparison, isRemoval, isWrite, plan } from "./plan";
import { failureText, variableCount } from "./report";
import { type Done, namesWith, type Order } from "./result";
import type { StoredVariable } from "./variable";
import { putInBatches } from "./write";

/**
 * Carries out an order. What looks like a conflict may be a value of this stack: a resource that the engine shows a moment later has had
 * the name. So a conflict waits, once, until the engine has probably shown all, without holding its names.
 * @throws ConflictError, RefusedError, MissingError, CancelledError when nothing was done
 */
export async function carryOut(order: Order): Promise<Done> {
  const first = await tryOnce(order);
  if (!(first instanceof ConflictError)) return first;
  const { variables } = order.ctx.environment(order.environmentId);
  await variables.untilQuiet(order.ctx.signal);
  const last = await tryOnce(order);
  if (last instanceof ConflictError) throw last;
  return last;
}

const NOT_TAKEN =
  "another resource declares it and could not write it, so it is not deleted yet: solve the error of that resource first";

/**
 * Deletes the variables of a resource that is deleted.
 * @throws IncompleteError that lists the names that are still there.
 */
export async function deleteAll(
  ctx: Context,
  environmentId: string,
  stored: ReadonlyMap<string, StoredVariable>,
): Promise<void> {
  const done = await carryOut({
    ctx,
    environmentId,
    onConflict: "fail",
    by: "resource",
    stored,
    target: { variables: [] },
  });
  const ownership = ctx.environment(environmentId).variables;
  const failed = new Map(
    [...done.results].flatMap(([name, result]) => {
      if (result.is === "failed") return [[name, result.reason] as const];
      const isNotTaken =
        (result.is === "owned by another" || result.is === "declared by another") &&
        ownership.resultOf(name) === "failed";
      return isNotTaken ? [[name, NOT_TAKEN] as const] : [];
    }),
  );
  if (failed.size === 0) return;
  const variables = variableCount(done.steps.filter(isRemoval).length);
  const summary = `${failed.size} of ${variables} of environment ${ctx.client.titleOf(environmentId)} could not be deleted`;
  const text = failureText(summary, failed);
  throw ctx.signal.aborted ? new CancelledError(text, true) : new IncompleteError(text);
}

/**
 * Carries out an order, from top to bottom, while no other resource of the run writes or deletes its names: or one could take over a name that the
 * other is just deleting. Writes, then deletes, so that no moment lacks a variable that only changed its name or its place.
 * @returns the conflict when nothing was done because of one
 */
async function tryOnce(order: Order): Promise<Done | ConflictError> {
  const { ctx, environmentId, stored, target } = order;
  const session = ctx.environment(environmentId);
  using _held = await session.variableLock.hold(
    [...stored.keys(), ...target.variables.map(({ name }) => name)],
    ctx.signal,
  );
  // Planned now: what other resources did until then counts.
  const steps = plan(stored, target, session.variables);
  const guarded = guardedIn(steps, order.onConflict);
  const mustRead = guarded.length > 0 || steps.some(isComparison);
  const listed = mustRead ? await read(order) : new Map<string, EnvVar>();
  const comparison = compare(steps, guarded, listed, session.variables);
  const refusal = refusalOf(order, comparison);
  if (refusal instanceof ConflictError) return refusal;
  if (refusal !== undefined) throw refusal;
  for (const text of takeOverWarnings(ctx, environmentId, comparison)) ctx.log.warn(text);

  const done: Done = { steps, results: new Map([...blockedIn(steps), ...comparison.decided]), abortedBy: undefined };
  const baseline = baselineOf(stored.values(), guarded, listed);
  const writing = { ctx, environmentId, baseline, done };
  const due = steps.filter(isWrite).map(({ wanted }) => wanted);
  await putInBatches(
    writing,
    due.filter(({ name }) => !comparison.decided.has(name)),
  );
  await rewrite(writing, comparison);
  // Right after the writes: others may wait for these names, and this resource for theirs.
  session.variables.take(ownedNames(done));
  session.variables.fail(namesWith(done, "failed"));
  // An order whose writes were ended early deletes nothing.
  if (done.abortedBy === undefined) await deleteVariables(order, done);
  merge(session.reading, done);
  return done;
}

/** What is there: names may be somebody else's, or values the service's. @throws MissingError */
async function read({ ctx, environmentId }: Order): Promise<ReadonlyMap<string, EnvVar>> {
  const listed = await readShared(ctx, environmentId);
  if (typeof listed === "string") throw absenceError(ctx, environmentId, listed, "Nothing was written.");
  return listed;
}

/** Why nothing may be written. */
function refusalOf({ ctx, environmentId, isCreate = false }: Order, comparison: Comparison): Error | undefined {
  const { conflicts } = comparison;
  if (conflicts.size > 0) return new ConflictError(conflictText(ctx, environmentId, conflicts, "up"));
  const failed = reasonsIn(comparison.decided);
  if (isCreate && failed.size > 0)
    return new RefusedError(
      failureText(`environment ${ctx.client.titleOf(environmentId)}: nothing was written`, failed),
    );
  return ctx.signal.aborted ? new CancelledError("cancelled before anything was sent", false) : undefined;
}

/** Writes variables with `existing()`. Whatever comes of it, their values stay the service's: a destroy must not delete them. */
async function rewrite(writing: Parameters<typeof putInBatches>[0], { rewrites }: Comparison): Promise<void> {
  const { results } = writing.done;
  // Once at most: what the request carries was just read, and somebody else may change it.
  await putInBatches(
    { ...writing, isOnce: true },
    rewrites.map(({ wanted }) => wanted),
  );
  for (const { before } of rewrites) {
    const { name, is, value } = before;
    const result = results.get(name);
    if (result?.is === "failed") results.set(name, { ...result, now: before });
    else if (result?.is === "written") results.set(name, { ...result, now: { ...result.now, is, value } });
  }
}

/** Names that the resource has now, and no other resource's update or delete may take away. */
function ownedNames({ steps, results }: Done): readonly string[] {
  return steps.flatMap(({ name, wanted, stored }) => {
    const result = results.get(name);
    const isWritten = result !== undefined && "now" in result;
    return wanted !== undefined && (isWritten || (stored !== undefined && stored.is !== "given")) ? [name] : [];
  });
}

/** While the names are held: the next reader goes by what was written here. Who deletes a resource goes by a read of its own. */
function merge(reading: SharedVariables, { results }: Done): void {
  for (const [name, result] of results) {
    if (result.is === "deleted") reading.merge(name, undefined);
    else if (result.is === "written" && result.listed !== undefined) reading.merge(name, result.listed);
    else if (result.is === "written" || result.is === "failed") reading.drop();
  }
}

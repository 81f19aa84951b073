import type { EnvVar } from "../client/env-vars";
import { CancelledError } from "../client/errors";
import { absenceError } from "../environment/gone";
import { readShared } from "../environment/variables";
import { RefusedError } from "../framework/errors";
import type { SharedVariables } from "../run/shared-variables";
import { compare, type Comparison, ConflictError, conflictText, needsList, takeOverWarnings } from "./comparison";
import { deleteVariables } from "./delete-variables";
import { plan, type Step } from "./plan";
import { putInBatches, type Writing } from "./put-variables";
import { failureText } from "./report";
import { type Done, failuresIn, type Order } from "./result";
import type { TimesBefore } from "./upsert-answer";

/**
 * Brings variables of an environment to what one resource wants. What looks like a conflict may be a value of this stack: a resource
 * that the engine shows a moment later has had the name. So a conflict waits, once, until the engine has probably shown all, without
 * holding its names.
 * @throws ConflictError, RefusedError, MissingError, CancelledError when nothing was done
 */
export async function changeVariables(order: Order): Promise<Done> {
  const first = await tryOnce(order);
  if (!(first instanceof ConflictError)) return first;
  const { variables } = order.ctx.environment(order.environmentId);
  await variables.untilQuiet(order.ctx.signal);
  const last = await tryOnce(order);
  if (last instanceof ConflictError) throw last;
  return last;
}

/**
 * Plans, compares, writes and deletes, from top to bottom, while no other resource of the run writes or deletes these names: or one
 * could take over a name that the other is just deleting. Writes, then deletes, so that no moment lacks a variable that only changed
 * its name or its resource.
 * @returns the conflict when nothing was done because of one
 */
async function tryOnce(order: Order): Promise<Done | ConflictError> {
  const { ctx, environmentId, onConflict, stored, declared, isTriggered } = order;
  const session = ctx.environment(environmentId);
  using _held = await session.variableLock.hold([...stored.keys(), ...declared.map(({ name }) => name)], ctx.signal);
  // Planned now: what other resources did until then counts.
  const steps = plan(stored, declared, isTriggered, session.variables);
  const listed = needsList(steps, onConflict) ? await list(order) : undefined;
  const comparison = compare(steps, onConflict, listed ?? new Map(), session.variables);
  const refusal = refusalOf(order, steps, comparison);
  if (refusal instanceof ConflictError) return refusal;
  if (refusal !== undefined) throw refusal;
  for (const text of takeOverWarnings(ctx, environmentId, comparison)) ctx.log.warn(text);

  const done: Done = { steps, results: new Map(comparison.decided), abortedBy: undefined };
  const writing = { ctx, environmentId, before: timesBefore(steps, listed), done };
  await putInBatches(writing, comparison.writes);
  await rewrite(writing, comparison);
  // Right after the writes: others may wait for these names, and this resource for theirs.
  session.variables.take(ownedNames(done));
  session.variables.fail(failuresIn(done.results).keys());
  // An order whose writes were ended early deletes nothing.
  if (done.abortedBy === undefined) await deleteVariables(order, done);
  merge(session.reading, done);
  return done;
}

/** What the environment has. @throws MissingError */
async function list({ ctx, environmentId }: Order): Promise<ReadonlyMap<string, EnvVar>> {
  const listed = await readShared(ctx, environmentId);
  if (typeof listed === "string") throw absenceError(ctx, environmentId, listed, "Nothing was written.");
  return listed;
}

/** Why nothing may be written. */
function refusalOf(order: Order, steps: readonly Step[], { conflicts, decided }: Comparison): Error | undefined {
  const { ctx, environmentId, operation } = order;
  if (conflicts.size > 0) return new ConflictError(conflictText(ctx, environmentId, conflicts, "up"));
  const existing = new Set(steps.flatMap(({ what, name }) => (what === "compare" ? [name] : [])));
  const failed = failuresIn([...decided].filter(([name]) => existing.has(name)));
  if (operation === "create" && failed.size > 0)
    return new RefusedError(
      failureText(`environment ${ctx.client.titleOf(environmentId)}: nothing was written`, failed),
    );
  return ctx.signal.aborted ? new CancelledError("cancelled before anything was sent", false) : undefined;
}

/** What was just listed counts, else what state has. A variable without a time tells nothing after the write. */
function timesBefore(steps: readonly Step[], listed: ReadonlyMap<string, EnvVar> | undefined): TimesBefore {
  const times = steps.map(({ name, stored }) => {
    const isAbsent = listed !== undefined && !listed.has(name);
    const updatedAt = listed === undefined ? stored?.updatedAt : listed.get(name)?.updatedAt;
    return { name, updatedAt, isKnown: isAbsent || Boolean(updatedAt) };
  });
  return new Map(times.flatMap(({ name, updatedAt, isKnown }) => (isKnown ? [[name, updatedAt] as const] : [])));
}

/** Writes variables with `existing()`. Whatever comes of it, their values stay the service's: a destroy must not delete them. */
async function rewrite(writing: Writing, { rewrites }: Comparison): Promise<void> {
  const { results } = writing.done;
  await putInBatches(
    writing,
    rewrites.map(({ wanted }) => wanted),
    true,
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

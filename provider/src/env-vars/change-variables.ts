import type { EnvVar } from "../client/env-vars";
import { CancelledError } from "../client/errors";
import { absenceError } from "../environment/existence";
import { readShared } from "../environment/variables";
import { RefusedError } from "../framework/errors";
import type { SharedVariables } from "../run/shared-variables";
import { compare, type Comparison, ConflictError, conflictText, needsList, takeOverWarnings } from "./comparison";
import { deleteVariables } from "./delete-variables";
import { plan, type Step } from "./plan";
import { putInBatches, type Writing } from "./put-variables";
import { failureText } from "./failure-text";
import { type JobOutcome, failuresIn, type VariablesJob } from "./variables-job";
import type { TimesBefore } from "./upsert-answer";

/**
 * Brings variables of an environment to what one resource wants. What looks like a conflict may be a value of this stack: a resource
 * that the engine shows a moment later has had the name. So a conflict waits, once, until the engine has probably shown all, without
 * holding its names.
 * @throws ConflictError, RefusedError, MissingError, CancelledError when nothing was done
 */
export async function changeVariables(job: VariablesJob): Promise<JobOutcome> {
  const first = await tryOnce(job);
  if (!(first instanceof ConflictError)) return first;
  const { variables } = job.ctx.environment(job.environmentId);
  await variables.untilEngineIsQuiet(job.ctx.signal);
  const last = await tryOnce(job);
  if (last instanceof ConflictError) throw last;
  return last;
}

/**
 * Plans, compares, writes and deletes, from top to bottom, while no other resource of the run writes or deletes these names: or one
 * could take over a name that the other is just deleting. Writes, then deletes, so that no moment lacks a variable that only changed
 * its name or its resource.
 * @returns the conflict when nothing was done because of one
 */
async function tryOnce(job: VariablesJob): Promise<JobOutcome | ConflictError> {
  const { ctx, environmentId, onConflict, stored, declared, isTriggered } = job;
  const session = ctx.environment(environmentId);
  using _held = await session.variableLock.hold([...stored.keys(), ...declared.map(({ name }) => name)], ctx.signal);
  // Planned now: what other resources did until then counts.
  const steps = plan(stored, declared, isTriggered, session.variables);
  const listed = needsList(steps, onConflict) ? await list(job) : undefined;
  const comparison = compare(steps, onConflict, listed ?? new Map(), session.variables);
  const refusal = refusalOf(job, steps, comparison);
  if (refusal instanceof ConflictError) return refusal;
  if (refusal !== undefined) throw refusal;
  for (const text of takeOverWarnings(ctx, environmentId, comparison)) ctx.log.warn(text);

  const done: JobOutcome = { steps, results: new Map(comparison.withoutRequest), abortedBy: undefined };
  const writing = { ctx, environmentId, before: timesBefore(steps, listed), done };
  await putInBatches(writing, comparison.writes);
  await rewrite(writing, comparison);
  // Before the deletes: the delete of another resource asks whether this one has taken a name.
  session.variables.take(ownedNames(done));
  session.variables.fail(failuresIn(done.results).keys());
  // An order whose writes were ended early deletes nothing.
  if (done.abortedBy === undefined) await deleteVariables(job, done);
  merge(session.variableCache, done);
  return done;
}

/** What the environment has. @throws MissingError */
async function list({ ctx, environmentId }: VariablesJob): Promise<ReadonlyMap<string, EnvVar>> {
  const listed = await readShared(ctx, environmentId);
  if (typeof listed === "string") throw absenceError(ctx, environmentId, listed, "Nothing was written.");
  return listed;
}

/** Why nothing may be written. */
function refusalOf(
  job: VariablesJob,
  steps: readonly Step[],
  { conflicts, withoutRequest }: Comparison,
): Error | undefined {
  const { ctx, environmentId, operation } = job;
  if (conflicts.size > 0) return new ConflictError(conflictText(ctx, environmentId, conflicts, "up"));
  const existing = new Set(steps.flatMap(({ action, name }) => (action === "compare" ? [name] : [])));
  const failed = failuresIn([...withoutRequest].filter(([name]) => existing.has(name)));
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
    const { name, kind, value } = before;
    const result = results.get(name);
    if (result?.outcome === "failed") results.set(name, { ...result, now: before });
    else if (result?.outcome === "written") results.set(name, { ...result, now: { ...result.now, kind, value } });
  }
}

/** Names that the resource has now, and no other resource's update or delete may take away. */
function ownedNames({ steps, results }: JobOutcome): readonly string[] {
  return steps.flatMap(({ name, wanted, stored }) => {
    const result = results.get(name);
    const isWritten = result !== undefined && "now" in result;
    return wanted !== undefined && (isWritten || (stored !== undefined && stored.kind !== "handedOver")) ? [name] : [];
  });
}

/** While the names are held: the next reader goes by what was written here. Who deletes a resource goes by a read of its own. */
function merge(cache: SharedVariables, { results }: JobOutcome): void {
  for (const [name, result] of results) {
    if (result.outcome === "deleted") cache.merge(name, undefined);
    else if (result.outcome === "written" && result.listed !== undefined) cache.merge(name, result.listed);
    else if (result.outcome === "written" || result.outcome === "failed") cache.drop();
  }
}

import { CancelledError } from "../client/errors";
import { absenceError } from "../environment/existence";
import { readShared } from "../environment/variables";
import type { Context } from "../framework/context";
import { RefusedError } from "../framework/errors";
import type { EnvironmentSession } from "../run/environment-session";
import type { VariablesByName } from "../run/shared-variables";
import { compare, type Comparison, needsList } from "./comparison";
import { ConflictError, conflictText, type OnConflict, takeOverWarnings } from "./conflict";
import { deleteVariables } from "./delete-variables";
import { isRemoval, plan, type VariableStep } from "./plan";
import { putInBatches } from "./put-variables";
import type { TimesBefore } from "./upsert-answer";
import type { StoredVariable, Variable } from "./variable";
import { type ChangedVariables, failuresIn, failureText, type Results } from "./write-result";

/** What one resource wants of the variables of an environment. */
export interface VariablesChange {
  readonly environmentId: string;
  readonly onConflict: OnConflict;
  /** A create writes nothing when a variable that must exist does not. */
  readonly isCreate: boolean;
  /** What state has, by name. */
  readonly stored: ReadonlyMap<string, StoredVariable>;
  readonly declared: readonly Variable[];
  /** Whether every declared variable is written again. */
  readonly isTriggered: boolean;
}

/**
 * Brings variables of an environment to what one resource declares, while no other resource of the run writes or deletes these names.
 * Writes, then deletes, so that no moment lacks a variable that only changed its name or its resource.
 * @throws ConflictError, RefusedError, MissingError, CancelledError when nothing was done
 */
export async function changeVariables(ctx: Context, change: VariablesChange): Promise<ChangedVariables> {
  const { environmentId, onConflict, stored, declared, isTriggered } = change;
  const environment = ctx.environment(environmentId);
  const names = [...stored.keys(), ...declared.map(({ name }) => name)];
  for (let isLastTry = false; ; isLastTry = true) {
    // What looks like a conflict may be a value of a resource that the engine shows a moment later. Nothing is held meanwhile.
    if (isLastTry) await environment.untilEngineIsQuiet(ctx.signal);
    using _names = await environment.variableLock.hold(names, ctx.signal);
    // Planned now: what other resources did until then counts.
    const steps = plan(stored, declared, isTriggered, environment.variableOwnership);
    const list = needsList(steps, onConflict) ? await listToCompare(ctx, environmentId) : undefined;
    const comparison = compare(steps, onConflict, list, environment.variableOwnership);
    const refusal = refusalOf(ctx, change, steps, comparison);
    if (refusal instanceof ConflictError && !isLastTry) continue;
    if (refusal !== undefined) throw refusal;
    for (const text of takeOverWarnings(ctx, environmentId, comparison.takenOverUnseen)) ctx.log.warn(text);
    const put = await putInBatches(ctx, environmentId, comparison.writes, timesBefore(steps, list));
    const written = new Map([...comparison.withoutRequest, ...put.results]);
    noteOwned(environment, steps, written);
    // A change whose writes were ended early deletes nothing.
    const removed = put.endedBy === undefined ? steps.filter(isRemoval).map((step) => step.stored) : [];
    const deleted = await deleteVariables(ctx, environmentId, removed, "update");
    return { steps, results: new Map([...written, ...deleted]), endedBy: put.endedBy };
  }
}

/** What the environment has. @throws MissingError */
async function listToCompare(ctx: Context, environmentId: string): Promise<VariablesByName> {
  const list = await readShared(ctx, environmentId);
  if (typeof list === "string") throw absenceError(ctx, environmentId, list, "Nothing was written.");
  return list;
}

/** Why nothing may be written. */
function refusalOf(
  ctx: Context,
  { environmentId, isCreate }: VariablesChange,
  steps: readonly VariableStep[],
  { conflicts, withoutRequest }: Comparison,
): Error | undefined {
  if (conflicts.size > 0) return new ConflictError(conflictText(ctx, environmentId, conflicts, "up"));
  const existing = new Set(steps.flatMap(({ action, name }) => (action === "compare" ? [name] : [])));
  const failed = failuresIn([...withoutRequest].filter(([name]) => existing.has(name)));
  if (isCreate && failed.size > 0)
    return new RefusedError(
      failureText(`environment ${ctx.client.titleOf(environmentId)}: nothing was written`, failed),
    );
  return ctx.signal.aborted ? new CancelledError("cancelled before anything was sent", false) : undefined;
}

/**
 * When variables were last changed, right before their write. What was just listed counts, else what state has. A variable without a time
 * tells nothing after the write.
 */
function timesBefore(steps: readonly VariableStep[], list: VariablesByName | undefined): TimesBefore {
  const times = steps.flatMap(({ name, stored }) => {
    const updatedAt = list === undefined ? stored?.updatedAt : list.get(name)?.updatedAt;
    const isAbsent = list !== undefined && !list.has(name);
    return isAbsent || Boolean(updatedAt) ? [[name, updatedAt] as const] : [];
  });
  return new Map(times);
}

/**
 * Notes the names that the resource has now, so that no other resource's update or delete takes them away, and those that it could not
 * write. Before the deletes: the delete of another resource asks whether this one has taken a name.
 */
function noteOwned({ variableOwnership }: EnvironmentSession, steps: readonly VariableStep[], written: Results): void {
  const owned = steps.flatMap(({ name, declared, stored }) => {
    const result = written.get(name);
    const isWritten = result !== undefined && "now" in result;
    const isOwned = isWritten || (stored !== undefined && stored.kind !== "handedOver");
    return declared !== undefined && isOwned ? [name] : [];
  });
  variableOwnership.take(owned);
  variableOwnership.fail(failuresIn(written).keys());
}

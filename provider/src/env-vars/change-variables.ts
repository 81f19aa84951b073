import { CancelledError } from "../client/errors";
import { absenceError } from "../environment/existence";
import { readShared } from "../environment/variables";
import type { Context } from "../framework/context";
import { RefusedError } from "../framework/errors";
import type { VariablesByName } from "../run/shared-variables";
import { compare, type Comparison, needsList } from "./comparison";
import { conflictText, type OnConflict, takeOverWarnings } from "./conflict";
import { otherFormWarnings } from "./contradiction";
import { deleteVariables } from "./delete-variables";
import { isRemoval, plan, type VariableStep, type Wanted } from "./plan";
import { putInBatches } from "./put-variables";
import type { TimesBefore } from "./upsert-answer";
import { hiddenValues } from "./variable";
import { type ChangedVariables, failuresIn, failureText } from "./write-result";

/** A change of the variables of an environment that one resource wants. */
export interface VariablesChange extends Wanted {
  readonly environmentId: string;
  readonly onConflict: OnConflict;
  /** A create writes nothing when a variable that must exist does not. */
  readonly isCreate: boolean;
}

/**
 * Brings variables of an environment to what one resource declares, while no other resource of the run writes or deletes these names.
 * @throws ConflictError, RefusedError, MissingError, CancelledError when nothing was done
 */
export async function changeVariables(ctx: Context, change: VariablesChange): Promise<ChangedVariables> {
  const { environmentId, onConflict, stored, declared } = change;
  const { names, variableLock } = ctx.environment(environmentId);
  using _names = await variableLock.hold([...stored.keys(), ...declared.map(({ name }) => name)], ctx.signal);
  ctx.client.remember(hiddenValues(stored.values()));
  // Planned now: what other resources did until then counts.
  const steps = plan(change, names);
  const list = needsList(steps, onConflict) ? await listToCompare(ctx, environmentId) : undefined;
  const comparison = compare(steps, onConflict, list, names);
  refuse(ctx, change, steps, comparison);
  for (const text of takeOverWarnings(ctx, environmentId, comparison.takenOverUnseen)) ctx.log.warn(text);
  const put = await putInBatches(ctx, environmentId, comparison.writes, timesBefore(steps, list));
  const sent = comparison.writes.map(({ variable }) => variable);
  for (const text of otherFormWarnings(ctx, environmentId, sent, put.results)) ctx.log.warn(text);
  const written = new Map([...comparison.withoutRequest, ...put.results]);
  // Also what may have been stored: the state of this resource has it.
  names.noteWritten([...written].flatMap(([name, result]) => ("now" in result ? [name] : [])));
  // A change whose writes were ended early deletes nothing.
  const removed = put.endedBy === undefined ? steps.filter(isRemoval).map((step) => step.stored) : [];
  const deleted = await deleteVariables(ctx, environmentId, removed, "update");
  return { steps, results: new Map([...written, ...deleted]), endedBy: put.endedBy };
}

/** What the environment has. @throws MissingError */
async function listToCompare(ctx: Context, environmentId: string): Promise<VariablesByName> {
  const list = await readShared(ctx, environmentId);
  if (typeof list === "string") throw absenceError(ctx, environmentId, list, "Nothing was written.");
  return list;
}

/** @throws ConflictError, RefusedError, CancelledError when nothing may be written */
function refuse(
  ctx: Context,
  { environmentId, isCreate }: VariablesChange,
  steps: readonly VariableStep[],
  { conflicts, withoutRequest }: Comparison,
): void {
  if (conflicts.size > 0) throw new RefusedError(conflictText(ctx, environmentId, conflicts, "up"));
  const existing = new Set(steps.flatMap(({ action, name }) => (action === "compare" ? [name] : [])));
  const failed = failuresIn([...withoutRequest].filter(([name]) => existing.has(name)));
  if (isCreate && failed.size > 0)
    throw new RefusedError(
      failureText(`environment ${ctx.client.titleOf(environmentId)}: nothing was written`, failed),
    );
  if (ctx.signal.aborted) throw new CancelledError("cancelled before anything was sent", false);
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

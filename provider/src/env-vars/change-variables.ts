import { CancelledError, type PreviewenvError } from "../client/errors";
import { absenceError } from "../environment/existence";
import { readShared } from "../environment/variables";
import type { Context } from "../framework/context";
import { RefusedError } from "../framework/resource-errors";
import type { VariablesByName } from "../run/shared-variables";
import { conflictText, type OnConflict, overwriteWarnings } from "./conflict";
import { deleteVariables } from "./delete-variables";
import { putInBatches } from "./put-variables";
import type { TimesBefore } from "./upsert-answer";
import { type DoneStep, failureText, recordFromAnswer, withResults } from "./results";
import {
  decideWrites,
  isRemoval,
  namesFound,
  needsList,
  plan,
  sentBy,
  type StoredAndDeclared,
  type VariableStep,
  whyOf,
} from "./steps";

/** A change of the variables of an environment that one resource wants. */
export interface VariablesChange extends StoredAndDeclared {
  readonly environmentId: string;
  readonly onConflict: OnConflict;
  /** A create writes nothing if an `existing()` variable is missing or cannot be changed as declared. */
  readonly isCreate: boolean;
}

/** The outcome of a change. */
interface ChangedVariables {
  readonly steps: readonly DoneStep[];
  /** The error that ended the writing before its end. */
  readonly endedBy: PreviewenvError | undefined;
}

/**
 * Brings variables of an environment to what one resource declares, while no other resource of the run writes or deletes these names.
 * @throws RefusedError, CancelledError when nothing was done
 */
export async function changeVariables(ctx: Context, change: VariablesChange): Promise<ChangedVariables> {
  const { environmentId, onConflict, stored, declared } = change;
  const { names, variableLock, variableCache } = ctx.environment(environmentId);
  using _lock = await variableLock.lock([...stored.keys(), ...declared.map(({ name }) => name)], ctx.signal);
  // Planned now: what other resources did until then counts.
  const planned = plan(change, names);
  const list = needsList(planned, onConflict) ? await listToCompare(ctx, environmentId) : undefined;
  const steps = decideWrites(planned, onConflict, list, names);
  refuseChange(ctx, change, steps);
  for (const text of overwriteWarnings(ctx, environmentId, namesFound(steps, "masked"))) ctx.log.warn(text);
  const put = await putInBatches(ctx, environmentId, steps.flatMap(sentBy), timesBefore(steps, list));
  const written = withResults(steps, put.results);
  // This resource's state will have them: no delete of this run may remove them.
  names.noteWritten(written.flatMap((step) => recordFromAnswer(step)?.name ?? []));
  // A change whose writes were ended early deletes nothing.
  if (put.endedBy !== undefined) return { steps: written, endedBy: put.endedBy };
  const deleted = await deleteVariables(ctx, environmentId, steps, variableCache);
  return { steps: [...written.filter((step) => !isRemoval(step)), ...deleted], endedBy: undefined };
}

/** The variables that the environment has. @throws RefusedError */
async function listToCompare(ctx: Context, environmentId: string): Promise<VariablesByName> {
  const list = await readShared(ctx, environmentId);
  if (typeof list === "string") throw absenceError(ctx, environmentId, list, "Nothing was written.");
  return list;
}

/**
 * Ends a change that may write nothing: a conflict, or a create with an `existing()` variable that is missing or cannot be changed as declared.
 * @throws RefusedError for these, CancelledError
 */
function refuseChange(
  ctx: Context,
  { environmentId, isCreate }: VariablesChange,
  steps: readonly VariableStep[],
): void {
  const conflicts = whyOf(steps, "conflict");
  if (conflicts.size > 0) throw new RefusedError(conflictText(ctx, environmentId, conflicts, "up"));
  const refused = whyOf(
    steps.filter(({ declared }) => declared?.kind === "existing"),
    "refuse",
  );
  if (isCreate && refused.size > 0)
    throw new RefusedError(
      failureText(`environment ${ctx.client.titleOf(environmentId)}: nothing was written`, refused),
    );
  if (ctx.signal.aborted) throw new CancelledError("cancelled before anything was sent", false);
}

/**
 * When variables were last changed, right before their write. The list counts, else state. A variable without a time
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

import { isRemoval, type VariableStep, type UndeclaredStep } from "./plan";
import { type ChangedVariables, isUncertain, type Result } from "./write-result";
import { asUndeclared, isOwn, type OwnVariable, type StoredVariable, withoutValue } from "./variable";

const WRITE_FAILED = "its write failed";
const NOT_YET_SECRET_IN_INPUTS = "written by an update that failed in part";

/** What state has of a name after a write: what was stored is new, what failed is as it was. `undefined`: nothing. */
export function recordAfter(step: VariableStep, result: Result | undefined): StoredVariable | undefined {
  const { declared, stored } = step;
  if (declared === undefined) return afterRemoval(step, result);
  if (result !== undefined && "now" in result && result.now !== undefined) return result.now;
  if (stored === undefined || !isOwn(stored)) return stored;
  // The engine would not encrypt the value: its input is the placeholder.
  if (declared.kind === "placeholder")
    return { ...stored, kind: declared.kind, hidden: declared.hidden, value: declared.value };
  if (stored.hidden !== declared.hidden) return asUndeclared(stored);
  // No difference of values would show that it is to be written again.
  const isDueAnyway = step.reasons.includes("triggered") || step.reasons.includes("deleted in this run");
  return isDueAnyway && declared.kind === "value" && result?.outcome === "failed"
    ? withoutValue(stored, stored.updatedAt, WRITE_FAILED)
    : stored;
}

/** What stays of a name that is not declared any more. */
function afterRemoval(step: UndeclaredStep, result: Result | undefined): StoredVariable | undefined {
  const { stored } = step;
  // Without a result, the writing was ended before the deletes.
  const isStillDue = isRemoval(step) && (result === undefined || result.outcome === "failed");
  if (!isStillDue) return undefined;
  return isOwn(stored) ? asUndeclared(stored) : stored;
}

// After an update that failed in part, the engine keeps the inputs from before it. Of the inputs that a refresh reports, it encrypts
// those that were secrets before. So state notes the secrets that these inputs do not have as secrets yet (`isNotYetSecretInInputs`),
// until an update has succeeded, and a refresh reports placeholders as their inputs. Their values are in the outputs, where the engine
// encrypts them.

/** A variable after an update, with a note when it is a secret that the engine's inputs do not have as one. */
export function markIfNotYetSecretInInputs(
  { isNotYetSecretInInputs: _earlier, ...variable }: OwnVariable,
  { stored, declared }: VariableStep,
  engineKeepsOldInputs: boolean,
): OwnVariable {
  // A name that state has and the program did not declare is in no inputs.
  const wasDeclared = stored !== undefined && stored.kind !== "undeclared";
  const wasSecretInInputs = wasDeclared && stored.hidden && !(isOwn(stored) && stored.isNotYetSecretInInputs === true);
  // With `ignoreChanges` the engine passes the inputs of the last `up` instead of those of the program, placeholders included.
  const inputsAreOld = engineKeepsOldInputs || declared?.kind === "placeholder";
  return variable.hidden && variable.kind !== "existing" && inputsAreOld && !wasSecretInInputs
    ? { ...variable, isNotYetSecretInInputs: true }
    : variable;
}

/** A variable as the inputs have it that a refresh reports: without a value that the engine would not encrypt there. */
export function refreshedInput(variable: StoredVariable): StoredVariable {
  const isNotYetSecret = isOwn(variable) && variable.isNotYetSecretInInputs === true;
  return isNotYetSecret ? withoutValue(variable, variable.updatedAt, NOT_YET_SECRET_IN_INPUTS) : variable;
}

/** Whether the service may have something else now than before. */
export function hasChanged({ results }: ChangedVariables): boolean {
  return [...results.values()].some(
    (result) => result.outcome === "written" || result.outcome === "deleted" || isUncertain(result),
  );
}

import type { Step } from "./plan";
import { isOwn, type OwnVariable, type StoredVariable, withoutValue } from "./variable";

// After an update that failed in part, the engine keeps the inputs from before it. Of the inputs that a refresh reports, it encrypts
// those that were secrets before. So state notes the secrets that these inputs do not have, until an update has succeeded, and a
// refresh reports placeholders as their inputs. Their values are in the outputs, where the engine encrypts them.

const MISSING_IN_INPUTS = "written by an update that failed in part";

/** A variable after an update, with a note when it is a secret that the engine's inputs do not have as one. */
export function markIfMissingInInputs(
  { isMissingInInputs: _earlier, ...variable }: OwnVariable,
  { stored, wanted }: Step,
  hasOldInputs: boolean,
): OwnVariable {
  // A name that state has and the program did not declare is in no inputs.
  const wasDeclared = stored !== undefined && stored.kind !== "undeclared" && stored.kind !== "handedOver";
  const isInOldInputs = wasDeclared && stored.hidden && !(isOwn(stored) && stored.isMissingInInputs === true);
  // With `ignoreChanges` the engine passes the inputs of the last `up` instead of those of the program, placeholders included.
  const areOld = hasOldInputs || wanted?.kind === "unknown";
  return variable.hidden && variable.kind !== "existing" && areOld && !isInOldInputs
    ? { ...variable, isMissingInInputs: true }
    : variable;
}

/** A variable as the inputs have it that a refresh reports: without a value that the engine would not encrypt there. */
export function refreshedInput(variable: StoredVariable): StoredVariable {
  const isMissingInInputs = isOwn(variable) && variable.isMissingInInputs === true;
  return isMissingInInputs ? withoutValue(variable, variable.updatedAt, MISSING_IN_INPUTS) : variable;
}

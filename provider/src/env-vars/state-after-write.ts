import { isRemoval, type VariableStep, type UndeclaredStep } from "./plan";
import { type ChangedVariables, isUncertain, type Result } from "./write-result";
import { asUndeclared, isOwn, type StoredVariable, withoutValue } from "./variable";

const WRITE_FAILED = "its write failed";

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

const CHANGES: readonly Result["outcome"][] = ["written", "contradicted", "deleted"];

/** Whether the service may have something else now than before. */
export function hasChanged({ results }: ChangedVariables): boolean {
  return [...results.values()].some((result) => CHANGES.includes(result.outcome) || isUncertain(result));
}

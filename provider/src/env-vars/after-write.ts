import { type JobOutcome, isUncertain, type Result } from "./variables-job";
import { isRemoval, type Step, type UndeclaredStep } from "./plan";
import { isOwn, type StoredVariable, asUndeclared, withoutValue } from "./variable";

const WRITE_FAILED = "its write failed";

/** What state has of a name after an order: what was stored is new, what failed is as it was. `undefined`: nothing. */
export function recordAfter(step: Step, result: Result | undefined): StoredVariable | undefined {
  const { wanted, stored } = step;
  if (wanted === undefined) return afterRemoval(step, result);
  if (result !== undefined && "now" in result && result.now !== undefined) return result.now;
  if (stored === undefined || !isOwn(stored)) return stored;
  // The engine would not encrypt the value: its input is the placeholder.
  if (wanted.kind === "unknown") return { ...stored, kind: wanted.kind, hidden: wanted.hidden, value: wanted.value };
  if (stored.hidden !== wanted.hidden) return asUndeclared(stored);
  // No difference of values would show that it is to be written again.
  const isDueAnyway = step.reasons.includes("triggered") || step.reasons.includes("deleted in this run");
  return isDueAnyway && wanted.kind === "value" && result?.outcome === "failed"
    ? withoutValue(stored, stored.updatedAt, WRITE_FAILED)
    : stored;
}

/** What stays of a name that is not declared any more. */
function afterRemoval(step: UndeclaredStep, result: Result | undefined): StoredVariable | undefined {
  const { name, stored } = step;
  if (!isRemoval(step) || result?.outcome === "deleted" || result?.outcome === "owned by another") return undefined;
  // What was given away, and has been written since, is another resource's.
  if (stored.kind === "handedOver") return result?.outcome === "written since" ? undefined : stored;
  if (result?.outcome === "declared by another")
    return { kind: "handedOver", name, updatedAt: isOwn(stored) ? stored.updatedAt : "" };
  return isOwn(stored) ? asUndeclared(stored) : stored;
}

/** Why names were not written or deleted, by name. What was left to others stays so: its delete is tried again with the next update. */
export function reasonsOfFailures({ steps, results }: JobOutcome): ReadonlyMap<string, string> {
  return new Map(
    steps.flatMap(({ action, name }) => {
      const result = results.get(name);
      return result?.outcome === "failed" && action !== "handedOver" ? [[name, result.reason] as const] : [];
    }),
  );
}

/** Whether the service may have something else now than before. */
export function hasChanged({ results }: JobOutcome): boolean {
  return [...results.values()].some(
    (result) => result.outcome === "written" || result.outcome === "deleted" || isUncertain(result),
  );
}

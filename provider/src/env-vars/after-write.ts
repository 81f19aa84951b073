import { type Done, isUncertain, type Result } from "./result";
import { isRemoval, type Step, type UndeclaredStep } from "./plan";
import { isOwn, type StoredVariable, undeclared, unknown } from "./variable";

const WRITE_FAILED = "its write failed";

/** What state has of a name after an order: what was stored is new, what failed is as it was. `undefined`: nothing. */
export function recordAfter(step: Step, result: Result | undefined): StoredVariable | undefined {
  const { wanted, stored } = step;
  if (wanted === undefined) return afterRemoval(step, result);
  if (result !== undefined && "now" in result && result.now !== undefined) return result.now;
  if (stored === undefined || !isOwn(stored)) return stored;
  // The engine would not encrypt the value: its input is the placeholder.
  if (wanted.is === "unknown") return { ...stored, is: wanted.is, hidden: wanted.hidden, value: wanted.value };
  if (stored.hidden !== wanted.hidden) return undeclared(stored);
  // No difference of values would show that it is to be written again.
  const isDueAnyway = step.reasons.includes("triggered") || step.reasons.includes("deleted in this run");
  return isDueAnyway && wanted.is === "value" && result?.is === "failed"
    ? unknown(stored, stored.updatedAt, WRITE_FAILED)
    : stored;
}

/** What stays of a name that is not declared any more. */
function afterRemoval(step: UndeclaredStep, result: Result | undefined): StoredVariable | undefined {
  const { name, stored } = step;
  if (!isRemoval(step) || result?.is === "deleted" || result?.is === "owned by another") return undefined;
  // What was given away, and has been written since, is another resource's.
  if (stored.is === "given") return result?.is === "written since" ? undefined : stored;
  if (result?.is === "declared by another")
    return { is: "given", name, updatedAt: isOwn(stored) ? stored.updatedAt : "" };
  return isOwn(stored) ? undeclared(stored) : stored;
}

/** Why names were not written or deleted, by name. What was left to others stays so: its delete is tried again with the next update. */
export function reasonsOfFailures({ steps, results }: Done): ReadonlyMap<string, string> {
  return new Map(
    steps.flatMap(({ what, name }) => {
      const result = results.get(name);
      return result?.is === "failed" && what !== "given" ? [[name, result.reason] as const] : [];
    }),
  );
}

/** Whether the service may have something else now than before. */
export function hasChanged({ results }: Done): boolean {
  return [...results.values()].some(
    (result) => result.is === "written" || result.is === "deleted" || isUncertain(result),
  );
}

import { CancelledError } from "../client/errors";
import type { Context } from "../framework/context";
import { IncompleteError } from "../framework/errors";
import { changeVariables } from "./change-variables";
import { isRemoval } from "./plan";
import { failureText, variableCount } from "./failure-text";
import { failuresIn } from "./variables-job";
import type { StoredVariable } from "./variable";

const NOT_TAKEN =
  "another resource declares it and could not write it, so it is not deleted yet: solve the error of that resource first";

/**
 * Deletes the variables of a resource that is deleted.
 * @throws IncompleteError that lists the names that are still there.
 */
export async function deleteAllVariables(
  ctx: Context,
  environmentId: string,
  stored: ReadonlyMap<string, StoredVariable>,
): Promise<void> {
  const { steps, results } = await changeVariables({
    ctx,
    environmentId,
    onConflict: "fail",
    operation: "delete",
    stored,
    declared: [],
    isTriggered: false,
  });
  const { variables } = ctx.environment(environmentId);
  const notTaken = [...results].filter(([name, { outcome }]) => {
    const isLeft = outcome === "owned by another" || outcome === "declared by another";
    return isLeft && variables.resultOf(name) === "failed";
  });
  const failed = new Map([...failuresIn(results), ...notTaken.map(([name]) => [name, NOT_TAKEN] as const)]);
  if (failed.size === 0) return;
  const count = variableCount(steps.filter(isRemoval).length);
  const summary = `${failed.size} of ${count} of environment ${ctx.client.titleOf(environmentId)} could not be deleted`;
  const text = failureText(summary, failed);
  throw ctx.signal.aborted ? new CancelledError(text, true) : new IncompleteError(text);
}

import { CancelledError } from "../client/errors";
import type { Context } from "../framework/context";
import { IncompleteError } from "../framework/partial-failure";
import { apply, type Done, type Order } from "./apply";
import { ConflictError } from "./existing";
import { isRemoval } from "./plan";
import { failureText, variableCount } from "./report";
import type { KnownVariable } from "./variable";

/**
 * Carries out an order of an update or a create. A conflict with a value of this stack is none: a resource that the engine shows a
 * moment later may have had it. So a conflict that would be an error waits, once, until the engine has probably shown all, without
 * holding its names.
 */
export async function handOver(order: Order): Promise<Done> {
  try {
    return await apply(order);
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    const { ctx, environmentId } = order;
    const { variables } = ctx.environment(environmentId);
    await variables.untilShown(error.names, ctx.signal);
    if (!error.names.some((name) => variables.isShown(name))) throw error;
    return apply(order);
  }
}

const NOT_TAKEN =
  "another resource declares it and could not write it, so it is not deleted yet: solve the error of that resource first";

/**
 * Deletes the variables of a resource that is deleted.
 * @throws IncompleteError that lists the names that are still there.
 */
export async function deleteAll(
  ctx: Context,
  environmentId: string,
  known: ReadonlyMap<string, KnownVariable>,
): Promise<void> {
  const ownership = ctx.environment(environmentId).variables;
  const { steps, outcome } = await apply({
    ctx,
    environmentId,
    onConflict: "fail",
    by: "resource",
    known,
    target: { variables: [] },
  });
  const dropped = steps.filter(isRemoval);
  const isLeft = (name: string): boolean => outcome.left.has(name) || outcome.given.has(name);
  const failed = new Map(
    dropped.flatMap(({ name }) => {
      const reason = isLeft(name) && ownership.hasFailed(name) ? NOT_TAKEN : outcome.failed.get(name);
      return outcome.deleted.has(name) || reason === undefined ? [] : [[name, reason] as const];
    }),
  );
  if (failed.size === 0) return;
  const variables = variableCount(dropped.length);
  const summary = `${failed.size} of ${variables} of environment ${ctx.client.titleOf(environmentId)} could not be deleted`;
  const text = failureText(summary, failed);
  throw ctx.signal.aborted ? new CancelledError(text, true) : new IncompleteError(text);
}

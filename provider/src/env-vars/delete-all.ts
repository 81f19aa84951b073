import { CancelledError } from "../client/errors";
import type { Context } from "../framework/context";
import { IncompleteError } from "../framework/partial-failure";
import type { Done, Order } from "./apply";
import { plan } from "./plan";
import { count, failureText } from "./report";
import type { KnownVariable } from "./variable";

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
  apply: (order: Order) => Promise<Done>,
): Promise<void> {
  const ownership = ctx.environment(environmentId).variables;
  const target = { variables: [] };
  const { steps, outcome } = await apply({
    ctx,
    environmentId,
    onConflict: "fail",
    plan: () => plan(known, target, ownership),
  });
  const dropped = steps.filter(({ what }) => what === "delete");
  const failed = new Map(
    dropped.flatMap(({ name }) => {
      const reason = outcome.left.has(name) && ownership.hasFailed(name) ? NOT_TAKEN : outcome.failed.get(name);
      return outcome.deleted.has(name) || reason === undefined ? [] : [[name, reason] as const];
    }),
  );
  if (failed.size === 0) return;
  const variables = count(dropped.length, "variable");
  const summary = `${failed.size} of ${variables} of environment ${environmentId} could not be deleted`;
  const text = failureText(summary, failed);
  throw ctx.signal.aborted ? new CancelledError(text, true) : new IncompleteError(text);
}

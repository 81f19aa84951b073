import { CancelledError, PreviewenvError } from "../client/errors";
import { nameList } from "../client/error-text";
import type { Context } from "../framework/context";
import { IncompleteError } from "../framework/partial-failure";
import type { Done, Order } from "./apply";
import { ConflictError } from "./existing";
import { emptyOutcome, type Outcome } from "./write";
import { plan, type Step } from "./plan";
import { failureText, variableCount } from "./report";
import type { KnownVariable } from "./variable";

/**
 * Carries out an order of an update or a create, with regard to resources that the engine shows only now: `apply` is called
 * for the writes, and later for the deletes. Between them, and outside the lock, it waits for what other resources do with
 * names that come from them or go to them.
 */
export async function handOver(order: Order, apply: (order: Order) => Promise<Done>): Promise<Done> {
  const { ctx, environmentId } = order;
  const { variables } = ctx.environment(environmentId);
  let steps: readonly Step[] = [];
  const { outcome } = await whenConflictsAreKnown(order, () =>
    apply({
      ...order,
      plan() {
        steps = order.plan();
        return steps.filter(({ what }) => what !== "delete");
      },
    }),
  );
  const deletes = steps.filter(({ what }) => what === "delete");
  // An order whose writes were ended early deletes nothing.
  if (deletes.length === 0 || outcome.abortedBy !== undefined) return { steps, outcome };
  await variables.untilQuiet(ctx.signal);
  const later = await deleted({ ...order, plan: () => deletes }, deletes, apply);
  const own = deletes.map(({ name }) => name).filter((name) => later.left.has(name));
  const untaken = await variables.untaken(own, ctx.signal);
  if (untaken.length > 0)
    ctx.log.info(
      `environment ${environmentId}: ${nameList(untaken)} not deleted, because another resource of the program declares this ` +
        "and has not written it yet. It stays in the state of this resource until the next `pulumi up`.",
    );
  return { steps, outcome: merged(outcome, later, new Set(untaken)) };
}

/** What became of deletes. The writes before them stand, also when a cancellation came in between. */
async function deleted(order: Order, steps: readonly Step[], apply: (order: Order) => Promise<Done>): Promise<Outcome> {
  try {
    return (await apply(order)).outcome;
  } catch (error) {
    if (!(error instanceof PreviewenvError)) throw error;
    return { ...emptyOutcome(), failed: new Map(steps.map(({ name }) => [name, error.message])) };
  }
}

/** A conflict with a value of this stack is none: a resource that the engine shows a moment later may have had it. */
async function whenConflictsAreKnown({ ctx, environmentId }: Order, write: () => Promise<Done>): Promise<Done> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    const { variables } = ctx.environment(environmentId);
    await variables.untilQuiet(ctx.signal);
    if (!error.names.some((name) => variables.isShown(name))) throw error;
    return write();
  }
}

function merged(writes: Outcome, deletes: Outcome, untaken: ReadonlySet<string>): Outcome {
  return {
    ...writes,
    failed: new Map([...writes.failed, ...deletes.failed]),
    deleted: deletes.deleted,
    left: new Set([...deletes.left].filter((name) => !untaken.has(name))),
  };
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
  const variables = variableCount(dropped.length);
  const summary = `${failed.size} of ${variables} of environment ${environmentId} could not be deleted`;
  const text = failureText(summary, failed);
  throw ctx.signal.aborted ? new CancelledError(text, true) : new IncompleteError(text);
}

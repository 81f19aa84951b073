import { abortable } from "../client/concurrency";
import { PreviewenvError } from "../client/errors";
import { Combiner } from "../environment/combiner";
import type { Context } from "../framework/context";
import { type Done, type Leaving, notSent, type Order, takeTurn, unwrap } from "./apply";
import { whileShared } from "../environment/variables";
import { emptyOutcome, leaveUncertain, type Outcome } from "./write";

/** Combines the orders of single variables of one environment: those that come while a turn is under way share the next. */
export class EnvVarBatcher {
  readonly #queue = new Combiner<Order, Done | Error>((orders) =>
    takeTurn(orders, (one) => this.#leaving.set(one.order, one)),
  );
  readonly #leaving = new WeakMap<Order, Leaving>();

  /**
   * Carries out an order at once, or, while a turn is under way, in the next turn, with all the others that came meanwhile.
   * A cancellation ends the wait of its own caller; what is shared ends when nobody waits for it any more.
   */
  async share(order: Order): Promise<Done> {
    const work = this.#queue.run(order);
    try {
      return unwrap(await abortable(work, order.ctx.signal));
    } catch (error) {
      if (!order.ctx.signal.aborted || error instanceof PreviewenvError) throw error;
      const leaving = this.#leaving.get(order);
      if (leaving === undefined) throw notSent();
      // No caller waits any more: the requests end now, and their outcome says exactly what was done.
      if (leaving.signal.aborted) return unwrap(await work);
      return { steps: leaving.steps, outcome: unknownOutcome(leaving) };
    }
  }
}

/** The outcome for a caller that was cancelled while others still wait for the same requests: nothing is known of it. */
function unknownOutcome({ steps }: Leaving): Outcome {
  const error = whileShared();
  const outcome = { ...emptyOutcome(), abortedBy: error };
  leaveUncertain(
    outcome,
    steps.flatMap(({ what, wanted }) => (what === "write" && wanted !== undefined ? [wanted] : [])),
    error.message,
  );
  for (const { what, name } of steps) if (what === "delete") outcome.failed.set(name, error.message);
  return outcome;
}

/** The batcher of an environment: one for each provider process. */
export function batcherOf(ctx: Context, environmentId: string): EnvVarBatcher {
  return ctx.environment(environmentId).part(EnvVarBatcher);
}

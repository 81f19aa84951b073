import { abortable, abortWithAll } from "../client/abort";
import type { EnvVar } from "../client/env-vars";
import { CancelledError, PreviewenvError } from "../client/errors";
import { Combiner } from "../environment/combiner";
import type { Context } from "../framework/context";
import type { EnvironmentSession } from "../framework/environment-session";
import { applyOrders, type Done, notSent, type Order, type Planned } from "./apply";
import { listUnlessGone } from "./listing";
import { emptyOutcome, type Outcome } from "./outcome";
import { leaveUncertain } from "./write";

/** An order whose requests are about to leave. */
interface Leaving extends Planned {
  /** Aborts when nobody waits for these requests any more. */
  readonly signal: AbortSignal;
}

/** Orders for the variables of one environment, one turn after the other; and a read that its resources share. */
export class EnvVarBatcher {
  readonly #environment: EnvironmentSession;
  readonly #queue = new Combiner<Order, Done | Error>((orders) => this.#takeTurn(orders));
  readonly #leaving = new WeakMap<Order, Leaving>();

  constructor(environment: EnvironmentSession) {
    this.#environment = environment;
  }

  /** The environment's variables by name, or `undefined` when it is gone; N callers at a time cost one request. */
  async read(ctx: Context, environmentId: string): Promise<ReadonlyMap<string, EnvVar> | undefined> {
    const load = async (): Promise<ReadonlyMap<string, EnvVar> | undefined> => {
      const listed = await listUnlessGone(ctx, environmentId);
      return listed && new Map(listed.map((item) => [item.name, item]));
    };
    const run = async (): Promise<ReadonlyMap<string, EnvVar> | undefined> => {
      try {
        return await abortable(this.#environment.reading.get(load), ctx.signal);
      } catch (error) {
        throw ctx.signal.aborted && !(error instanceof PreviewenvError) ? whileShared() : error;
      }
    };
    return run().catch((error: unknown) => {
      // The caller that began the read was cancelled. This one was not: it reads once more.
      if (error instanceof CancelledError && !ctx.signal.aborted) return run();
      throw error;
    });
  }

  /** Carries out an order in a turn of its own. */
  async alone(order: Order): Promise<Done> {
    return unwrap((await this.#takeTurn([order])).get(order));
  }

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
      // Everybody has gone: the requests end now, and tell exactly how far they came.
      if (leaving.signal.aborted) return unwrap(await work);
      return { steps: leaving.steps, outcome: unknownOutcome(leaving) };
    }
  }

  async #takeTurn(orders: readonly Order[]): Promise<ReadonlyMap<Order, Done | Error>> {
    const results = new Map<Order, Done | Error>(orders.map((order) => [order, notSent()]));
    const live = orders.filter(({ ctx }) => !ctx.signal.aborted);
    const [first] = live;
    if (first === undefined) return results;
    const { environmentId } = first;
    using shared = abortWithAll(live.map(({ ctx }) => ctx.signal));
    const { signal } = shared;
    const ctx = { ...first.ctx, signal };
    return await this.#environment.withLock("variables", async () => {
      const planned = live.map((order) => ({ order, steps: order.plan() }));
      const onSend = (leaving: readonly Planned[]): void => {
        for (const one of leaving) this.#leaving.set(one.order, { ...one, signal });
      };
      const outcomes = await applyOrders(
        { ctx, environmentId, read: () => this.read(ctx, environmentId), onSend },
        planned,
      );
      for (const { order, steps } of planned) {
        const outcome = outcomes.get(order) ?? notSent();
        results.set(order, outcome instanceof Error ? outcome : { steps, outcome });
      }
      for (const outcome of new Set(outcomes.values())) if (!(outcome instanceof Error)) this.#merge(outcome);
      return results;
    });
  }

  /** Within the turn: the next writer goes by what is read here. */
  #merge({ stored, deleted, failed }: Outcome): void {
    const { reading } = this.#environment;
    for (const [name, { source }] of stored) {
      if (source === undefined) reading.drop();
      else reading.merge(name, source);
    }
    for (const name of deleted) reading.merge(name, undefined);
    if (failed.size > 0) reading.drop();
  }
}

function unwrap(result: Done | Error | undefined): Done {
  if (result === undefined || result instanceof Error) throw result ?? notSent();
  return result;
}

function whileShared(): CancelledError {
  return new CancelledError("cancelled while waiting for a request that several variables share", true);
}

/** Nobody knows what became of an order that others still wait for. */
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

import { abortable, abortWithAll } from "../client/abort";
import type { EnvVar } from "../client/env-vars";
import { displayableName } from "../client/error-text";
import { CancelledError, PreviewenvError } from "../client/errors";
import { Combiner } from "../environment/combiner";
import type { Context } from "../framework/context";
import type { EnvironmentSession } from "../framework/environment-session";
import { IncompleteError, RefusedError } from "../framework/partial-failure";
import { beforeWrite } from "./answer";
import { admitFrom, type Admission, conflictError, isConflict } from "./conflict";
import { listUnlessGone } from "./listing";
import { removeVariables } from "./remove";
import type { KnownVariable, Variable } from "./variable";
import { unanswered, writeVariables } from "./write";

/** One variable to be written. */
export interface WriteOrder {
  readonly ctx: Context;
  readonly environmentId: string;
  readonly variable: Variable;
  /** What state knows of it; `undefined` when it is new. */
  readonly known: KnownVariable | undefined;
  readonly onConflict: "fail" | "overwrite";
}

/** One order's outcome: stored, or the error that is its own; `uncertain` is what state may say beside an error. */
export type WriteResult =
  | { readonly stored: KnownVariable }
  | { readonly error: Error; readonly uncertain?: KnownVariable | undefined };

/** What was seen before a write. */
interface Judged extends Admission {
  readonly conflicts: ReadonlySet<string>;
}

interface RemoveOrder {
  readonly ctx: Context;
  readonly environmentId: string;
  readonly name: string;
}

/** What the single variables of one environment share in a run: reads, and requests that carry several of them. */
export class Desk {
  readonly #environment: EnvironmentSession;
  readonly #writes = new Combiner<WriteOrder, WriteResult>((orders) => this.#write(orders));
  readonly #removals = new Combiner<RemoveOrder, Error | "removed">((orders) => this.#remove(orders));
  /** The signal of the requests that carry an order, from right before they leave. */
  readonly #leaving = new WeakMap<WriteOrder, AbortSignal>();

  constructor(environment: EnvironmentSession) {
    this.#environment = environment;
  }

  /** An environment's variables by name, or `undefined` when it is gone; N callers at a time cost one request. */
  async read(ctx: Context, environmentId: string): Promise<ReadonlyMap<string, EnvVar> | undefined> {
    const load = async (): Promise<ReadonlyMap<string, EnvVar> | undefined> => {
      const listed = await listUnlessGone(ctx, environmentId);
      return listed && new Map(listed.map((item) => [item.name, item]));
    };
    const run = (): Promise<ReadonlyMap<string, EnvVar> | undefined> =>
      waitFor(ctx, this.#environment.reading.get(load));
    return run().catch((error: unknown) => {
      if (isOfAnother(ctx, error)) return run();
      throw error;
    });
  }

  /**
   * Writes one variable; those asked for while a request is in flight share the next one. A cancellation ends the wait of
   * its own caller; what is shared ends when nobody waits for it any more.
   */
  async write(order: WriteOrder): Promise<WriteResult> {
    const { ctx, variable } = order;
    const work = this.#writes.run(order);
    try {
      return await abortable(work, ctx.signal);
    } catch (error) {
      if (!ctx.signal.aborted || error instanceof PreviewenvError) throw error;
      const shared = this.#leaving.get(order);
      if (shared === undefined) return { error: notSent() };
      // Everybody has gone: the request ends now, and tells exactly how far it came.
      if (shared.aborted) return work;
      return { error: whileShared(), uncertain: unanswered(variable) };
    }
  }

  /** Deletes one variable, unless another resource of the program has it now. */
  async remove(ctx: Context, environmentId: string, name: string): Promise<void> {
    const order = { ctx, environmentId, name };
    const result = await waitFor(ctx, this.#removals.run(order));
    if (result instanceof Error) throw result;
  }

  async #write(all: readonly WriteOrder[]): Promise<ReadonlyMap<WriteOrder, WriteResult>> {
    const { live: orders, cancelled } = sift(all);
    const results = new Map<WriteOrder, WriteResult>(cancelled.map((order) => [order, { error: notSent() }]));
    const [first] = orders;
    if (first === undefined) return results;
    const { environmentId } = first;
    using shared = abortWithAll(orders.map(({ ctx }) => ctx.signal));
    const ctx = { ...first.ctx, signal: shared.signal };
    return await this.#environment.withLock("variables", async () => {
      const admission = await this.#admit(ctx, environmentId, orders);
      const due = orders.filter((order) => {
        const early = decided(order, admission);
        if (early !== undefined) results.set(order, early);
        return early === undefined;
      });
      await this.#send(ctx, due, admission.before, results);
      this.#environment.variables.take(
        [...results].flatMap(([{ variable }, result]) => ("stored" in result ? [variable.name] : [])),
      );
      return results;
    });
  }

  async #admit(ctx: Context, environmentId: string, orders: readonly WriteOrder[]): Promise<Judged> {
    const added = orders.filter(({ known, onConflict }) => known === undefined && onConflict === "fail");
    if (added.length === 0) return { taken: new Map(), before: new Map(), conflicts: new Set() };
    const existing = await this.read(ctx, environmentId);
    if (existing === undefined) throw new RefusedError(`environment ${environmentId} does not exist (any more)`);
    const variables = added.map(({ variable }) => variable);
    const conflicts = new Set(
      variables.filter((variable) => isConflict(ctx, environmentId, variable, existing)).map(({ name }) => name),
    );
    const fine = variables.filter(({ name }) => !conflicts.has(name));
    return { ...admitFrom(ctx, environmentId, fine, existing), conflicts };
  }

  async #send(
    ctx: Context,
    orders: readonly WriteOrder[],
    admitted: ReadonlyMap<string, string | undefined>,
    results: Map<WriteOrder, WriteResult>,
  ): Promise<void> {
    const [first] = orders;
    if (first === undefined) return;
    const { environmentId } = first;
    const variables = orders.map(({ variable }) => variable);
    const before = beforeWrite(
      orders.flatMap(({ known }) => known ?? []),
      admitted,
    );
    for (const order of orders) this.#leaving.set(order, ctx.signal);
    const written = await writeVariables(ctx, environmentId, variables, before);
    if (written.halted !== undefined) this.#environment.reading.drop();
    for (const order of orders) {
      const { name } = order.variable;
      const stored = written.stored.get(name);
      if (stored !== undefined) {
        if (stored.source !== undefined) this.#environment.reading.merge(name, stored.source);
        results.set(order, { stored });
      } else {
        const reason = written.failed.get(name) ?? "it was not written";
        const { halted } = written;
        const error =
          halted instanceof CancelledError
            ? halted
            : new IncompleteError(`variable ${displayableName(name)} of environment ${environmentId}: ${reason}`);
        results.set(order, { error, uncertain: written.uncertain.get(name) });
      }
    }
  }

  async #remove(all: readonly RemoveOrder[]): Promise<ReadonlyMap<RemoveOrder, Error | "removed">> {
    const { live: orders, cancelled } = sift(all);
    const results = new Map<RemoveOrder, Error | "removed">(cancelled.map((order) => [order, notSent()]));
    const [first] = orders;
    if (first === undefined) return results;
    const { environmentId } = first;
    const names = orders.map(({ name }) => name);
    using shared = abortWithAll(orders.map(({ ctx }) => ctx.signal));
    const ctx = { ...first.ctx, signal: shared.signal };
    const failed = await this.#environment.withLock("variables", async () => {
      const removed = await removeVariables(ctx, environmentId, names);
      // Within the turn: the next writer goes by what is read here.
      for (const name of removed.deleted) this.#environment.reading.merge(name, undefined);
      if (removed.failed.size > 0) this.#environment.reading.drop();
      return removed.failed;
    });
    for (const order of orders) {
      const reason = failed.get(order.name);
      const error = shared.signal.aborted ? new CancelledError(reason ?? "", true) : new IncompleteError(reason ?? "");
      results.set(order, reason === undefined ? "removed" : error);
    }
    return results;
  }
}

/** Those that somebody still waits for. */
function sift<T extends { readonly ctx: Context }>(orders: readonly T[]) {
  return {
    live: orders.filter(({ ctx }) => !ctx.signal.aborted),
    cancelled: orders.filter(({ ctx }) => ctx.signal.aborted),
  };
}

function notSent(): CancelledError {
  return new CancelledError("cancelled before anything was sent", false);
}

function whileShared(): CancelledError {
  return new CancelledError("cancelled while waiting for a request that several variables share", true);
}

/** What is known of an order before anything is sent for it, if that ends it. */
function decided({ ctx, environmentId, variable }: WriteOrder, { conflicts, taken }: Judged): WriteResult | undefined {
  if (conflicts.has(variable.name)) return { error: conflictError(environmentId, [variable]) };
  const stored = taken.get(variable.name);
  if (stored !== undefined) return { stored };
  return ctx.signal.aborted ? { error: notSent() } : undefined;
}

/** Waits for what is shared with others. @throws CancelledError when this caller's signal ends its waiting. */
async function waitFor<T>({ signal }: Context, work: Promise<T>): Promise<T> {
  try {
    return await abortable(work, signal);
  } catch (error) {
    if (!signal.aborted || error instanceof PreviewenvError) throw error;
    throw whileShared();
  }
}

/** Whether a shared read was cancelled by the signal of the caller that began it: this one does it anew, once. */
function isOfAnother({ signal }: Context, error: unknown): boolean {
  return error instanceof CancelledError && !signal.aborted;
}

/** The desk of an environment. */
export function deskOf(ctx: Context, environmentId: string): Desk {
  return ctx.environment(environmentId).part(Desk);
}

import { abortWithAll } from "../client/concurrency";
import type { EnvVar } from "../client/env-vars";
import { CancelledError } from "../client/errors";
import type { Context } from "../framework/context";
import type { Deleter, SharedVariables } from "../framework/environment-session";
import { baselineOf } from "./answer";
import { adopt, compareExisting, conflictOf, forgetValues, refusalOfExisting, timesOf } from "./existing";
import { deleteVariables } from "./delete";
import { unavailableVariables, readShared } from "../environment/variables";
import { emptyOutcome, type Outcome, writeVariables } from "./write";
import type { OnConflict } from "./on-conflict";
import { addedIn, isComparison, isRemoval, isWrite, type Step } from "./plan";
import type { Variable } from "./variable";

/** What one resource wants of the variables of an environment. */
export interface Order {
  readonly ctx: Context;
  readonly environmentId: string;
  readonly onConflict: OnConflict;
  /** Nothing is written when a variable that must exist does not. */
  readonly isCreate?: boolean;
  /** Who deletes what is dropped. */
  readonly by: Deleter;
  /** Asked for right before they are carried out: what other resources did until then counts. */
  readonly plan: () => readonly Step[];
}

/** A planned order. */
export interface Planned {
  readonly order: Order;
  readonly steps: readonly Step[];
}

/** What became of an order. `outcome` may also have names of other orders. */
export interface Done {
  readonly steps: readonly Step[];
  readonly outcome: Outcome;
}

/** A planned order whose requests are about to leave. */
export interface Leaving extends Planned {
  /** Aborts when nobody waits for these requests any more. */
  readonly signal: AbortSignal;
}

/** Carries out an order in a turn of its own. */
export async function applyAlone(order: Order): Promise<Done> {
  return unwrap((await takeTurn([order])).get(order));
}

/**
 * Carries out orders for one environment together, while nobody else of the run writes to it: or one could take over a name
 * that the other is just deleting. `onLeave` is told right before requests leave.
 */
export async function takeTurn(
  orders: readonly Order[],
  onLeave: (one: Leaving) => void = () => undefined,
): Promise<ReadonlyMap<Order, Done | Error>> {
  const results = new Map<Order, Done | Error>(orders.map((order) => [order, notSent()]));
  const live = orders.filter(({ ctx }) => !ctx.signal.aborted);
  const [first] = live;
  if (first === undefined) return results;
  const { environmentId } = first;
  using shared = abortWithAll(live.map(({ ctx }) => ctx.signal));
  const { signal } = shared;
  const ctx = { ...first.ctx, signal };
  return await ctx.environment(environmentId).withLock("variables", async () => {
    const planned = live.map((order) => ({ order, steps: order.plan() }));
    const existing = await readFirst(ctx, environmentId, planned);
    const refused = new Map(planned.flatMap((one) => refusalOf(one, existing)));
    const accepted = planned.filter(({ order }) => !refused.has(order));
    for (const one of accepted) onLeave({ ...one, signal });
    const outcome = await applyOrders(ctx, environmentId, accepted, existing);
    for (const { order, steps } of planned) results.set(order, refused.get(order) ?? { steps, outcome });
    return results;
  });
}

/** Writes, then deletes, so that no moment lacks a variable that only changed its name or its place. */
async function applyOrders(
  ctx: Context,
  environmentId: string,
  orders: readonly Planned[],
  existing: ReadonlyMap<string, EnvVar> | undefined,
): Promise<Outcome> {
  const environment = ctx.environment(environmentId);
  const outcome = emptyOutcome();
  const added = orders.flatMap(addedBy);
  const steps = orders.flatMap((one) => one.steps);
  if (existing !== undefined) adopt({ ctx, environmentId, outcome }, added, existing);
  const baseline = baselineOf(
    steps.flatMap(({ known }) => known ?? []),
    existing === undefined ? new Map() : timesOf(added, existing),
  );
  const left = compareExisting(steps.filter(isComparison), existing ?? new Map());
  for (const [name, one] of left.kept) outcome.adopted.set(name, one);
  const due = steps.filter(isWrite).filter(({ name }) => !outcome.adopted.has(name));
  const asRead = new Set(left.written.map(({ name }) => name));
  await writeVariables({ ctx, environmentId, baseline, asRead, outcome }, [
    ...due.map(({ wanted }) => wanted),
    ...left.written,
  ]);
  forgetValues(outcome, left.written);
  for (const [name, reason] of left.failed) outcome.failed.set(name, reason);
  // Right after the writes: others may wait for these names, and this resource for theirs.
  environment.variables.take(ownedNames(steps, outcome));
  environment.variables.fail(outcome.failed.keys());
  mergeWrites(environment.reading, outcome);
  // An order whose writes were ended early deletes nothing.
  const isAborted = ({ steps: own }: Planned): boolean => outcome.abortedBy !== undefined && own.some(isWrite);
  const whole = orders.filter((one) => !isAborted(one));
  for (const by of ["update", "resource"] as const) {
    const removals = whole.filter(({ order }) => order.by === by).flatMap((one) => one.steps.filter(isRemoval));
    await deleteVariables(
      { ctx, environmentId, outcome, by },
      removals.map(({ known }) => known),
    );
  }
  for (const name of outcome.deleted) environment.reading.merge(name, undefined);
  if (outcome.failed.size > 0) environment.reading.drop();
  return outcome;
}

/** Within the turn: the next reader goes by what was written here. */
function mergeWrites(reading: SharedVariables, { stored, failed }: Outcome): void {
  for (const [name, { source }] of stored) {
    if (source === undefined) reading.drop();
    else reading.merge(name, source);
  }
  if (failed.size > 0) reading.drop();
}

/** @throws Error when an order was refused */
export function unwrap(result: Done | Error | undefined): Done {
  if (result === undefined || result instanceof Error) throw result ?? notSent();
  return result;
}

/** The error of an order that was cancelled before anything was sent for it. */
export function notSent(): CancelledError {
  return new CancelledError("cancelled before anything was sent", false);
}

/** One read, when an order with `onConflict: "fail"` adds names, or leaves a value to the service. @throws RefusedError when
 * the environment is gone */
async function readFirst(
  ctx: Context,
  environmentId: string,
  orders: readonly Planned[],
): Promise<ReadonlyMap<string, EnvVar> | undefined> {
  if (orders.every((one) => addedBy(one).length === 0 && !one.steps.some(isComparison))) return undefined;
  const existing = await readShared(ctx, environmentId);
  if (existing === undefined) throw unavailableVariables(ctx, environmentId, "Nothing was written.");
  return existing;
}

/** The variables that are new to the resource, and that may not replace what exists. */
function addedBy({ order, steps }: Planned): readonly Variable[] {
  return order.onConflict === "overwrite" ? [] : addedIn(steps);
}

function refusalOf(
  planned: Planned,
  existing: ReadonlyMap<string, EnvVar> | undefined,
): readonly (readonly [Order, Error])[] {
  const { order } = planned;
  const { ctx, environmentId } = order;
  const refusal = conflictOf(ctx, environmentId, addedBy(planned), existing ?? new Map());
  if (refusal !== undefined) return [[order, refusal]];
  const missing =
    order.isCreate === true
      ? refusalOfExisting(
          ctx,
          environmentId,
          compareExisting(planned.steps.filter(isComparison), existing ?? new Map()).failed,
        )
      : undefined;
  if (missing !== undefined) return [[order, missing]];
  return ctx.signal.aborted ? [[order, notSent()]] : [];
}

/** Names that the resources have now, and no other resource's update or delete may take away. */
function ownedNames(steps: readonly Step[], { stored, adopted, uncertain }: Outcome): readonly string[] {
  const isWritten = (name: string): boolean => stored.has(name) || adopted.has(name) || uncertain.has(name);
  return steps.flatMap(({ name, wanted, known }) =>
    wanted !== undefined && ((known !== undefined && known.isGiven !== true) || isWritten(name)) ? [name] : [],
  );
}

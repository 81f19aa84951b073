import type { EnvVar } from "../client/env-vars";
import { CancelledError } from "../client/errors";
import type { Context } from "../framework/context";
import { RefusedError } from "../framework/partial-failure";
import { baselineOf } from "./answer";
import { adopt, conflictOf, type OnConflict, timesOf } from "./conflict";
import { compareExisting, forgetValues, refusalOfExisting } from "./existing-values";
import { deleteVariables } from "./delete";
import { emptyOutcome, type Outcome } from "./outcome";
import type { DeclaredStep, Step } from "./plan";
import type { Variable } from "./variable";
import { writeVariables } from "./write";

/** What one resource wants of the variables of an environment. */
export interface Order {
  readonly ctx: Context;
  readonly environmentId: string;
  readonly onConflict: OnConflict;
  /** Nothing is written when a variable that must exist does not. */
  readonly isCreate?: boolean;
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

/** What orders for one environment share while they are carried out. */
interface Shared {
  readonly ctx: Context;
  readonly environmentId: string;
  /** The environment's variables by name; `undefined` when it is gone. */
  readonly read: () => Promise<ReadonlyMap<string, EnvVar> | undefined>;
  /** Told right before anything is sent. */
  readonly onSend: (orders: readonly Planned[]) => void;
}

/**
 * Carries out orders for one environment together: looks for conflicts, writes, then deletes, so that no moment lacks a
 * variable that only changed its name or its place. Nobody else may write to the environment meanwhile. An order that is
 * refused gets an error in place of an outcome, and nothing was done for it.
 */
export async function applyOrders(
  shared: Shared,
  orders: readonly Planned[],
): Promise<ReadonlyMap<Order, Outcome | Error>> {
  const { ctx, environmentId } = shared;
  const outcome = emptyOutcome();
  const existing = await readFirst(shared, orders);
  const refused = new Map(orders.flatMap((one) => refusalOf(one, existing)));
  const accepted = orders.filter(({ order }) => !refused.has(order));
  const added = accepted.flatMap(addedBy);
  const steps = accepted.flatMap((one) => one.steps);
  if (existing !== undefined) adopt({ ctx, environmentId, outcome }, added, existing);

  const baseline = baselineOf(
    steps.flatMap(({ known }) => known ?? []),
    existing === undefined ? new Map() : timesOf(added, existing),
  );
  shared.onSend(accepted);
  const left = compareExisting(steps.filter(isComparison), existing ?? new Map());
  for (const [name, one] of left.kept) outcome.adopted.set(name, one);
  const due = steps.filter(isWrite).filter(({ name }) => !outcome.adopted.has(name));
  await writeVariables({ ctx, environmentId, baseline, outcome }, [
    ...due.map(({ wanted }) => wanted),
    ...left.written,
  ]);
  forgetValues(outcome, left.written);
  for (const [name, reason] of left.failed) outcome.failed.set(name, reason);
  ctx.environment(environmentId).variables.take(ownedNames(steps, outcome));
  // An order whose writes were ended early deletes nothing.
  const isAborted = ({ steps: own }: Planned): boolean => outcome.abortedBy !== undefined && own.some(isWrite);
  const dropped = accepted.filter((one) => !isAborted(one)).flatMap((one) => one.steps);
  await deleteVariables(
    { ctx, environmentId, outcome },
    dropped.flatMap(({ what, name }) => (what === "delete" ? [name] : [])),
  );
  return new Map(orders.map(({ order }) => [order, refused.get(order) ?? outcome]));
}

/** The error of an order that was cancelled before anything was sent for it. */
export function notSent(): CancelledError {
  return new CancelledError("cancelled before anything was sent", false);
}

/** One read, when an order with `onConflict: "fail"` adds names, or leaves a value to the service. @throws RefusedError when
 * the environment is gone */
async function readFirst(
  { environmentId, read }: Shared,
  orders: readonly Planned[],
): Promise<ReadonlyMap<string, EnvVar> | undefined> {
  if (orders.every((one) => addedBy(one).length === 0 && !one.steps.some(isComparison))) return undefined;
  const existing = await read();
  if (existing === undefined) throw new RefusedError(`environment ${environmentId} does not exist (any more)`);
  return existing;
}

/** The variables that are new to the resource, and that may not replace what exists. */
function addedBy({ order, steps }: Planned): readonly Variable[] {
  if (order.onConflict === "overwrite") return [];
  return steps.flatMap((step) => (isWrite(step) && step.reasons.includes("added") ? [step.wanted] : []));
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
          environmentId,
          compareExisting(planned.steps.filter(isComparison), existing ?? new Map()).failed,
        )
      : undefined;
  if (missing !== undefined) return [[order, missing]];
  return ctx.signal.aborted ? [[order, notSent()]] : [];
}

function isWrite(step: Step): step is DeclaredStep {
  return step.what === "write";
}

/** Whether the value of a variable is the service's. */
function isComparison(step: Step): step is DeclaredStep {
  return step.what === "compare";
}

/** Names that the resources have now, and no other resource's update or delete may take away. */
function ownedNames(steps: readonly Step[], { stored, adopted, uncertain }: Outcome): readonly string[] {
  const isWritten = (name: string): boolean => stored.has(name) || adopted.has(name) || uncertain.has(name);
  return steps.flatMap(({ name, wanted, known }) =>
    wanted !== undefined && (known !== undefined || isWritten(name)) ? [name] : [],
  );
}

import type { EnvVar } from "../client/env-vars";
import { CancelledError } from "../client/errors";
import type { Context } from "../framework/context";
import type { Deleter, SharedVariables } from "../framework/environment-session";
import { baselineOf } from "./answer";
import { adopt, compareExisting, conflictOf, refusalOfExisting, timesOf } from "./existing";
import { deleteVariables } from "./delete";
import { unavailableVariables, readShared } from "../environment/variables";
import { emptyOutcome, type Outcome, writeVariables } from "./write";
import type { OnConflict } from "./on-conflict";
import { addedIn, isComparison, isRemoval, isWrite, plan, type Step, type Target } from "./plan";
import type { KnownVariable, Variable } from "./variable";

/** What one resource wants of the variables of an environment. */
export interface Order {
  readonly ctx: Context;
  readonly environmentId: string;
  readonly onConflict: OnConflict;
  /** Nothing is written when a variable that must exist does not. */
  readonly isCreate?: boolean;
  /** Who deletes what is dropped. */
  readonly by: Deleter;
  /** What state knows, by name. */
  readonly known: ReadonlyMap<string, KnownVariable>;
  readonly target: Target;
}

/** What became of an order. */
export interface Done {
  readonly steps: readonly Step[];
  readonly outcome: Outcome;
}

/**
 * Carries out an order while no other resource of the run writes or deletes its names: or one could take over a name that the
 * other is just deleting. Writes, then deletes, so that no moment lacks a variable that only changed its name or its place.
 * @throws ConflictError, RefusedError, CancelledError when nothing was done
 */
export async function apply(order: Order): Promise<Done> {
  const { ctx, environmentId, by, known, target } = order;
  const environment = ctx.environment(environmentId);
  const names = [...known.keys(), ...target.variables.map(({ name }) => name)];
  using _held = await environment.holdVariables(names, ctx.signal);
  // Planned now: what other resources did until then counts.
  const steps = plan(known, target, environment.variables);
  const added = order.onConflict === "overwrite" ? [] : addedIn(steps);
  const compared = steps.filter(isComparison);
  const existing = added.length + compared.length > 0 ? await readFirst(ctx, environmentId) : new Map<string, EnvVar>();
  const left = compareExisting(compared, existing);
  refuse(order, added, existing, left.failed);

  const outcome = emptyOutcome();
  adopt({ ctx, environmentId, outcome }, added, existing);
  for (const [name, one] of left.found) (left.kept.has(name) ? outcome.adopted : outcome.found).set(name, one);
  const baseline = baselineOf(known.values(), timesOf(added, existing));
  const due = steps.filter(isWrite).filter(({ name }) => !outcome.adopted.has(name));
  const writing = { ctx, environmentId, baseline, outcome };
  await writeVariables(
    writing,
    due.map(({ wanted }) => wanted),
  );
  await writeVariables({ ...writing, isOnce: true }, left.written);
  for (const [name, reason] of left.failed) outcome.failed.set(name, reason);
  // Right after the writes: others may wait for these names, and this resource for theirs.
  environment.variables.take(ownedNames(steps, outcome));
  environment.variables.fail(outcome.failed.keys());
  mergeWrites(environment.reading, outcome);
  // An order whose writes were ended early deletes nothing.
  if (outcome.abortedBy === undefined) {
    const removed = steps.filter(isRemoval).map((step) => step.known);
    await deleteVariables({ ctx, environmentId, outcome, by }, removed);
  }
  for (const name of outcome.deleted) environment.reading.merge(name, undefined);
  if (outcome.failed.size > 0) environment.reading.drop();
  return { steps, outcome };
}

/** While the names are held: the next reader goes by what was written here. */
function mergeWrites(reading: SharedVariables, { stored, failed }: Outcome): void {
  for (const [name, { source }] of stored) {
    if (source === undefined) reading.drop();
    else reading.merge(name, source);
  }
  if (failed.size > 0) reading.drop();
}

/** What is there, for names that may be somebody else's, or whose value is the service's. @throws MissingError */
async function readFirst(ctx: Context, environmentId: string): Promise<ReadonlyMap<string, EnvVar>> {
  const existing = await readShared(ctx, environmentId);
  if (existing === undefined) throw unavailableVariables(ctx, environmentId, "Nothing was written.");
  return existing;
}

/** @throws ConflictError, RefusedError, CancelledError when nothing may be written */
function refuse(
  { ctx, environmentId, isCreate = false }: Order,
  added: readonly Variable[],
  existing: ReadonlyMap<string, EnvVar>,
  missing: ReadonlyMap<string, string>,
): void {
  const refusal =
    conflictOf(ctx, environmentId, added, existing) ??
    (isCreate ? refusalOfExisting(ctx, environmentId, missing) : undefined);
  if (refusal !== undefined) throw refusal;
  if (ctx.signal.aborted) throw new CancelledError("cancelled before anything was sent", false);
}

/** Names that the resource has now, and no other resource's update or delete may take away. */
function ownedNames(steps: readonly Step[], { stored, adopted, found, uncertain }: Outcome): readonly string[] {
  const isWritten = (name: string): boolean => [stored, adopted, found, uncertain].some((names) => names.has(name));
  return steps.flatMap(({ name, wanted, known }) =>
    wanted !== undefined && ((known !== undefined && known.isGiven !== true) || isWritten(name)) ? [name] : [],
  );
}

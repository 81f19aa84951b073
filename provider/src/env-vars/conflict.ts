import type { EnvVar } from "../client/env-vars";
import type { Context } from "../framework/context";
import { nameList } from "../framework/names";
import { RefusedError } from "../framework/partial-failure";
import { echoes, keep } from "./answer";
import { showsNothing } from "./mask";
import type { KnownVariable, Variable } from "./variable";

/** What to do with names that a create or update adds. */
export interface Admission {
  /** Already as declared, and visible: taken over without a write. */
  readonly taken: ReadonlyMap<string, KnownVariable>;
  /** `updated_at` of the added names, as far as somebody looked; a name that did not exist has `undefined`. */
  readonly before: ReadonlyMap<string, string | undefined>;
}

/**
 * Decides about names that are new to a resource. With `fail`, one read: a name that exists with something else is
 * refused, all of them in one error, before any write; one that may be as declared is taken over, so that a create
 * repeated after a crash succeeds.
 * @throws RefusedError that lists the names.
 */
export async function admit(
  ctx: Context,
  environmentId: string,
  added: readonly Variable[],
  onConflict: "fail" | "overwrite",
): Promise<Admission> {
  if (onConflict === "overwrite" || added.length === 0) return { taken: new Map(), before: new Map() };
  const { variables } = await ctx.client.envVars.list(environmentId, { signal: ctx.signal });
  const existing = new Map(variables.map((item) => [item.name, item]));
  const conflicts = added.filter((variable) => isConflict(ctx, environmentId, variable, existing));
  if (conflicts.length > 0) throw conflictError(environmentId, conflicts);
  return admitFrom(ctx, environmentId, added, existing);
}

/** Whether a declared name exists with something that the declared value cannot be, and that no resource of this run left. */
export function isConflict(
  ctx: Context,
  environmentId: string,
  variable: Variable,
  existing: ReadonlyMap<string, EnvVar>,
): boolean {
  const item = existing.get(variable.name);
  if (item === undefined || echoes(item, variable)) return false;
  return !ctx.environment(environmentId).variables.isLeft(variable.name);
}

/** Admits names that do not conflict: those that are visibly as declared need no write. */
export function admitFrom(
  ctx: Context,
  environmentId: string,
  added: readonly Variable[],
  existing: ReadonlyMap<string, EnvVar>,
): Admission {
  warnOfOpaque(ctx, environmentId, added, existing);
  const taken = added.flatMap((variable) => {
    const item = existing.get(variable.name);
    const isThere = item !== undefined && !variable.hidden && echoes(item, variable);
    return isThere ? [[variable.name, keep(variable, item)] as const] : [];
  });
  // Of what exists without a time nothing can be told later by its time.
  const dated = added.filter(({ name }) => !existing.has(name) || existing.get(name)?.updatedAt !== undefined);
  return {
    taken: new Map(taken),
    before: new Map(dated.map(({ name }) => [name, existing.get(name)?.updatedAt])),
  };
}

/** @see admit */
export function conflictError(environmentId: string, conflicts: readonly Variable[]): RefusedError {
  const names = conflicts.map(({ name }) => name);
  return new RefusedError(
    `environment ${environmentId} already has ${names.length === 1 ? "a variable" : "variables"} with another value, ` +
      `visibility or scope than declared: ${nameList(names)}. Nothing was written. ` +
      `Set onConflict: "overwrite" to take them over, or remove them from the program or from the environment.`,
  );
}

/** A mask without a visible character fits every value, so nothing protects what was there: say so. */
function warnOfOpaque(
  ctx: Context,
  environmentId: string,
  added: readonly Variable[],
  existing: ReadonlyMap<string, EnvVar>,
): void {
  const opaque = added.filter(({ name, hidden }) => hidden && showsNothing(existing.get(name)?.value ?? ""));
  if (opaque.length === 0) return;
  const names = nameList(opaque.map(({ name }) => name));
  ctx.log.warn(
    `environment ${environmentId} already had ${names}: the service masks the whole value, so it could not be ` +
      `compared with the declared one; it was taken over and written.`,
  );
}

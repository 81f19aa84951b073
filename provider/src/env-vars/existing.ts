import type { EnvVar } from "../client/env-vars";
import { nameList } from "../client/error-text";
import type { Context } from "../framework/context";
import { RefusedError } from "../framework/partial-failure";
import { asStored, matchesDeclared, showsNothing } from "./answer";
import { EXISTING } from "./placeholder";
import { type KnownVariable, sameScope, type Variable } from "./variable";
import type { DeclaredStep } from "./plan";
import { failureText } from "./report";
import type { Outcome, Writing } from "./write";

const MISSING =
  "declared with `existing()`, and the environment does not have it: create it there, or declare a value in the program";
const UNCHANGEABLE =
  "its services or visibility cannot be changed, because the service hides its value and the program declares `existing()`: " +
  "change them in the dashboard, or declare a value in the program";

/**
 * Why the names that are new to a resource cannot be written: some exist with something else. All of them are in one error.
 * `undefined` when none is in the way.
 */
export function conflictOf(
  ctx: Context,
  environmentId: string,
  added: readonly Variable[],
  existing: ReadonlyMap<string, EnvVar>,
): ConflictError | undefined {
  const names = conflictingNames(ctx, environmentId, added, existing);
  if (names.length === 0) return undefined;
  const [it, variables] = names.length === 1 ? ["it", "a variable"] : ["them", "variables"];
  return new ConflictError(
    `environment ${environmentId} already has ${variables} with another value, visibility or scope than declared: ` +
      `${nameList(names)}. Nothing was written. A resource of this program or of this stack may still have ${it}: then run ` +
      `\`pulumi up --refresh\`, or use the resource option aliases when that resource was only renamed. To take ${it} over ` +
      `from anybody else, set onConflict: "overwrite". Or remove ${it} from the program or from the environment.`,
    names,
  );
}

/** Names that exist with something that the declared value cannot be, and that no state of this stack has. */
export function conflictingNames(
  ctx: Context,
  environmentId: string,
  added: readonly Variable[],
  existing: ReadonlyMap<string, EnvVar>,
): readonly string[] {
  const { variables } = ctx.environment(environmentId);
  const isConflict = (variable: Variable): boolean => {
    const item = existing.get(variable.name);
    return item !== undefined && !matchesDeclared(item, variable) && !variables.isShown(variable.name);
  };
  return added.filter(isConflict).map(({ name }) => name);
}

/** Names that are new to a resource exist with something else. */
export class ConflictError extends RefusedError {
  readonly names: readonly string[];

  constructor(message: string, names: readonly string[]) {
    super(message);
    this.names = names;
  }
}

/** Takes over what is visibly as declared: it needs no write. What is hidden and fits is written, since nobody can see it. */
export function adopt(
  { ctx, environmentId, outcome }: Pick<Writing, "ctx" | "environmentId" | "outcome">,
  added: readonly Variable[],
  existing: ReadonlyMap<string, EnvVar>,
): void {
  warnOfFullyMasked(ctx, environmentId, added, existing);
  for (const variable of added) {
    const item = existing.get(variable.name);
    if (item === undefined || variable.hidden || !matchesDeclared(item, variable)) continue;
    outcome.adopted.set(variable.name, asStored(variable, item));
  }
}

/** `updatedAt` of names that were read right before a write. What exists without a time is left out: it tells nothing later. */
export function timesOf(
  added: readonly Variable[],
  existing: ReadonlyMap<string, EnvVar>,
): ReadonlyMap<string, string | undefined> {
  const dated = added.filter(({ name }) => !existing.has(name) || existing.get(name)?.updatedAt !== undefined);
  return new Map(dated.map(({ name }) => [name, existing.get(name)?.updatedAt]));
}

/** Warns of masks without a visible character: every value fits them, so that nothing shows whether the value was another one. */
function warnOfFullyMasked(
  ctx: Context,
  environmentId: string,
  added: readonly Variable[],
  existing: ReadonlyMap<string, EnvVar>,
): void {
  const fullyMasked = added.filter(({ name, hidden }) => hidden && showsNothing(existing.get(name)?.value ?? ""));
  if (fullyMasked.length === 0) return;
  const names = nameList(fullyMasked.map(({ name }) => name));
  ctx.log.warn(
    `environment ${environmentId} already had ${names}: the service masks the whole value, so it could not be ` +
      `compared with the declared one; it was taken over and written.`,
  );
}

/** What the service has for variables whose value the program leaves to it. */
interface ExistingValues {
  /** As declared: nothing to do. */
  readonly kept: ReadonlyMap<string, KnownVariable>;
  /** Visible, and to be changed in services or visibility: written with the value just read. */
  readonly written: readonly Variable[];
  /** Reasons by name. */
  readonly failed: ReadonlyMap<string, string>;
}

/** Compares what a program declares with `existing()` with what the service has. */
export function compareExisting(steps: readonly DeclaredStep[], existing: ReadonlyMap<string, EnvVar>): ExistingValues {
  const kept = new Map<string, KnownVariable>();
  const written: Variable[] = [];
  const failed = new Map<string, string>();
  for (const { name, wanted } of steps) {
    const item = existing.get(name);
    if (item === undefined) failed.set(name, MISSING);
    else if (item.hidden === wanted.hidden && sameScope(item.services, wanted.services))
      kept.set(name, asExisting({ ...wanted, updatedAt: item.updatedAt ?? "", writeFailed: false, source: item }));
    else if (item.hidden) failed.set(name, UNCHANGEABLE);
    else written.push({ ...wanted, value: item.value });
  }
  return { kept, written, failed };
}

/** A create is refused as a whole, before any write. */
export function refusalOfExisting(
  environmentId: string,
  failed: ReadonlyMap<string, string>,
): RefusedError | undefined {
  if (failed.size === 0) return undefined;
  return new RefusedError(failureText(`environment ${environmentId}: nothing was written`, failed));
}

/** A variable as state has it: without the value, which is the service's. */
function asExisting(one: KnownVariable): KnownVariable {
  return { ...one, value: EXISTING };
}

/** After the writes, state keeps no value of these names; of one whose write got no answer it keeps what it had. */
export function forgetValues({ stored, uncertain }: Outcome, written: readonly Variable[]): void {
  for (const { name } of written) {
    const one = stored.get(name);
    if (one !== undefined) stored.set(name, asExisting(one));
    uncertain.delete(name);
  }
}

import type { EnvVar } from "../client/env-vars";
import type { Context } from "../framework/context";
import { nameList } from "../client/error-text";
import { RefusedError } from "../framework/partial-failure";
import { EXISTING, isExisting } from "./existing";
import type { Outcome } from "./outcome";
import type { DeclaredStep } from "./plan";
import { failureText } from "./report";
import { type KnownVariable, sameScope, scope, type Variable } from "./variable";

const MISSING =
  "declared with `existing()`, and the environment does not have it: create it there, or declare a value in the program";
const UNCHANGEABLE =
  "its services or visibility cannot be changed, because the service hides its value and the program declares `existing()`: " +
  "change them in the dashboard, or declare a value in the program";

/** What the service has for variables whose value the program leaves to it. */
export interface ExistingValues {
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
export function asExisting(one: KnownVariable): KnownVariable {
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

/** What a refresh makes of it: no value and no time, so that neither drifts. */
export function observeExisting(known: KnownVariable, found: EnvVar): KnownVariable {
  return { ...known, hidden: found.hidden, services: scope(found.services) };
}

/** Warns of variables that must exist and do not any more: the next `up` cannot create them. */
export function warnOfMissing(
  ctx: Context,
  environmentId: string,
  known: Iterable<KnownVariable>,
  found: ReadonlyMap<string, EnvVar>,
): void {
  const names = [...known].filter(({ name, value }) => isExisting(value) && !found.has(name)).map(({ name }) => name);
  if (names.length === 0) return;
  ctx.log.warn(
    `environment ${environmentId} does not have ${nameList(names)} any more, which the program declares with \`existing()\`: ` +
      `create ${names.length === 1 ? "it" : "them"} there, or declare ${names.length === 1 ? "a value" : "values"} in the program.`,
  );
}

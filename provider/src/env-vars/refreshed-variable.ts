import type { EnvVar } from "../client/env-vars";
import { nameList } from "../client/error-text";
import type { Context } from "../framework/context";
import { fitsMask } from "./mask";
import { placeholder } from "./placeholder";
import { isWrittenSince, kindOf, type OwnVariable, scope, type StoredVariable, withoutValue } from "./variable";

/**
 * What a refresh makes of one variable of the resource. Its scope is what the service has. A value that is as state has
 * it stays. Everything else becomes the visible value, or a placeholder that differs from whatever is declared, so that the
 * next `up` restores it.
 */
export function refreshVariable(before: OwnVariable, there: EnvVar): OwnVariable {
  const services = scope(there.services);
  // No value and no time of it, so that neither drifts.
  if (before.kind === "existing") return { ...before, hidden: there.hidden, services };
  const updatedAt = there.updatedAt ?? "";
  const now = { ...before, services, updatedAt };
  // The engine does not encrypt a name that the program does not declare: nothing of the value may follow it into state.
  if (before.kind === "undeclared") return now;
  // A note instead of a mask: the value moves between a visible and a hidden place, and no part of it may follow.
  if (there.hidden !== before.hidden) return withoutValue(now, updatedAt, there.hidden ? "hidden" : "visible");
  // With a time, it is known that the last write failed, and the next one is still due.
  const isDue = before.kind === "unknown" && before.updatedAt === updatedAt && updatedAt !== "";
  if (!there.hidden) return isDue ? now : { ...now, kind: kindOf(there.value), value: there.value };
  const isUntouched = before.updatedAt === updatedAt || before.updatedAt === "";
  if (before.kind === "unknown") {
    if (isUntouched) return now;
    // A placeholder may be in plain state, and then no part of the value may follow it there.
    return withoutValue(now, updatedAt, before.isMissingInInputs === true ? "" : there.value);
  }
  // Nothing was written since: the time of state stays too.
  if (isUntouched && fitsMask(before.value, there.value)) return { ...before, services };
  return withoutValue(now, updatedAt, there.value);
}

/**
 * A variable that the set does not have, as a pruning set shows it in a preview before deleting it: by its name. Its value may be a
 * secret that the set could not write.
 */
export function unmanaged({ name, hidden, services, updatedAt = "" }: EnvVar): StoredVariable {
  return { kind: "unmanaged", name, hidden, value: placeholder(updatedAt, ""), services, updatedAt };
}

/** Whether a name that was left to another resource is still as it was then: nobody has written or deleted it since. */
export function isStillHandedOver(variable: StoredVariable, there: EnvVar | undefined): boolean {
  return variable.kind === "handedOver" && there !== undefined && !isWrittenSince(variable, there);
}

/** Warns of variables that must exist and do not any more: the next `up` cannot create them. */
export function warnOfMissing(
  ctx: Context,
  environmentId: string,
  stored: Iterable<StoredVariable>,
  listed: ReadonlyMap<string, EnvVar>,
): void {
  const names = [...stored]
    .filter(({ kind, name }) => kind === "existing" && !listed.has(name))
    .map(({ name }) => name);
  if (names.length === 0) return;
  ctx.log.warn(
    `environment ${ctx.client.titleOf(environmentId)} does not have ${nameList(names)} any more, which the program declares with \`existing()\`: ` +
      `create ${names.length === 1 ? "it" : "them"} there, or declare ${names.length === 1 ? "a value" : "values"} in the program.`,
  );
}

import type { EnvVar } from "../client/env-vars";
import { nameList } from "../client/error-text";
import type { Context } from "../framework/context";
import type { VariablesByName } from "../run/shared-variables";
import { fitsMask, formOf } from "./shown-value";
import { placeholder } from "./placeholder";
import {
  isShownAlike,
  isWrittenSince,
  valueKindOf,
  type OwnVariable,
  sameScope,
  scope,
  type StoredVariable,
  withoutValue,
} from "./variable";
import { see } from "../client/troubleshooting";

/**
 * One variable of the resource after a refresh. Its scope is that of the service. A value that is as state has
 * it stays. Everything else becomes the visible value, or a placeholder that differs from whatever is declared, so that the
 * next `up` restores it.
 */
export function refreshVariable(stored: OwnVariable, listed: EnvVar): OwnVariable {
  const services = scope(listed.services);
  const { updatedAt = stored.updatedAt } = listed;
  // No value of it, so that none drifts. The time of another value is no drift either.
  if (stored.kind === "existing")
    return isShownAlike(stored, listed) ? stored : { ...stored, hidden: listed.hidden, services, updatedAt };
  const now = { ...stored, services, updatedAt };
  // The engine does not encrypt a name that the program does not declare: nothing of the value may follow it into state.
  if (stored.kind === "undeclared") return now;
  // A note instead of a mask: the value moves between a visible and a hidden place, and no part of it may follow.
  if (listed.hidden !== stored.hidden) return withoutValue(now, updatedAt, listed.hidden ? "hidden" : "visible");
  const isUntouched = !isWrittenSince(stored, listed);
  if (listed.hidden) return refreshHidden(stored, now, listed.value, isUntouched);
  // With a time, it is known that the last write failed, and the next one is still due.
  const isWriteStillDue = stored.kind === "placeholder" && stored.updatedAt === listed.updatedAt;
  const isInOtherForm = stored.isOtherForm === true && isUntouched && formOf(stored, listed) !== undefined;
  return isWriteStillDue || isInOtherForm ? now : { ...now, kind: valueKindOf(listed.value), value: listed.value };
}

/** A variable whose value the service hides: its time and its mask tell whether somebody has written it. */
function refreshHidden(stored: OwnVariable, now: OwnVariable, mask: string, isUntouched: boolean): OwnVariable {
  const isAsWritten = stored.kind === "placeholder" || stored.isOtherForm === true || fitsMask(stored.value, mask);
  // With the time that is listed, when the answer to the write had none.
  return isUntouched && isAsWritten ? now : withoutValue(now, now.updatedAt, mask);
}

/**
 * Whether a refresh has found drift that no later update may see: the program may declare by now what the service has, because a run that was
 * killed has written or deleted it. Then nothing would be built with it. A hidden value that somebody has written always differs.
 */
export function mayEscapeNextUpdate(stored: Iterable<StoredVariable>, shown: readonly StoredVariable[]): boolean {
  const now = new Map(shown.map((variable) => [variable.name, variable]));
  return [...stored].some((variable) => {
    const found = now.get(variable.name);
    if (found === undefined) return true;
    const hasOtherValue = found.kind === "value" && !found.hidden && found.value !== variable.value;
    return hasOtherValue || !sameScope(found.services, variable.services);
  });
}

/**
 * A variable that the set does not have, as a pruning set shows it in a preview before deleting it: by its name. Its value may be a
 * secret that the set could not write.
 */
export function unmanaged({ name, hidden, services, updatedAt = "" }: EnvVar): StoredVariable {
  return { kind: "unmanaged", name, hidden, value: placeholder(updatedAt, ""), services, updatedAt };
}

/** Warns of variables that must exist and do not any more: the next `up` cannot create them. */
export function warnOfMissing(
  ctx: Context,
  environmentId: string,
  stored: Iterable<StoredVariable>,
  list: VariablesByName,
): void {
  const names = [...stored].filter(({ kind, name }) => kind === "existing" && !list.has(name)).map(({ name }) => name);
  if (names.length === 0) return;
  ctx.log.warn(
    `environment ${ctx.client.titleOf(environmentId)} does not have ${nameList(names)} any more, which the program declares with \`existing()\`: ` +
      `create ${names.length === 1 ? "it" : "them"} there, or declare ${names.length === 1 ? "a value" : "values"} in the program. ${see("no-such-variable")}`,
  );
}

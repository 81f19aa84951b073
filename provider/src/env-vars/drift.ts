import type { EnvVar } from "../client/env-vars";
import { nameList } from "../client/error-text";
import type { Context } from "../framework/context";
import { isExisting, isPlaceholder, NOT_DECLARED, placeholder, readPlaceholder } from "./placeholder";
import { isWrittenSince, type KnownVariable, scope } from "./variable";
import { fitsMask } from "./answer";

/**
 * What a refresh makes of one variable of the resource. Its scope is what the service has; a value that is as state knows
 * it stays; everything else becomes the visible value, or a placeholder that differs from whatever is declared, so that the
 * next `up` restores it.
 */
export function observe(before: KnownVariable, found: EnvVar): KnownVariable {
  // No value and no time of it, so that neither drifts.
  if (isExisting(before.value)) return { ...before, hidden: found.hidden, services: scope(found.services) };
  const updatedAt = found.updatedAt ?? "";
  const services = scope(found.services);
  const { note: _note, ...known } = before;
  // The engine does not encrypt a name that the program does not declare: nothing of the value may follow it into state.
  if (readPlaceholder(known.value)?.note === NOT_DECLARED) return { ...known, services, updatedAt };
  if (found.hidden !== known.hidden) {
    // A note instead of a mask: the value moves between a visible and a hidden place, and no part of it may follow.
    const note = found.hidden ? "hidden" : "visible";
    return { ...known, services, updatedAt, value: placeholder(updatedAt, note), note };
  }
  if (!found.hidden) return { ...known, services, updatedAt, value: found.value };
  if (isStillKnown(known, found)) return { ...known, services };
  if (isPlaceholder(known.value) && (known.updatedAt === updatedAt || known.updatedAt === ""))
    return { ...known, services, updatedAt };
  // A placeholder may be in plain state, and then no part of the value may follow it there.
  const isPlain = isPlaceholder(known.value) && known.notYetSecretInInputs === true;
  return { ...known, services, updatedAt, value: placeholder(updatedAt, isPlain ? "" : found.value) };
}

/** Whether a hidden value is what state says: nothing was written since. */
function isStillKnown({ value, updatedAt }: KnownVariable, found: EnvVar): boolean {
  const isUntouched = updatedAt === (found.updatedAt ?? "") || updatedAt === "";
  return !isPlaceholder(value) && isUntouched && fitsMask(value, found.value);
}

/**
 * A variable that the set does not have, as a pruning set shows it in a preview before deleting it. `isUnfinished`: the set was
 * to write it, maybe as a secret, so that its value must not be shown even where the service does.
 */
export function unmanaged(found: EnvVar, isUnfinished: boolean): KnownVariable {
  const { name, hidden, services, updatedAt: seenAt } = found;
  const value = hidden || isUnfinished ? placeholder(seenAt ?? "", "") : found.value;
  const one = { name, value, hidden, services, updatedAt: undefined, writeFailed: false };
  return seenAt === undefined ? one : { ...one, seenAt };
}

/** Whether a name that was left to another resource is still as it was then: nobody has written or deleted it since. */
export function isStillGiven(one: KnownVariable, found: EnvVar | undefined): boolean {
  return one.isGiven === true && found !== undefined && !isWrittenSince(one, found);
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
    `environment ${ctx.client.titleOf(environmentId)} does not have ${nameList(names)} any more, which the program declares with \`existing()\`: ` +
      `create ${names.length === 1 ? "it" : "them"} there, or declare ${names.length === 1 ? "a value" : "values"} in the program.`,
  );
}

import type { EnvVar } from "../../client/env-vars";
import { fitsMask } from "./mask";
import { isStandIn, standIn } from "./stand-in";
import { type KnownVariable, sameScope } from "./variable";

/**
 * What a refresh makes of one variable of the resource. A value that is as state knows it stays; everything else
 * becomes the visible value, or a stand-in that differs from whatever is declared, so that the next `up` restores it.
 */
export function observe(known: KnownVariable, found: EnvVar): KnownVariable {
  const updatedAt = found.updatedAt ?? "";
  return { ...known, updatedAt, value: observedValue(known, found, updatedAt) };
}

function observedValue(known: KnownVariable, found: EnvVar, updatedAt: string): string {
  // Notes instead of masks here: the value moves between a visible and a hidden place, and no part of it may follow.
  if (found.hidden !== known.hidden) return standIn(updatedAt, found.hidden ? "hidden" : "visible");
  if (!sameScope(found.services, known.services)) return standIn(updatedAt, `services ${found.services.join(",")}`);
  if (!found.hidden) return found.value;
  const unchanged =
    !isStandIn(known.value) &&
    (known.updatedAt === updatedAt || known.updatedAt === "") &&
    fitsMask(known.value, found.value);
  return unchanged ? known.value : standIn(updatedAt, found.value);
}

/** A variable that no program declares, as a pruning set shows it in a preview before deleting it. */
export function foreign(found: EnvVar): KnownVariable {
  const { name, hidden, services } = found;
  const value = hidden ? standIn(found.updatedAt ?? "", "") : found.value;
  return { name, value, hidden, services, updatedAt: undefined, owed: false };
}

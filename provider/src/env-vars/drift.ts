import type { EnvVar } from "../client/env-vars";
import { fitsMask } from "./mask";
import { isStandIn, standIn } from "./placeholder";
import { type KnownVariable, sameScope } from "./variable";

const UNFINISHED = "written by an unfinished update";

/**
 * What a refresh makes of one variable of the resource. A value that is as state knows it stays; everything else
 * becomes the visible value, or a stand-in that differs from whatever is declared, so that the next `up` restores it.
 */
export function observe(known: KnownVariable, found: EnvVar): KnownVariable {
  const updatedAt = found.updatedAt ?? "";
  // No part of it either: a mask shows some.
  if (known.isUnmarked === true) return { ...known, updatedAt, value: standIn(updatedAt, UNFINISHED) };
  const note = noteOn(known, found);
  if (note !== undefined) return { ...known, updatedAt, value: standIn(updatedAt, note), note };
  return { ...known, updatedAt, value: observedValue(known, found, updatedAt) };
}

/** What is not as declared beside the value. A note instead of a mask: the value moves between a visible and a hidden
 * place, and no part of it may follow. */
function noteOn(known: KnownVariable, found: EnvVar): string | undefined {
  if (found.hidden !== known.hidden) return found.hidden ? "hidden" : "visible";
  return sameScope(found.services, known.services) ? undefined : `services ${found.services.join(",")}`;
}

function observedValue(known: KnownVariable, found: EnvVar, updatedAt: string): string {
  if (!found.hidden) return found.value;
  // Nothing has become known since.
  if (isStandIn(known.value) && known.updatedAt === updatedAt) return known.value;
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

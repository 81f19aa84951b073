import { toUSVString } from "node:util";
import type { EnvVar } from "../client/env-vars";
import { isSegment } from "../client/call";
import type { Properties } from "../framework/properties";

/** A variable as a program declares it. */
export interface Variable {
  readonly name: string;
  readonly value: string;
  readonly hidden: boolean;
  /** Sorted, without repetitions; empty for every service. */
  readonly services: readonly string[];
}

/** A variable as state knows it. */
export interface KnownVariable extends Variable {
  /** The service's `updated_at` ("" when it gave none) for a variable of this resource; `undefined` for one of somebody
   * else that a refresh of a set with `prune` saw. */
  readonly updatedAt: string | undefined;
  /** The service's `updated_at` of such a variable of somebody else. */
  readonly seenAt?: string;
  /** The resource has left the name to another resource of the program. Only `name` and `updatedAt` are known then. */
  readonly isGiven?: boolean;
  /** The last write of it failed, and state does not show that by itself: it is written again. */
  readonly writeFailed: boolean;
  /** An update that failed in part wrote this secret. The engine still has the inputs from before, and would not encrypt
   * the value as an input that a refresh reads. */
  readonly notYetSecretInInputs?: boolean;
  /** What a refresh found instead of what is declared, beside value and scope: `visible`. */
  readonly note?: string;
  /** The service's own record, right after it was read or written; not part of state. */
  readonly source?: EnvVar;
}

/** Whether the resource wrote the variable or took it over, and has not left it to another resource since. */
export function isOwned({ updatedAt, isGiven = false }: KnownVariable): boolean {
  return updatedAt !== undefined && !isGiven;
}

/** A variable that was left to another resource. Its time tells whether somebody has written it since. */
export function given(name: string, updatedAt: string): KnownVariable {
  return { name, value: "", hidden: false, services: [], updatedAt, writeFailed: false, isGiven: true };
}

/**
 * Whether somebody has written a variable since the resource last saw it. The service's times have whole seconds; where one of
 * the times is not known, nothing tells so.
 */
export function isWrittenSince({ updatedAt = "", seenAt = "" }: KnownVariable, found: EnvVar | undefined): boolean {
  const known = updatedAt === "" ? seenAt : updatedAt;
  return known !== "" && found?.updatedAt !== undefined && found.updatedAt !== known;
}

/** Whether state is of a resource that a program only looks at: of any other, Check has filled in `onConflict`. */
export function isLookedUp({ onConflict }: Properties): boolean {
  return onConflict === undefined;
}

/** One form for a scope: sorted, each service once. The specification: null means all services, answered as []. */
export function scope(services: readonly string[] | null | undefined): readonly string[] {
  if (services === null || services === undefined) return [];
  return services.length < 2 ? services : [...new Set(services)].toSorted();
}

/** A declared scope in its one form; "every service" is left out. */
export function declaredScope(services: readonly string[] | undefined): string[] | undefined {
  return services?.length ? [...scope(services)] : undefined;
}

/** Scopes of single variables in their one form; those that equal `services`, when these are known, are left out. */
export function declaredScopes(
  scopes: Readonly<Record<string, readonly string[]>>,
  services: readonly string[] | undefined,
): Record<string, string[]> {
  const entries = Object.entries(scopes)
    .filter(([, one]) => services === undefined || !sameScope(one, services))
    .map(([name, one]): [string, string[]] => [name, [...scope(one)]]);
  return Object.fromEntries(entries.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

export function sameScope(left: readonly string[], right: readonly string[]): boolean {
  const [a, b] = [scope(left), scope(right)];
  return a.length === b.length && a.every((service, index) => service === b[index]);
}

/** Whether a map in state can contain the name: `__proto__` is no ordinary key, and half of a character has no UTF-8 form. */
export function canBeInState(name: string): boolean {
  return name !== "__proto__" && toUSVString(name) === name;
}

/** Longer addresses are refused by usual servers and proxies before the service sees them (8 KiB with all headers). */
const MAX_ENCODED_CHARACTERS = 4000;

/** Whether a request can delete a variable that somebody else has named, and state can say so before. */
export function isPrunable(name: string): boolean {
  return canBeInState(name) && isSegment(name) && encodeURIComponent(name).length <= MAX_ENCODED_CHARACTERS;
}

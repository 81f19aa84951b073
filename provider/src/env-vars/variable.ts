import type { EnvVar } from "../client/env-vars";
import { isSegment } from "../client/text-rules";
import { isMapKey } from "../framework/name-rules";
import type { Properties } from "../framework/properties";
import { isExisting, isPlaceholder, NOT_DECLARED, noteIn, placeholder } from "./placeholder";

const UNANSWERED = "its write got no answer";

/** Where a variable is, and who sees it. */
interface Place {
  readonly name: string;
  readonly hidden: boolean;
  /** Sorted, without repetitions. Empty for every service. */
  readonly services: readonly string[];
}

/** A variable as a program declares it. */
export interface Variable extends Place {
  /**
   * `placeholder`: the value is not known, and `value` is a placeholder, which is never sent. `existing`: the value is the service's, and
   * never compared.
   */
  readonly kind: "value" | "placeholder" | "existing";
  readonly value: string;
}

/** A variable of this resource as state has it. */
export interface OwnVariable extends Place {
  /** As in a declared variable. `undeclared`: the program dropped it, and it is still on the service. `value` is a placeholder. */
  readonly kind: Variable["kind"] | "undeclared";
  readonly value: string;
  /** The service's `updated_at`. "" when it gave none, or when it is not known. */
  readonly updatedAt: string;
  /** When the value was written, the service showed another form of it: what it shows tells nothing while its time stays. */
  readonly isOtherForm?: true;
}

/** The record of one name in state. */
export type StoredVariable =
  | OwnVariable
  /** Somebody else's, which a refresh of a set with `prune` saw, or one given to a `get`. */
  | (Place & { readonly kind: "unmanaged"; readonly value: string; readonly updatedAt: string });

/** Whether the resource wrote, took over or imported the variable. */
export function isOwn(variable: StoredVariable): variable is OwnVariable {
  return variable.kind !== "unmanaged";
}

/** The meaning of the text in the place of a declared value. */
export function valueKindOf(value: string): Variable["kind"] {
  if (isExisting(value)) return "existing";
  return isPlaceholder(value) ? "placeholder" : "value";
}

/** Whether state has a value that the service shows in another form. */
export function isInOtherForm({ kind, isOtherForm }: OwnVariable): boolean {
  return kind === "value" && isOtherForm === true;
}

/** The meaning of the text in the place of a value in state. */
export function storedKindOf(value: string): OwnVariable["kind"] {
  return noteIn(value) === NOT_DECLARED ? "undeclared" : valueKindOf(value);
}

/**
 * A variable that may have been written or not. No mask: the engine may have it in a place that it does not encrypt. No time: a
 * write that arrives late must not look like somebody else's.
 */
export function asNotKnown(variable: Variable): OwnVariable {
  return withoutValue(variable, "", UNANSWERED);
}

/** The variable with a placeholder instead of its value, because the value on the service is not known. `note` says why, or is the mask. */
export function withoutValue<T extends Place>(variable: T, updatedAt: string, note: string): T & OwnVariable {
  return { ...variable, kind: "placeholder", value: placeholder(updatedAt, note), updatedAt };
}

/**
 * A variable that is not declared in its place any more. The engine encrypts an output when the input of the same place is a secret, and
 * there is no such input: the value must not be in state, and nobody needs it.
 */
export function asUndeclared(variable: OwnVariable): OwnVariable {
  if (variable.kind === "existing") return variable;
  return { ...variable, kind: "undeclared", value: placeholder(variable.updatedAt, NOT_DECLARED) };
}

/**
 * Whether somebody has written a variable since the resource last saw it. The service's times have whole seconds. Where one of
 * the times is not known, nothing tells so.
 */
export function isWrittenSince({ updatedAt }: StoredVariable, listed: EnvVar): boolean {
  return updatedAt !== "" && listed.updatedAt !== undefined && listed.updatedAt !== updatedAt;
}

/** Whether state is of a resource that a program only looks at: of any other, Check has filled in `onConflict`. */
export function isFromGet({ onConflict }: Properties): boolean {
  return onConflict === undefined;
}

/** One form for a scope: sorted, each service once. */
export function scope(services: readonly string[]): readonly string[] {
  return services.length < 2 ? services : [...new Set(services)].toSorted();
}

/** One form for the names that a service may treat as the same, because it knows no capital letters or trims names. */
export function looseForm(name: string): string {
  return name.normalize("NFKC").trim().toLowerCase();
}

/** The order of variables in requests and in state. */
export function byVariableName(left: { readonly name: string }, right: { readonly name: string }): number {
  return left.name < right.name ? -1 : 1;
}

/** A declared scope in its one form. "every service" is left out. */
export function declaredScope(services: readonly string[] | undefined): string[] | undefined {
  return services?.length ? [...scope(services)] : undefined;
}

/** Scopes of single variables in their one form. Those that equal `services`, when these are known, are left out. */
export function declaredScopes(
  scopes: Readonly<Record<string, readonly string[]>>,
  services: readonly string[] | undefined,
): Record<string, string[]> {
  const entries = Object.entries(scopes)
    .filter(([, one]) => services === undefined || !sameScope(one, services))
    .map(([name, one]): [string, string[]] => [name, [...scope(one)]]);
  return Object.fromEntries(entries.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

/** Whether the service shows two variables of a name to the same people and services, whatever their values. */
export function isShownAlike(
  left: Pick<Variable, "hidden" | "services">,
  right: Pick<Variable, "hidden" | "services">,
): boolean {
  return left.hidden === right.hidden && sameScope(left.services, right.services);
}

export function sameScope(left: readonly string[], right: readonly string[]): boolean {
  const [a, b] = [scope(left), scope(right)];
  return a.length === b.length && a.every((service, index) => service === b[index]);
}

/** Longer addresses are refused by usual servers and proxies before the service sees them (8 KiB with all headers). */
const MAX_ENCODED_CHARACTERS = 4000;

/** Whether `prune` can delete a variable that somebody else has named: state has to name it first, and a request has to address it. */
export function isPrunable(name: string): boolean {
  return isMapKey(name) && isSegment(name) && encodeURIComponent(name).length <= MAX_ENCODED_CHARACTERS;
}

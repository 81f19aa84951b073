import { diffValue } from "../framework/diff";
import { matchesAny } from "../framework/globs";
import type { Properties } from "../framework/properties";
import { isStandIn } from "./placeholder";
import { isAsDeclared, isPrunable, type KnownVariable, type Variable } from "./variable";

/** What has to happen to bring a set to its declaration; decided without a request. */
export interface Plan {
  /** Variables to send. */
  readonly send: readonly Variable[];
  /** Of those, the ones that are new to the set. */
  readonly added: readonly Variable[];
  /** Variables that would have to be sent, but whose value is not known. */
  readonly blocked: readonly Variable[];
  /** Names to delete. */
  readonly remove: readonly string[];
}

/** Plans an update, or a create when nothing is known. `again` writes every variable, changed or not. */
export function plan(
  wanted: readonly Variable[],
  before: ReadonlyMap<string, KnownVariable>,
  input: Properties,
  again: boolean,
): Plan {
  // What a refresh merely saw belongs to others until it has been admitted like any name that exists already.
  const mine = new Map([...before].filter(([, one]) => isOwned(one)));
  const due = wanted.filter((variable) => again || !isAsDeclared(mine.get(variable.name), variable));
  const send = due.filter(({ value }) => !isStandIn(value));
  const names = new Set(wanted.map(({ name }) => name));
  return {
    send,
    added: send.filter(({ name }) => !mine.has(name)),
    blocked: due.filter(({ value }) => isStandIn(value)),
    remove: [...before.values()].filter((one) => !names.has(one.name) && mayRemove(input, one)).map(({ name }) => name),
  };
}

/** A variable of the set goes when it is not declared any more; one that a refresh merely saw, when the set prunes. */
export function mayRemove(input: Properties, one: KnownVariable): boolean {
  return isOwned(one) || (prunes(input, one.name) && isPrunable(one.name));
}

/** Whether a set takes away a variable that it does not declare. */
export function prunes(input: Properties, name: string): boolean {
  return input["prune"] === true && !isKept(input, name);
}

/** Whether the set wrote the variable or took it over; a pruning set also sees those of others. */
export function isOwned({ updatedAt }: KnownVariable): boolean {
  return updatedAt !== undefined;
}

/** Whether `keep` spares a name from pruning. */
function isKept({ keep }: Properties, name: string): boolean {
  if (!Array.isArray(keep)) return false;
  return matchesAny(
    name,
    keep.filter((glob) => typeof glob === "string"),
  );
}

/** Whether `triggers` changed, so that everything is written again. */
export function isTriggered(old: Properties, input: Properties): boolean {
  return diffValue(["triggers"], old["triggers"] ?? {}, input["triggers"] ?? {}).length > 0;
}

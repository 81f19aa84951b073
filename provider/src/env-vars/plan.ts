import type { PropertyChange } from "../framework/diff";
import type { OwnedNames } from "../framework/environment-session";
import { isExisting, isPlaceholder, NOT_DECLARED, readPlaceholder } from "./placeholder";
import { isOwned, type KnownVariable, sameScope, type Variable } from "./variable";

/** Why a variable is written or deleted. */
export type Reason =
  /** New to the resource: whatever has the name now may belong to somebody else. */
  | "added"
  | "value"
  | "visibility"
  | "scope"
  | "triggered"
  /** The last write of it failed, and state does not show that by itself. */
  | "write failed"
  /** Another resource of this run deleted it. */
  | "taken by another"
  /** Not declared any more. */
  | "dropped"
  /** Declared by nobody, in the environment of a set with `prune`. */
  | "pruned"
  /** Left to another resource in an earlier run: it goes when no resource wants it any more. */
  | "given";

interface Decision {
  readonly name: string;
  /** Empty when there is nothing to do. First those that state does not show again by itself. */
  readonly reasons: readonly Reason[];
}

/** A declared variable. */
export interface DeclaredStep extends Decision {
  /** `blocked`: it would be written, but its value is not known. `compare`: its value is the service's, and what the service has
   * decides whether anything is written. */
  readonly what: "write" | "blocked" | "compare" | "keep";
  readonly wanted: Variable;
  /** What state knows of it. */
  readonly known: KnownVariable | undefined;
}

/** A variable that state knows and the program does not declare. */
export interface UndeclaredStep extends Decision {
  /** `leave`: it leaves state, and stays on the service. `given`: it is no reason for an update, which deletes it when no
   * resource wants it any more. */
  readonly what: "delete" | "given" | "leave" | "keep";
  readonly wanted?: undefined;
  readonly known: KnownVariable;
}

/** What happens to one variable. */
export type Step = DeclaredStep | UndeclaredStep;

/** What a program declares. */
export interface Target {
  readonly variables: readonly Variable[];
  /** Whether every variable is written again. */
  readonly isTriggered?: boolean;
  /** Whether a variable of somebody else, which the last refresh saw, is deleted. */
  readonly isPruned?: (name: string) => boolean;
}

/** What the run knows about the names of the environment; `undefined` when nothing happened in it. */
export type Ownership = Pick<OwnedNames, "isDeleted" | "isOnlyLookedAt"> | undefined;

/**
 * Decides what brings an environment from what state knows to what the program declares, without a request. The diff, what a
 * preview calls certain, and the writer all follow these steps: one for each name.
 */
export function plan(known: ReadonlyMap<string, KnownVariable>, target: Target, ownership: Ownership): readonly Step[] {
  const declared = new Set(target.variables.map(({ name }) => name));
  const others = [...known.values()].filter(({ name }) => !declared.has(name));
  return [
    ...target.variables.map((wanted): Step => {
      const before = known.get(wanted.name);
      const reasons = reasonsToWrite(wanted, before, { ...target, ownership });
      return { name: wanted.name, what: reasons.length > 0 ? dueFor(wanted) : "keep", reasons, wanted, known: before };
    }),
    ...others.map((one): Step => {
      const reasons = reasonsToDelete(one, target);
      return { name: one.name, what: reasons.length > 0 ? removalOf(one, ownership) : "keep", reasons, known: one };
    }),
  ];
}

/** What an import of the same run has only looked at is nobody's yet. */
function removalOf(
  { name, value, isGiven = false }: KnownVariable,
  ownership: Ownership,
): "delete" | "given" | "leave" {
  if (isGiven) return "given";
  return isExisting(value) || ownership?.isOnlyLookedAt(name) === true ? "leave" : "delete";
}

function dueFor({ value }: Variable): "write" | "blocked" | "compare" {
  if (isExisting(value)) return "compare";
  return isPlaceholder(value) ? "blocked" : "write";
}

function reasonsToWrite(
  wanted: Variable,
  known: KnownVariable | undefined,
  { isTriggered = false, ownership }: { readonly isTriggered?: boolean; readonly ownership: Ownership },
): readonly Reason[] {
  if (known === undefined || !isOwned(known)) return ["added"];
  const reasons: readonly (readonly [Reason, boolean])[] = [
    ["triggered", isTriggered && !isExisting(wanted.value)],
    ["taken by another", ownership?.isDeleted(wanted.name) === true],
    ["write failed", known.writeFailed],
    ["scope", !sameScope(known.services, wanted.services)],
    ["visibility", known.hidden !== wanted.hidden],
    ["value", known.value !== wanted.value && !isOwnPlaceholder(wanted, known)],
  ];
  return reasons.flatMap(([reason, holds]) => (holds ? [reason] : []));
}

/** Whether a refresh put the placeholder into the inputs, where the engine would not have encrypted the value. */
function isOwnPlaceholder(wanted: Variable, known: KnownVariable): boolean {
  return known.notYetSecretInInputs === true && isPlaceholder(wanted.value);
}

function reasonsToDelete(one: KnownVariable, { isPruned }: Target): readonly Reason[] {
  if (one.isGiven === true) return ["given"];
  if (isOwned(one)) return ["dropped"];
  return isPruned?.(one.name) === true ? ["pruned"] : [];
}

/** Whether a step changes something on the service, or would if it could. */
export function isDue({ what }: Step): boolean {
  return what !== "keep" && what !== "given";
}

/** Whether a name goes from the service, unless another resource wants it. */
export function isRemoval(step: Step): step is UndeclaredStep {
  return step.what === "delete" || step.what === "given";
}

/** These show in a diff by the input that changed, and not variable by variable. */
const SHOWN_BY_INPUT: ReadonlySet<Reason> = new Set(["triggered", "scope"]);

/** Whether a declared variable is sent. */
export function isWrite(step: Step): step is DeclaredStep {
  return step.what === "write";
}

/** Whether the value of a variable is the service's. */
export function isComparison(step: Step): step is DeclaredStep {
  return step.what === "compare";
}

/** The declared variables that are new to the resource and are to be sent. */
export function addedIn(steps: readonly Step[]): readonly Variable[] {
  return steps.flatMap((step) => (isWrite(step) && step.reasons.includes("added") ? [step.wanted] : []));
}

/** The changes that a diff shows of a step; `pathOf` says where an input or output has a variable. */
export function changesOf(
  step: Step,
  pathOf: (variable: Variable) => readonly string[],
): readonly (PropertyChange & { readonly mustReport?: boolean })[] {
  const { reasons, wanted, known } = step;
  if (!isDue(step)) return [];
  // The inputs of the update that left it in state do not have it: the engine finds nothing when it compares inputs.
  if (wanted === undefined)
    return [
      {
        path: pathOf(step.known),
        kind: "delete",
        mustReport: readPlaceholder(step.known.value)?.note === NOT_DECLARED,
      },
    ];
  const taken = reasons.includes("taken by another") && { takenByOther: true };
  const path = pathOf(wanted);
  if (known === undefined || known.isGiven === true) return [{ path, kind: "add" }];
  if (known.hidden !== wanted.hidden)
    return [
      { path: pathOf(known), kind: "delete" },
      { path, kind: "add", ...taken },
    ];
  if (reasons.every((reason) => SHOWN_BY_INPUT.has(reason))) return [];
  return [{ path, kind: "update", ...taken, mustReport: known.value === wanted.value }];
}

import type { PropertyChange } from "../framework/diff";
import type { OwnedNames } from "../run/owned-names";
import { isOwn, type OwnVariable, sameScope, type StoredVariable, type Variable } from "./variable";

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
  /** Another resource deleted it in this run. */
  | "deleted in this run"
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
  /** What state has of it. */
  readonly stored: StoredVariable | undefined;
}

/** A variable that state has and the program does not declare. */
export interface UndeclaredStep extends Decision {
  /** `forget`: it leaves state, and stays on the service. `given`: it is no reason for an update, which deletes it when no
   * resource wants it any more. */
  readonly what: "delete" | "given" | "forget" | "keep";
  readonly wanted?: undefined;
  readonly stored: StoredVariable;
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
export type RunNames = Pick<OwnedNames, "isDeleted" | "isOnlyLookedAt"> | undefined;

/**
 * Decides what brings an environment from what state has to what the program declares, without a request. The diff, the
 * preview and the writer all follow these steps: one for each name.
 */
export function plan(
  stored: ReadonlyMap<string, StoredVariable>,
  target: Target,
  ownership: RunNames,
): readonly Step[] {
  const declared = new Set(target.variables.map(({ name }) => name));
  const others = [...stored.values()].filter(({ name }) => !declared.has(name));
  return [
    ...target.variables.map((wanted): Step => {
      const before = stored.get(wanted.name);
      const reasons = reasonsToWrite(wanted, before, { ...target, ownership });
      return { name: wanted.name, what: reasons.length > 0 ? DUE[wanted.is] : "keep", reasons, wanted, stored: before };
    }),
    ...others.map((variable): Step => ({
      name: variable.name,
      stored: variable,
      ...removalOf(variable, target, ownership),
    })),
  ];
}

const DUE = { value: "write", unknown: "blocked", existing: "compare" } as const;

function reasonsToWrite(
  wanted: Variable,
  stored: StoredVariable | undefined,
  { isTriggered = false, ownership }: { readonly isTriggered?: boolean; readonly ownership: RunNames },
): readonly Reason[] {
  if (stored === undefined || !isOwn(stored)) return ["added"];
  const reasons: readonly (readonly [Reason, boolean])[] = [
    ["triggered", isTriggered && wanted.is !== "existing"],
    ["deleted in this run", ownership?.isDeleted(wanted.name) === true],
    ["write failed", stored.mustWrite === true],
    ["scope", !sameScope(stored.services, wanted.services)],
    ["visibility", stored.hidden !== wanted.hidden],
    ["value", stored.value !== wanted.value && !isOwnPlaceholder(wanted, stored)],
  ];
  return reasons.flatMap(([reason, holds]) => (holds ? [reason] : []));
}

/** Whether a refresh put the placeholder into the inputs, where the engine would not have encrypted the value. */
function isOwnPlaceholder(wanted: Variable, stored: OwnVariable): boolean {
  return stored.isNewSecret === true && wanted.is === "unknown";
}

function removalOf(
  variable: StoredVariable,
  { isPruned }: Target,
  ownership: RunNames,
): Pick<UndeclaredStep, "what" | "reasons"> {
  if (variable.is === "given") return { what: "given", reasons: ["given"] };
  if (variable.is === "seen")
    return isPruned?.(variable.name) === true ? { what: "delete", reasons: ["pruned"] } : { what: "keep", reasons: [] };
  // What an import of the same run has only looked at is nobody's yet.
  const isLeft = variable.is === "existing" || ownership?.isOnlyLookedAt(variable.name) === true;
  return { what: isLeft ? "forget" : "delete", reasons: ["dropped"] };
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
  pathOf: (variable: Pick<Variable, "name" | "hidden">) => readonly string[],
): readonly PropertyChange[] {
  const { reasons, wanted, stored } = step;
  if (!isDue(step)) return [];
  if (wanted === undefined) {
    if (stored.is === "given") return [];
    // The inputs of the update that left it in state do not have it: the engine finds nothing when it compares inputs.
    return [{ path: pathOf(stored), kind: "delete", mustReport: stored.is === "undeclared" }];
  }
  const deleted = reasons.includes("deleted in this run") && { deletedInRun: true };
  const path = pathOf(wanted);
  if (stored === undefined || stored.is === "given") return [{ path, kind: "add" }];
  if (stored.hidden !== wanted.hidden)
    return [
      { path: pathOf(stored), kind: "delete" },
      { path, kind: "add", ...deleted },
    ];
  if (reasons.every((reason) => SHOWN_BY_INPUT.has(reason))) return [];
  return [{ path, kind: "update", ...deleted, mustReport: stored.value === wanted.value }];
}

import type { PropertyChange } from "../framework/diff";
import type { NamesInRun } from "../run/names-in-run";
import { isOwn, sameScope, type StoredVariable, type Variable } from "./variable";

/** Why a declared variable is written. */
export type Reason =
  /** New to the resource: whatever has the name now may belong to somebody else. */
  | "added"
  | "value"
  | "visibility"
  | "scope"
  | "triggered"
  /** Another resource deleted it in this run. */
  | "deleted in this run";

/** A declared variable. */
export interface DeclaredStep {
  readonly name: string;
  /** `blocked`: it would be written, but its value is not known. `compare`: its value is the service's, and what the service has
   * decides whether anything is written. */
  readonly action: "write" | "blocked" | "compare" | "keep";
  /** Empty when there is nothing to do. */
  readonly reasons: readonly Reason[];
  readonly declared: Variable;
  /** What state has of it. */
  readonly stored: StoredVariable | undefined;
}

/** A variable that state has and the program does not declare. */
export interface UndeclaredStep {
  readonly name: string;
  /** Both others leave state, and stay on the service. `leave`: its value is the service's. `forget`: an import has only looked at it. */
  readonly action: "delete" | "leave" | "forget";
  readonly declared?: undefined;
  readonly stored: StoredVariable;
}

/** What happens to one variable. */
export type VariableStep = DeclaredStep | UndeclaredStep;

/** What one resource wants of the variables of an environment. */
export interface Wanted {
  /** What state has, by name. */
  readonly stored: ReadonlyMap<string, StoredVariable>;
  readonly declared: readonly Variable[];
  /** Whether every declared variable is written again. */
  readonly isTriggered: boolean;
  /** Whether an import of this run has answered that state: it has only looked at the names. */
  readonly isImported: boolean;
}

/** Whether this run deletes a name. `undefined` when nothing is known of the run. */
type RunNames = Pick<NamesInRun, "isDeleted"> | undefined;

/**
 * Decides what brings an environment from what state has to what the program declares, without a request. The diff, the
 * preview and the writer all follow these steps: one for each name.
 */
export function plan(wanted: Wanted, names: RunNames): readonly VariableStep[] {
  const { stored: all, declared: variables, isTriggered, isImported } = wanted;
  const declaredNames = new Set(variables.map(({ name }) => name));
  const others = [...all.values()].filter(({ name }) => !declaredNames.has(name));
  return [
    ...variables.map((declared): DeclaredStep => {
      const stored = all.get(declared.name);
      const reasons = reasonsToWrite(declared, stored, isTriggered, names);
      const action = reasons.length > 0 ? ACTION_BY_KIND[declared.kind] : "keep";
      return { name: declared.name, action, reasons, declared, stored };
    }),
    ...others.map((stored): UndeclaredStep => ({
      name: stored.name,
      action: isImported ? "forget" : stored.kind === "existing" ? "leave" : "delete",
      stored,
    })),
  ];
}

const ACTION_BY_KIND = { value: "write", placeholder: "blocked", existing: "compare" } as const;

function reasonsToWrite(
  declared: Variable,
  stored: StoredVariable | undefined,
  isTriggered: boolean,
  names: RunNames,
): readonly Reason[] {
  if (stored === undefined || !isOwn(stored)) return ["added"];
  const reasons: readonly (readonly [Reason, boolean])[] = [
    ["triggered", isTriggered && declared.kind !== "existing"],
    ["deleted in this run", names?.isDeleted(declared.name) === true],
    ["scope", !sameScope(stored.services, declared.services)],
    ["visibility", stored.hidden !== declared.hidden],
    ["value", stored.value !== declared.value],
  ];
  return reasons.flatMap(([reason, holds]) => (holds ? [reason] : []));
}

/** Whether an update has something to do for this step: on the service, or in state. */
export function hasWork({ action }: VariableStep): boolean {
  return action !== "keep";
}

/** Whether a name goes from the service, unless another resource has it. */
export function isRemoval(step: VariableStep): step is UndeclaredStep {
  return step.action === "delete";
}

/** Whether a variable is sent that is new to the resource. */
export function isAddition(step: VariableStep): boolean {
  return step.action === "write" && step.reasons.includes("added");
}

/** These show in a diff by the input that changed, and not variable by variable. */
const SHOWN_BY_INPUT: ReadonlySet<Reason> = new Set(["triggered", "scope"]);

/** A change that no diff shows: state has a name that an import has looked at, and the program does not declare. */
const FORGOTTEN: PropertyChange = { path: ["__forgotten"], kind: "delete", mustReport: true };

/** The changes that a diff shows of a step. `pathOf` says where an input or output has a variable. */
export function changesOf(
  step: VariableStep,
  pathOf: (variable: Pick<Variable, "name" | "hidden">) => readonly string[],
): readonly PropertyChange[] {
  const { declared, stored } = step;
  if (!hasWork(step)) return [];
  if (declared === undefined) {
    // A preview does not show as deleted what stays on the service. The update that forgets it is due all the same.
    if (step.action === "forget") return [FORGOTTEN];
    // The inputs of the update that left it in state do not have it: the engine finds nothing when it compares inputs.
    return [{ path: pathOf(stored), kind: "delete", mustReport: stored.kind === "undeclared" }];
  }
  const { reasons } = step;
  const deleted = reasons.includes("deleted in this run") && { deletedInRun: true };
  const path = pathOf(declared);
  if (stored === undefined) return [{ path, kind: "add" }];
  if (stored.hidden !== declared.hidden)
    return [
      { path: pathOf(stored), kind: "delete" },
      { path, kind: "add", ...deleted },
    ];
  if (reasons.every((reason) => SHOWN_BY_INPUT.has(reason))) return [];
  return [{ path, kind: "update", ...deleted, mustReport: stored.value === declared.value }];
}

import type { EnvVar } from "../client/env-vars";
import type { EnvironmentInRun } from "../run/environment-in-run";
import type { NamesInRun } from "../run/names-in-run";
import type { VariablesByName } from "../run/shared-variables";
import type { OnConflict } from "./conflict";
import { fitsValue, formOf } from "./shown-value";
import { type Action, type Facts, rowFor } from "./step-table";
import {
  isOwn,
  isWrittenSince,
  type OwnVariable,
  isShownAlike,
  looseForm,
  sameScope,
  scope,
  type StoredVariable,
  type Variable,
} from "./variable";

/** The step that program, state and list ask for about one variable. */
export interface VariableStep {
  readonly name: string;
  readonly facts: Facts;
  readonly action: Action;
  /** Of a refusal the reason, of a conflict the difference: for people, without values. */
  readonly why?: string | undefined;
  readonly declared?: Variable | undefined;
  readonly stored?: StoredVariable | undefined;
  readonly listed?: EnvVar | undefined;
}

/** The variables of one resource in state and in the program, and what else decides the steps from one to the other. */
export interface StoredAndDeclared {
  /** The records in state, by name. */
  readonly stored: ReadonlyMap<string, StoredVariable>;
  readonly declared: readonly Variable[];
  /** Whether every declared variable is written again. */
  readonly isTriggered: boolean;
  /** Whether an import of this run has answered that state: it has only looked at the names. */
  readonly isImported: boolean;
  /** Names of these records that stay on the service because of `keep`, if the program does not declare them. */
  readonly kept: ReadonlySet<string>;
}

/** The steps from what state has to what the program declares, one for each name, as far as they are known without a request. */
export function plan(
  { stored: all, declared: variables, isTriggered, isImported, kept }: StoredAndDeclared,
  names: Pick<NamesInRun, "isDeleted" | "isLookedUp" | "isInUse"> | undefined,
): readonly VariableStep[] {
  const declaredNames = new Set(variables.map(({ name }) => name));
  const others = [...all.values()].filter(({ name }) => !declaredNames.has(name));
  return [
    ...variables.map((declared) => {
      const { name } = declared;
      const stored = all.get(name);
      const isDeletedInRun = names?.isDeleted(name) === true;
      return toStep({ name, declared, stored }, inStateOf(declared, stored, isDeletedInRun, isTriggered), "unread");
    }),
    ...others.map((stored) => {
      const { name, kind } = stored;
      const inState = isImported ? "imported" : kind === "existing" ? "existing" : kept.has(name) ? "kept" : "other";
      // Known to a preview, too. A name that moves to another resource is shown as deleted here and added there.
      const isLookedUp = inState === "other" && names?.isLookedUp(name) === true && !names.isInUse(name);
      return toStep({ name, stored }, inState, isLookedUp ? "lookedUp" : "unread");
    }),
  ];
}

/** What state has of a declared variable. */
function inStateOf(
  declared: Variable,
  stored: StoredVariable | undefined,
  isDeletedInRun: boolean,
  isTriggered: boolean,
): Facts["inState"] {
  if (stored === undefined || !isOwn(stored)) return "nothing";
  if (isDeletedInRun) return "deleted";
  if (isTriggered && declared.kind !== "existing") return "triggered";
  return isEqual(stored, declared) ? "same" : "other";
}

function isEqual(stored: StoredVariable, declared: Variable): boolean {
  return stored.value === declared.value && isShownAlike(stored, declared);
}

/** The step with the action of the row that fits. */
function toStep(
  step: Omit<VariableStep, "facts" | "action">,
  inState: Facts["inState"],
  found: Facts["found"],
): VariableStep {
  const facts: Facts = { inState, inProgram: step.declared?.kind ?? "nothing", found };
  const { action, why = step.why } = rowFor(facts);
  return { ...step, facts, action, why };
}

/** Whether a write needs the list: a name may be somebody else's, or a value the service's. */
export function needsList(steps: readonly VariableStep[], onConflict: OnConflict): boolean {
  return steps.some(
    ({ action, declared }) =>
      action === "undecided" && declared && (onConflict === "fail" || declared.kind === "existing"),
  );
}

/** The steps of what is declared, by what the service lists. The list is left out where none of them needs it. */
export function decideWrites(
  steps: readonly VariableStep[],
  onConflict: OnConflict,
  list: VariablesByName | undefined,
  names: Pick<NamesInRun, "isSeen">,
): readonly VariableStep[] {
  return steps.map((step) => {
    const { name, action, declared, facts } = step;
    if (action !== "undecided" || declared === undefined) return step;
    // Then all of these may be written over.
    if (list === undefined) return toStep(step, facts.inState, "overwritable");
    const listed = list.get(name);
    const { found, why } = compare(declared, listed, onConflict === "overwrite" || names.isSeen(name));
    return toStep({ ...step, listed, why }, facts.inState, found);
  });
}

/** What the list tells of a declared variable. `why`: in what it differs, for people. */
function compare(
  declared: Variable,
  listed: EnvVar | undefined,
  mayOverwrite: boolean,
): { readonly found: Facts["found"]; readonly why?: string } {
  if (listed === undefined) return { found: "missing" };
  const isInPlace = isShownAlike(listed, declared);
  if (declared.kind === "existing") return { found: isInPlace ? "same" : listed.hidden ? "unchangeable" : "other" };
  // Written even if equal: the new `updated_at` keeps the earlier resource from deleting it.
  if (mayOverwrite) return { found: "overwritable" };
  // A write that was killed may have left the value in the form in which the service keeps it.
  const isFit = declared.hidden ? formOf(declared, listed) !== undefined : fitsValue(listed, declared);
  const differences = [
    ["another value", listed.hidden === declared.hidden && !isFit],
    ["another visibility", listed.hidden !== declared.hidden],
    ["other services", !sameScope(listed.services, declared.services)],
  ] as const;
  const why = differences.flatMap(([text, holds]) => (holds ? [text] : [])).join(" and ");
  if (why !== "") return { found: "other", why };
  return { found: declared.hidden ? "masked" : "same" };
}

/** The step of a name that goes from the service, unless another resource has it, or somebody has written it since. */
type Removal = VariableStep & { readonly stored: StoredVariable };

/** Whether a step is a removal: undecided, to be deleted, or refused. */
export function isRemoval<S extends VariableStep>(step: S): step is S & Removal {
  return step.declared === undefined && REMOVALS.has(step.action);
}

const REMOVALS: ReadonlySet<Action> = new Set(["undecided", "delete", "refuse"]);

/** What the run knows of a name that goes. `undefined`: the list decides. */
export function foundInRun(
  { name, stored }: Removal,
  { names, hasFailure }: Pick<EnvironmentInRun, "names" | "hasFailure">,
): Facts["found"] | undefined {
  if (names.isInUse(name)) return "inUse";
  if (names.isLookedUp(name)) return "lookedUp";
  // Only if state has its time: without one, a later delete could not tell that the other resource has written it.
  return hasFailure && stored.updatedAt !== "" && names.isDeclared(name) ? "claimed" : undefined;
}

/** Removals, by what the run knows and what the service lists. There is no list of an environment that is gone. */
export function decideRemovals(
  removals: readonly Removal[],
  list: VariablesByName | undefined,
  inRun: EnvironmentInRun,
): readonly VariableStep[] {
  // Each EnvVar that is deleted would bring the whole list into this form, and mostly the list has its name.
  const lacksSome = removals.some(({ name }) => list?.has(name) === false);
  const listed = lacksSome && list !== undefined ? [...list.values()] : [];
  const byLooseForm = new Map(listed.map((one) => [looseForm(one.name), one]));
  return removals.map((step) => {
    const { name, stored, facts } = step;
    const one = list?.get(name) ?? byLooseForm.get(looseForm(name));
    const found = foundInRun(step, inRun) ?? findInList(stored, one, list !== undefined);
    return toStep({ ...step, listed: one }, facts.inState, found);
  });
}

/** What the list tells of a variable that state has. `listed`: under its name, or under one that the service may take for the same. */
function findInList(stored: StoredVariable, listed: EnvVar | undefined, hasList: boolean): Facts["found"] {
  if (listed?.name === stored.name) return isWrittenSince(stored, listed) ? "changed" : "asStored";
  if (!hasList || !isOwn(stored)) return "missing";
  return listed === undefined ? "unlisted" : "alike";
}

/** Whether an update has something to do for this step: on the service, or in state. */
export function hasWork({ action }: VariableStep): boolean {
  return action !== "keep";
}

/** The record of a variable as the list has it: of one that is taken over, and of one with `existing()`, also when a write of that fails. */
export function recordListed({ action, declared, listed }: VariableStep): OwnVariable | undefined {
  if (declared === undefined || listed === undefined) return undefined;
  if (action !== "take over" && declared.kind !== "existing") return undefined;
  const { hidden, services, updatedAt = "" } = listed;
  return { ...declared, hidden, services: scope(services), updatedAt };
}

/** The variable that a step sends. One with `existing()` goes with the value that was just read. */
export function sentBy({ action, declared, listed }: VariableStep): readonly Variable[] {
  if (action !== "write" || declared === undefined) return [];
  return [declared.kind === "existing" && listed ? { ...declared, value: listed.value } : declared];
}

/** Why names have this action, by name. */
export function whyOf(steps: readonly VariableStep[], which: "conflict" | "refuse"): ReadonlyMap<string, string> {
  return new Map(steps.flatMap(({ name, action, why = "" }) => (action === which ? [[name, why]] : [])));
}

/** The names of which this was found. */
export function namesFound(steps: readonly VariableStep[], which: Facts["found"]): readonly string[] {
  return steps.flatMap(({ name, facts: { found } }) => (found === which ? [name] : []));
}

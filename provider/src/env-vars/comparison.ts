import type { EnvVar } from "../client/env-vars";
import type { NamesInRun } from "../run/names-in-run";
import type { VariablesByName } from "../run/shared-variables";
import type { Conflicts, OnConflict } from "./conflict";
import { fitsValue } from "./mask";
import { isAddition, type VariableStep } from "./plan";
import type { Write } from "./put-variables";
import { type OwnVariable, sameScope, scope, toOwnVariable, type Variable } from "./variable";
import type { Result, Results } from "./write-result";

const MISSING =
  "declared with `existing()`, and the environment does not have it: create it there, or declare a value in the program";
/** Why a variable cannot be sent although it is declared. */
const UNKNOWN_VALUE =
  "not sent, because its value is not known (a refresh or an import left a placeholder in its place): " +
  "declare the value in the program, and take the name out of ignoreChanges";
const UNCHANGEABLE =
  "its services or visibility cannot be changed, because the service hides its value and the program declares `existing()`: " +
  "change them in the dashboard, or declare a value in the program";

/** What the service's list says about the steps of a plan. A write and a preview decide by it. */
export interface Comparison {
  readonly conflicts: Conflicts;
  /** Hidden variables that exist, that this stack is not known to have, and whose masks fit the declared values. */
  readonly takenOverUnseen: readonly string[];
  /** Names for which no request is needed: what is as declared already, and what cannot be written. */
  readonly withoutRequest: Results;
  readonly writes: readonly Write[];
}

/** What the list says about one name. */
interface Finding {
  readonly conflict?: string;
  readonly isTakenOverUnseen?: boolean;
  readonly result?: Result;
  readonly write?: Write;
}

/** Whether the service's list decides: names may be somebody else's, or values the service's. */
export function needsList(steps: readonly VariableStep[], onConflict: OnConflict): boolean {
  return steps.some((step) => step.action === "compare" || (onConflict === "fail" && isAddition(step)));
}

/** Compares what a plan writes with the service's list. The list is left out where it is not needed. */
export function compare(
  steps: readonly VariableStep[],
  onConflict: OnConflict,
  list: VariablesByName | undefined,
  names: Pick<NamesInRun, "isSeen">,
): Comparison {
  const findings = steps.map((step) => [step.name, findingOf(step, onConflict, list?.get(step.name), names)] as const);
  return {
    conflicts: new Map(findings.flatMap(([name, { conflict }]) => (conflict === undefined ? [] : [[name, conflict]]))),
    takenOverUnseen: findings.flatMap(([name, { isTakenOverUnseen }]) => (isTakenOverUnseen === true ? [name] : [])),
    withoutRequest: new Map(findings.flatMap(([name, { result }]) => (result === undefined ? [] : [[name, result]]))),
    writes: findings.flatMap(([, { write }]) => write ?? []),
  };
}

function findingOf(
  step: VariableStep,
  onConflict: OnConflict,
  listed: EnvVar | undefined,
  names: Pick<NamesInRun, "isSeen">,
): Finding {
  const { name, action, declared } = step;
  if (action === "blocked") return { result: { outcome: "failed", reason: UNKNOWN_VALUE } };
  if (action === "compare") return compareExisting(declared, listed);
  if (action !== "write") return {};
  const write = { variable: declared };
  if (onConflict === "overwrite" || !isAddition(step) || listed === undefined) return { write };
  // Written also when it is equal: its new time tells the resource that had it until now.
  if (names.isSeen(name)) return { write };
  const difference = differenceOf(listed, declared);
  if (difference !== "") return { conflict: difference };
  // Nobody can see the value of a hidden one.
  if (declared.hidden) return { write, isTakenOverUnseen: true };
  return { result: { outcome: "taken over", now: toOwnVariable(declared, listed), listed } };
}

/** What becomes of a variable whose value is the service's. A visible one is sent with the value that was just read. */
function compareExisting(declared: Variable, listed: EnvVar | undefined): Finding {
  if (listed === undefined) return { result: { outcome: "failed", reason: MISSING } };
  const { hidden, updatedAt = "" } = listed;
  const existing: OwnVariable = { ...declared, hidden, services: scope(listed.services), updatedAt };
  if (hidden === declared.hidden && sameScope(existing.services, declared.services))
    return { result: { outcome: "taken over", now: existing, listed } };
  if (hidden) return { result: { outcome: "failed", reason: UNCHANGEABLE, now: existing } };
  return { write: { variable: { ...declared, value: listed.value }, existing } };
}

/** "" when there is none that can be seen. */
function differenceOf(listed: EnvVar, declared: Variable): string {
  const differences = [
    ["another value", listed.hidden === declared.hidden && !fitsValue(listed, declared)],
    ["another visibility", listed.hidden !== declared.hidden],
    ["other services", !sameScope(listed.services, declared.services)],
  ] as const;
  return differences.flatMap(([text, holds]) => (holds ? [text] : [])).join(" and ");
}

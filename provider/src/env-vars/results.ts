import type { EnvVar } from "../client/env-vars";
import { nameList } from "../client/error-text";
import { isRemoval, recordListed, type VariableStep, whyOf } from "./steps";
import {
  asNotKnown,
  asUndeclared,
  isOwn,
  isShownAlike,
  type OwnVariable,
  type StoredVariable,
  withoutValue,
} from "./variable";

/** A service may give each of thousands of names a reason of its own. These are shown, of the others only the names. */
const MAX_REASONS = 20;
const WRITE_FAILED = "its write failed";

/** The result of a request to write or delete one variable. `record`: what state has of it then. `reason`: for people, without values. */
export type Result =
  /** `listed`: the variable as the answer shows it. `reason`: what it shows instead of what was sent. */
  | { readonly outcome: "written"; readonly record: OwnVariable; readonly listed: EnvVar; readonly reason?: string }
  /** `uncertain`: the write failed, and the service may have it all the same. */
  | { readonly outcome: "failed" | "uncertain"; readonly reason: string }
  | { readonly outcome: "deleted" }
  /** It was not there to be deleted. */
  | { readonly outcome: "gone" };

/** By name. A name without a request has no result. */
export type Results = ReadonlyMap<string, Result>;

/** A step with what came of it. */
export interface DoneStep extends VariableStep {
  readonly result: Result | undefined;
}

/** The steps with their results. */
export function withResults(steps: readonly VariableStep[], results: Results): readonly DoneStep[] {
  return steps.map((step) => ({ ...step, result: results.get(step.name) }));
}

/** The record that a change gives state for a declared name. `undefined`: state keeps its own. A variable that may have been written counts, too. */
export function recordFromAnswer(step: DoneStep): OwnVariable | undefined {
  const { declared, result } = step;
  if (result?.outcome === "written") return result.record;
  return result?.outcome === "uncertain" && declared !== undefined ? asNotKnown(declared) : recordListed(step);
}

/** The record of a name after a write. A name that was not written keeps its record, with the exceptions below. `undefined`: none. */
export function recordAfter(step: DoneStep): StoredVariable | undefined {
  const { declared, stored, result } = step;
  if (declared === undefined) {
    if (!isRemoval(step) || result?.outcome === "deleted" || result?.outcome === "gone") return undefined;
    // Still there: its delete failed, or the write ended before the deletes.
    return isOwn(step.stored) ? asUndeclared(step.stored) : step.stored;
  }
  const record = recordFromAnswer(step);
  if (record !== undefined || stored === undefined || !isOwn(stored)) return record ?? stored;
  // The engine would not encrypt the value: its input is the placeholder.
  if (declared.kind === "placeholder")
    return { ...stored, kind: declared.kind, hidden: declared.hidden, value: declared.value };
  if (stored.hidden !== declared.hidden) return asUndeclared(stored);
  // No difference of values would show that it is to be written again.
  const isDueAnyway = step.facts.inState === "triggered" || step.facts.inState === "deleted";
  return isDueAnyway && declared.kind === "value" && result?.outcome === "failed"
    ? withoutValue(stored, stored.updatedAt, WRITE_FAILED)
    : stored;
}

/**
 * Whether the service may have something else than state had. What was as declared already may come from a run that was killed, or from a
 * request that got no answer.
 */
export function hasChanged(steps: readonly DoneStep[]): boolean {
  return steps.some((step) => (step.result ? step.result.outcome !== "failed" : wasAsDeclared(step)));
}

/**
 * Whether the service already was as declared, though state said otherwise. Of an `existing()`, the program declares the visibility and the
 * services only.
 */
function wasAsDeclared({ action, declared, stored, facts }: VariableStep): boolean {
  if (declared === undefined) return facts.found === "missing" || facts.found === "alike";
  if (action !== "take over") return false;
  if (declared.kind === "value") return true;
  return stored !== undefined && isOwn(stored) && !isShownAlike(stored, declared);
}

/** Why names are not done, by name, without values: not written, not deleted, or shown by the service otherwise than they were sent. */
export function whyNotDone(steps: readonly DoneStep[]): ReadonlyMap<string, string> {
  const failed = steps.flatMap(({ name, result }) =>
    result !== undefined && "reason" in result && result.reason !== undefined ? [[name, result.reason] as const] : [],
  );
  return new Map([...whyOf(steps, "refuse"), ...failed]);
}

/**
 * The text of a partial failure: a summary first, then a line for each reason with the names it is about. One text,
 * because the engine counts texts as errors. Long lists are cut, and say how much is left out.
 */
export function failureText(summary: string, failed: ReadonlyMap<string, string>): string {
  const byReason = Map.groupBy(failed, ([, reason]) => reason);
  const groups = [...byReason].map(([reason, entries]) => [reason, entries.map(([name]) => name)] as const);
  const lines = groups.slice(0, MAX_REASONS).map(([reason, names]) => `  ${nameList(names)}: ${reason}`);
  const others = groups.slice(MAX_REASONS).flatMap(([, names]) => names);
  if (others.length > 0) lines.push(`  for ${groups.length - MAX_REASONS} other reasons: ${nameList(others)}`);
  return [summary, ...lines].join("\n");
}

/** `1 variable`, `2 variables`. */
export function variableCount(number: number): string {
  return `${number} ${number === 1 ? "variable" : "variables"}`;
}

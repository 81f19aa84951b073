import type { EnvVar } from "../client/env-vars";
import { nameList } from "../client/error-text";
import type { PreviewenvError } from "../client/errors";
import type { VariableStep } from "./plan";
import type { OwnVariable } from "./variable";

/** A service may give each of thousands of names a reason of its own. These are shown, of the others only the names. */
const MAX_REASONS = 20;

/** What became of one variable that had to be written or deleted. */
export type Result =
  /** Now as declared. `taken over`: without a write. `listed`: the service's own record, where it gave one. */
  | { readonly outcome: "written" | "taken over"; readonly now: OwnVariable; readonly listed: EnvVar }
  /** Stored, and not as it was sent. `reason`: what the service shows instead of that. `now`: the same for state. */
  | {
      readonly outcome: "contradicted";
      readonly reason: string;
      readonly now: OwnVariable;
      readonly listed: EnvVar;
    }
  /**
   * Neither written nor deleted. `reason`: in the service's words, without values. `now`: what state has of it, where that is not what
   * it had before: `placeholder` when the service may have stored it, `existing` as the service listed it.
   */
  | { readonly outcome: "failed"; readonly reason: string; readonly now?: OwnVariable }
  | { readonly outcome: "deleted" }
  /** Not deleted: another resource of the program has it. */
  | { readonly outcome: "left to another" }
  /** Not deleted: somebody has written it since this stack last saw it. */
  | { readonly outcome: "written since" };

/** By name. What needed nothing has no result. */
export type Results = ReadonlyMap<string, Result>;

/** What became of the variables of one resource. */
export interface ChangedVariables {
  readonly steps: readonly VariableStep[];
  readonly results: Results;
  /** The error that ended the writing before its end. */
  readonly endedBy: PreviewenvError | undefined;
}

/** Why names were not written or deleted, by name, without values. */
export function failuresIn(results: Iterable<readonly [string, Result]>): ReadonlyMap<string, string> {
  return new Map([...results].flatMap(([name, result]) => ("reason" in result ? [[name, result.reason]] : [])));
}

/** Whether the service may have stored a variable whose write failed. */
export function isUncertain(result: Result | undefined): boolean {
  return result?.outcome === "failed" && result.now?.kind === "placeholder";
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

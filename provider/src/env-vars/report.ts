import { nameList } from "../client/error-text";
import { MAX_ERROR_BYTES, sizeOf } from "../framework/errors";
import type { Properties } from "../framework/properties";
import { isOwn, type OwnVariable, type StoredVariable, unknown } from "./variable";

/** A service may give each of thousands of names a reason of its own; these are shown, of the others only the names. */
const MAX_REASONS = 20;

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

const NOTE = "too large for an error";

/** What state has, without its values, of the variables that an error cannot carry as they are: of those with the largest values. */
export function withoutLargest(
  state: Properties,
  variables: readonly StoredVariable[],
  mostBytes: number = MAX_ERROR_BYTES,
): ReadonlyMap<string, OwnVariable> {
  let bytes = sizeOf(state);
  const without = new Map<string, OwnVariable>();
  const declared = variables.filter(isOwn).filter(({ is }) => is === "value");
  for (const variable of declared.toSorted((left, right) => sizeOf(right.value) - sizeOf(left.value))) {
    if (bytes <= mostBytes) break;
    const short = unknown(variable, variable.updatedAt, NOTE);
    bytes += sizeOf(short.value) - sizeOf(variable.value);
    without.set(variable.name, short);
  }
  return without;
}

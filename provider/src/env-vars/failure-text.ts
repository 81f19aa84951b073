import { nameList } from "../client/error-text";

/** A service may give each of thousands of names a reason of its own. These are shown, of the others only the names. */
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

/**
 * The text of a partial failure: a summary first, then a line for each reason with the names it is about. One text,
 * because the engine counts texts as errors.
 */
export function failureText(summary: string, failed: ReadonlyMap<string, string>): string {
  const byReason = new Map<string, string[]>();
  for (const [name, reason] of failed) byReason.set(reason, [...(byReason.get(reason) ?? []), name]);
  return [summary, ...[...byReason].map(([reason, names]) => `  ${names.toSorted().join(", ")}: ${reason}`)].join("\n");
}

/** `1 variable`, `2 variables`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

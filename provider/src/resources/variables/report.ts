/**
 * The reasons of a partial failure: a summary first, then a line for each reason with the names it is about. The
 * engine shows these lines and nothing else.
 */
export function failureReasons(summary: string, failed: ReadonlyMap<string, string>): readonly string[] {
  const byReason = new Map<string, string[]>();
  for (const [name, reason] of failed) byReason.set(reason, [...(byReason.get(reason) ?? []), name]);
  return [summary, ...[...byReason].map(([reason, names]) => `${names.toSorted().join(", ")}: ${reason}`)];
}

/** `1 variable`, `2 variables`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

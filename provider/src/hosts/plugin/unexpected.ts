/** What people are told of an error that nobody expected: its kind and place, as its message may contain values. */
export function unexpected(error: unknown): string {
  const kind = error instanceof Error ? error.name : typeof error;
  const place =
    error instanceof Error ? /^\s+at (?<place>.+)$/mu.exec(error.stack ?? "")?.groups?.["place"] : undefined;
  return `unexpected ${kind}${place === undefined ? "" : ` at ${place}`}; please report it to the maintainers of pulumi-previewenv`;
}

const MARKED_LINE = /^\s*[~+-]\s+"?([\w.-]+)"?\s*:\s/u;

/** The names that a `--diff` of the CLI marks as added, changed or removed (`~ LOG_LEVEL: ...`). */
export function changedNames(output: string): ReadonlySet<string> {
  return new Set(output.split("\n").flatMap((line) => MARKED_LINE.exec(line)?.[1] ?? []));
}

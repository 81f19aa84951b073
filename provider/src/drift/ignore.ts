import { UsageError } from "../command/mistake";
import { globProblem, matchesAny } from "../framework/globs";
import type { DriftItem, StackReport } from "./report-schema";

/** An entry of `--ignore`: `STACK::RESOURCE::NAME`, each part a glob. */
export interface IgnoreEntry {
  /** As it was written. */
  readonly text: string;
  readonly stack: string;
  readonly resource: string;
  readonly name: string;
}

/** Reads an entry. A resource may have `::` in its name, so the last one counts. @throws UsageError */
export function readIgnore(text: string): IgnoreEntry {
  const [stack = "", ...rest] = text.split("::");
  const name = rest.pop() ?? "";
  const resource = rest.join("::");
  const parts = [stack, resource, name];
  const refused = `--ignore: ${JSON.stringify(text)}`;
  if (parts.includes(""))
    throw new UsageError(`${refused} is not STACK::RESOURCE::NAME: write \`*\` for a part that may be anything`);
  const problem = parts.map(globProblem).find((reason) => reason !== undefined);
  if (problem !== undefined) throw new UsageError(`${refused}: a part ${problem}`);
  return { text, stack, resource, name };
}

/** The entries in the text of a file: one a line, without empty lines and those that begin with `#`. */
export function ignoreLines(text: string): readonly string[] {
  return text
    .split(/\r?\n/u)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}

/** The differences of a stack: what counts as drift, and what is ignored. */
export function separate(
  stack: string,
  differences: readonly DriftItem[],
  entries: readonly IgnoreEntry[],
): { readonly drift: readonly DriftItem[]; readonly ignored: readonly DriftItem[] } {
  const isIgnored = (item: DriftItem): boolean => entries.some((entry) => matches(entry, stack, item));
  return { drift: differences.filter((item) => !isIgnored(item)), ignored: differences.filter(isIgnored) };
}

/**
 * Entries that matched nothing. Nobody can tell that of an entry for stacks that were not looked at, or not to the end.
 * @param isWhole whether every stack of the project was looked at
 */
export function unusedIgnores(
  entries: readonly IgnoreEntry[],
  reports: readonly StackReport[],
  isWhole: boolean,
): readonly string[] {
  const unused = entries.filter((entry) => {
    const matching = reports.filter(({ stack }) => matchesAny(stack, [entry.stack]));
    if (matching.some(({ status }) => status === "error")) return false;
    if (matching.length === 0) return isWhole;
    return !matching.some(({ stack, ignored }) => ignored.some((item) => matches(entry, stack, item)));
  });
  return unused.map(({ text }) => text);
}

/** NAME of an entry: a variable, a repository, or else what happened to the whole resource: `state`, `gone`, `changed`. */
function matches(entry: IgnoreEntry, stack: string, { resource, name, kind }: DriftItem): boolean {
  return (
    matchesAny(stack, [entry.stack]) && matchesAny(resource, [entry.resource]) && matchesAny(name ?? kind, [entry.name])
  );
}

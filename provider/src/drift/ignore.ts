import { globProblem, matchesAny } from "../framework/globs";
import type { DriftItem, StackReport } from "./report-schema";

const SEPARATOR = "::";
const COMMENT = "#";

/** An entry of `--ignore`: `STACK::RESOURCE::NAME`, each part a glob. */
export interface IgnoreEntry {
  /** As it was written. */
  readonly text: string;
  readonly stack: string;
  readonly resource: string;
  readonly name: string;
}

/** Reads an entry; the reason why it is refused otherwise. A resource may have `::` in its name, so the last one counts. */
export function readIgnore(text: string): IgnoreEntry | string {
  const [stack = "", ...rest] = text.split(SEPARATOR);
  const name = rest.pop() ?? "";
  const resource = rest.join(SEPARATOR);
  const parts = [stack, resource, name];
  if (parts.includes(""))
    return `${JSON.stringify(text)} is not STACK::RESOURCE::NAME: write \`*\` for a part that may be anything`;
  const problem = parts.map(globProblem).find((reason) => reason !== undefined);
  return problem === undefined ? { text, stack, resource, name } : `${JSON.stringify(text)}: a part ${problem}`;
}

/** The entries in the text of a file: one a line, without empty lines and those that begin with `#`. */
export function ignoreLines(text: string): readonly string[] {
  return text
    .split(/\r?\n/u)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith(COMMENT));
}

/** What drifted in a stack, without what is ignored; and what is ignored. */
export function separate(
  stack: string,
  found: readonly DriftItem[],
  entries: readonly IgnoreEntry[],
): { readonly drift: readonly DriftItem[]; readonly ignored: readonly DriftItem[] } {
  const isIgnored = (item: DriftItem): boolean => entries.some((entry) => matches(entry, stack, item));
  return { drift: found.filter((item) => !isIgnored(item)), ignored: found.filter(isIgnored) };
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
    const meant = reports.filter(({ stack }) => matchesAny(stack, [entry.stack]));
    if (meant.some(({ status }) => status === "error")) return false;
    if (meant.length === 0) return isWhole;
    return !meant.some(({ stack, ignored }) => ignored.some((item) => matches(entry, stack, item)));
  });
  return unused.map(({ text }) => text);
}

function matches(entry: IgnoreEntry, stack: string, item: DriftItem): boolean {
  return (
    matchesAny(stack, [entry.stack]) &&
    matchesAny(item.resource, [entry.resource]) &&
    matchesAny(ignorableName(item), [entry.name])
  );
}

/** NAME of an entry: a variable, a repository, or else what happened to the whole resource: `state`, `gone`, `changed`. */
function ignorableName({ name, kind }: DriftItem): string {
  return name ?? kind;
}

import type { JournalEntry } from "../../provider/src/sandbox";

const METHODS: readonly string[] = ["GET", "PUT", "PATCH", "POST", "DELETE"];
const GAP = "  ";
const NONE = ".";

/** A request as the service's journal has it. */
export type SeenRequest = Pick<JournalEntry, "method" | "label">;

/** A table in plain text of the requests of steps 1, 2, ...: a row for each kind of request, a column for each step. */
export function requestTable(steps: readonly (readonly SeenRequest[])[]): string {
  const all = steps.flat();
  const columns = [...steps, all];
  const counts = (matches: (request: SeenRequest) => boolean): readonly string[] =>
    columns.map((requests) => String(requests.filter(matches).length || NONE));
  return align([
    ["step", ...steps.map((_, index) => String(index + 1)), "all"],
    ...kinds(all).map((kind) => [kind, ...counts(({ label }) => label === kind)]),
    ["all", ...counts(() => true)],
  ]);
}

/** The labels, by method and then as they came first. */
function kinds(requests: readonly SeenRequest[]): readonly string[] {
  const methods = new Map(requests.map(({ label, method }) => [label, METHODS.indexOf(method)]));
  return [...methods].toSorted(([, one], [, other]) => one - other).map(([label]) => label);
}

function align(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const pad = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return lines.map((line) => line.map(pad).join(GAP)).join("\n");
}

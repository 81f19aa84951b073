import { type IgnoreEntry, unusedIgnores } from "./ignore";
import { type Report, REPORT_VERSION, type StackReport, type StackStatus } from "./report-schema";

/** What was looked at. */
export interface Looked {
  readonly stacks: readonly StackReport[];
  /** Whether these are all stacks of the project. */
  readonly isWhole: boolean;
  /** Where no stack was found, when the project may have none. */
  readonly backend?: string;
  /** Why no stack could be looked at. */
  readonly errors?: readonly string[];
}

const EXIT_CODES = { "in sync": 0, healed: 0, drift: 2, error: 1 } as const;
const LEFT: ReadonlySet<StackStatus> = new Set(["drift", "gone", "partly healed"]);

/** The report of a run, with its end in one word and as an exit code. */
export function conclude({ stacks, isWhole, backend, errors = [] }: Looked, ignore: readonly IgnoreEntry[]): Report {
  const status = statusOf(stacks, errors);
  const drift = stacks.flatMap((stack) => stack.drift);
  return {
    version: REPORT_VERSION,
    status,
    exitCode: EXIT_CODES[status],
    drifted: drift.length,
    restored: drift.filter(({ restored }) => restored === true).length,
    ignored: stacks.flatMap((stack) => stack.ignored).length,
    stacks,
    ...(backend !== undefined && { backend }),
    unusedIgnores: errors.length > 0 ? [] : unusedIgnores(ignore, stacks, isWhole),
    errors,
  };
}

function statusOf(stacks: readonly StackReport[], errors: readonly string[]): Report["status"] {
  if (errors.length > 0 || stacks.some(({ status }) => status === "error")) return "error";
  if (stacks.some(({ status }) => LEFT.has(status))) return "drift";
  return stacks.some(({ status }) => status === "healed") ? "healed" : "in sync";
}

import { type Report, REPORT_VERSION, type StackReport, type StackStatus } from "./report-schema";

const EXIT_CODES = { "in sync": 0, healed: 0, drift: 2, error: 1 } as const;
const LEFT: ReadonlySet<StackStatus> = new Set(["drift", "gone", "partly healed"]);

/** The report about these stacks, with its end in one word and as an exit code. */
export function conclude({
  stacks,
  backend,
  unusedIgnores = [],
  errors = [],
}: Pick<Report, "stacks"> & Partial<Report>): Report {
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
    unusedIgnores,
    errors,
  };
}

function statusOf(stacks: readonly StackReport[], errors: readonly string[]): Report["status"] {
  if (errors.length > 0 || stacks.some(({ status }) => status === "error")) return "error";
  if (stacks.some(({ status }) => LEFT.has(status))) return "drift";
  return stacks.some(({ status }) => status === "healed") ? "healed" : "in sync";
}

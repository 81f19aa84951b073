import * as z from "zod";

/** One run of a stack, as `pulumi stack history --json` tells it. */
const pastRun = z.object({
  kind: z.string(),
  result: z.string(),
  endTime: z.string().optional(),
  /** The flags of the command: `pulumi.flag.target`. */
  environment: z.record(z.string(), z.unknown()).nullish(),
  /** How many resources each operation was done to: `{ same: 2, update: 1 }`. */
  resourceChanges: z.record(z.string(), z.number()).nullish(),
});
type PastRun = z.output<typeof pastRun>;

/** The last runs of a stack, newest first. */
export const history = z.array(pastRun).readonly();
export type History = z.output<typeof history>;

/** The kinds of runs that change state, and their commands. */
const COMMANDS: ReadonlyMap<string, string> = new Map([
  ["update", "`pulumi up`"],
  ["refresh", "`pulumi refresh`"],
  ["destroy", "`pulumi destroy`"],
]);
/** The flags with which a run includes only some resources. */
const PARTIAL = ["pulumi.flag.target", "pulumi.flag.exclude"];

/**
 * Why state may not be what was last deployed: a run since the last whole `up` may have stored what its refresh found. A preview of a
 * refresh then compares the service with itself. `undefined` when there is no such run.
 */
export function doubtIn(runs: History): string | undefined {
  for (const run of runs) {
    const command = COMMANDS.get(run.kind);
    if (command === undefined) continue;
    const result = run.result === "failed" ? "failed" : hasStoredChanges(run) ? "stored changes" : undefined;
    if (result !== undefined)
      return (
        `${command} ${result}${run.endTime === undefined ? "" : ` (${run.endTime})`}, so state may hold drifted values, which this ` +
        "check cannot see. Run `pulumi up --refresh`."
      );
    if (isWhole(run)) return undefined;
  }
  return undefined;
}

function hasStoredChanges({ kind, resourceChanges }: PastRun): boolean {
  return kind === "refresh" && Object.entries(resourceChanges ?? {}).some(([op, count]) => op !== "same" && count > 0);
}

/** Whether a run has brought every resource to what the program declares. */
function isWhole({ kind, result, environment }: PastRun): boolean {
  return kind !== "refresh" && result === "succeeded" && PARTIAL.every((flag) => environment?.[flag] === undefined);
}

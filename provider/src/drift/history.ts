import * as z from "zod";
import type { Deployment } from "./stack-export";

/** One run of a stack, as `pulumi stack history --json` tells it. */
const pastRun = z.object({
  /** Its number. A backend in files counts no runs: 0. */
  version: z.number().optional(),
  kind: z.string(),
  result: z.string(),
  endTime: z.string().optional(),
  /** The flags of the command, and what stands for them: `pulumi.flag.target`, `pulumi.env.PULUMI_OPTION_TARGET`. */
  environment: z.record(z.string(), z.unknown()).nullish(),
  /** How many resources each operation was done to: `{ same: 2, update: 1 }`. */
  resourceChanges: z.record(z.string(), z.number()).nullish(),
});
type PastRun = z.output<typeof pastRun>;

/** The last runs of a stack, newest first. */
export const history = z.array(pastRun).readonly();
export type History = z.output<typeof history>;

/**
 * Whether a run has begun operations that did not end: it was killed, or is under way. Pulumi keeps a create that did not end, also after
 * the `up` that has made the resource.
 */
function hasPendingOperations({ resources, pending_operations: operations }: Deployment): boolean {
  const made = new Set((resources ?? []).map(({ urn }) => urn));
  return (operations ?? []).some(({ resource: { urn }, type }) => type !== "creating" || !made.has(urn));
}

/** How long a run may take from the end in its history until it stores state for the last time. Its display ends in between. */
const LONGEST_CLOSE_MS = 60_000;

/**
 * Whether a run that the history lacks has stored state: it was killed, or is under way. Only a backend in files lacks such runs, and only
 * there does one clock tell both times.
 * @param lastRun the newest of the history. Without one, state may have been imported from another backend
 */
function isUnrecorded({ manifest }: Deployment, lastRun: PastRun | undefined): boolean {
  if (lastRun?.version !== 0 || lastRun.endTime === undefined || !manifest) return false;
  return Date.parse(manifest.time) - Date.parse(lastRun.endTime) > LONGEST_CLOSE_MS;
}

/** The kinds of runs that change state, and their commands. */
const COMMANDS: ReadonlyMap<string, string> = new Map([
  ["update", "`pulumi up`"],
  ["refresh", "`pulumi refresh`"],
  ["destroy", "`pulumi destroy`"],
]);
/** The flags with which a run includes only some resources, as arguments and as environment variables. */
const PARTIAL = ["target", "target-replace", "exclude", "exclude-protected"].flatMap((flag) => [
  `pulumi.flag.${flag}`,
  `pulumi.env.PULUMI_OPTION_${flag.toUpperCase().replace("-", "_")}`,
]);

/** How many runs are read at a time. A backend in files has one file a run. */
export const PAGE_SIZE = 20;

const UNSEEN = "so state may hold drifted values, which this check cannot see.";
/** The doubt about a stack after a run that did not end. */
export function killedText(stack: string): string {
  return (
    `a run was killed, or is under way, ${UNSEEN} Unless it still runs, run \`pulumi up --refresh --stack ${stack}\`, or \`pulumi destroy ` +
    `--refresh --stack ${stack}\` after a destroy. If Pulumi then still warns of a pending operation, run ` +
    `\`pulumi refresh --yes --clear-pending-creates --stack ${stack}\`.`
  );
}

/** A reason to doubt that state is what was last deployed. */
interface Doubt {
  readonly text: string;
  /** A run did not end, as far as anybody can tell. */
  readonly isKilled: boolean;
}

/**
 * Why state may not be what was last deployed: a run since the last whole `up` may have stored what its refresh found, and did not end or
 * failed. A preview of a refresh then compares the service with itself. `undefined` when there is no such run.
 * @param engine reads a page of the runs
 * @param state read before the history, to which a run that is under way may be added meanwhile
 */
export async function doubtAbout(
  engine: { history(stack: string, page: number): Promise<History> },
  stack: string,
  state: Deployment,
): Promise<Doubt | undefined> {
  const killed = { text: killedText(stack), isKilled: true };
  if (hasPendingOperations(state)) return killed;
  for (let page = 1; ; page += 1) {
    const runs = await engine.history(stack, page);
    if (page === 1 && isUnrecorded(state, runs[0])) return killed;
    const last = runs.find((run) => doubtIn(run, stack) !== undefined || isWhole(run));
    if (last !== undefined || runs.length < PAGE_SIZE) return last && doubtIn(last, stack);
  }
}

function doubtIn(run: PastRun, stack: string): Doubt | undefined {
  const command = COMMANDS.get(run.kind);
  const result = run.result === "failed" ? "failed" : hasStoredChanges(run) ? "stored changes" : undefined;
  if (command === undefined || result === undefined) return undefined;
  const time = run.endTime === undefined ? "" : ` (${run.endTime})`;
  // A destroy of some resources was not meant for the others.
  const isDestroy = run.kind === "destroy" && !isPartial(run);
  const advice = isDestroy
    ? `Run \`pulumi destroy --stack ${stack}\` again, or \`pulumi up --refresh --stack ${stack}\` to keep the stack.`
    : `Run \`pulumi up --refresh --stack ${stack}\`.`;
  return { text: `${command} ${result}${time}, ${UNSEEN} ${advice}`, isKilled: false };
}

function hasStoredChanges({ kind, resourceChanges }: PastRun): boolean {
  return kind === "refresh" && Object.entries(resourceChanges ?? {}).some(([op, count]) => op !== "same" && count > 0);
}

/** Whether a run has brought every resource to what the program declares. */
function isWhole(run: PastRun): boolean {
  return ["update", "destroy"].includes(run.kind) && run.result === "succeeded" && !isPartial(run);
}

function isPartial({ environment }: PastRun): boolean {
  return PARTIAL.some((flag) => environment?.[flag] !== undefined);
}

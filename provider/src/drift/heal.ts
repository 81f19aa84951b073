import { isDeepStrictEqual } from "node:util";
import type { PendingBuild, StoredBranches } from "../builds/state";
import { hasUnknown } from "../framework/properties";
import { driftItemsAmong } from "./drift-items";
import { BRANCHES, buildsOf, resourceName, resourceOf, type ReportedStep } from "./engine-event";
import { type Differences, healPlan, ignoredReason, leaveAll } from "./plan";
import type { Engine } from "./pulumi-cli";
import type { BuildItem, DriftItem, StackReport } from "./report-schema";
import type { Deployment } from "./stack-export";

/** Why nothing of a stack was restored. It also says that nothing was written, neither to the service nor to state. */
export const UNWRITTEN = "the update could not be previewed or started";
/** The engine does not tell which variables a failed update has written. */
const FAILED = "its update failed, perhaps in part";
/** The refresh before the update may have reached it. Of a request that a second Ctrl-C has cut off, nobody knows whether it was done. */
export const UNREACHED = "the update ended before or while it wrote this resource";
/** The program ignores what drifted, or somebody else has restored it meanwhile. */
export const UNCHANGED_BY_UPDATE = "its update changed nothing";
/** Why a build cannot be requested yet. */
const ASLEEP = "the environment does not run";
/** Why branches are not restored yet. */
export const OWED = `its build is owed, because ${ASLEEP}`;
/** Why a build or an action is not started that no update of `--heal` starts. */
const DUE = "it is due now, and only `pulumi up` starts it";
/** Without a comparison after the update. Later checks would not report what is due. */
const UNSEEN = "Values were restored, but the program could not be previewed to see what they start:";
/** The engine does not tell why an update leaves a variable that `prune` would delete. */
const STILL = "the service still has it after its update: a `get` of the program may look at it";

const ROOT = "pulumi:pulumi:Stack";
/** Providers are part of every update: their settings are those of today. */
const PROVIDER = "pulumi:providers:";
const UNCHANGED: ReadonlySet<string> = new Set(["same", "read"]);

/** Brings a stack back to what was last deployed. Other changes of the program are left to an `up` of the user. */
export async function heal(
  engine: Engine,
  stack: string,
  state: Deployment,
  differences: Differences,
): Promise<Partial<StackReport>> {
  const compared = await engine.compare(stack, state);
  if (compared.errors.length > 0) return unwritten(differences, compared.errors);
  const { targets, drift, builds } = healPlan(differences, compared.program);
  // No target at all would mean every resource.
  if (targets.length === 0) return { drift, builds };
  const previewed = await engine.previewUpdate(stack, targets);
  if (previewed.errors.length > 0) return unwritten(differences, previewed.errors);
  const effects = sideEffects(previewed.steps);
  if (effects.length > 0) return { drift: leaveAll(drift, `an update would also change ${effects.join(", ")}`) };
  const { steps, errors } = await engine.restore(stack, targets);
  if (steps.length === 0 && errors.length > 0) return unwritten(differences, errors);
  // A refresh comes first. It is no update.
  const updates = new Map(steps.filter(({ op }) => op !== "refresh").map((step) => [step.urn, step]));
  const results = drift.map((item) =>
    item.reason === undefined ? { ...item, ...resultOf(updates.get(item.urn)) } : item,
  );
  const started = targets.flatMap((urn) => buildOf(updates.get(urn)) ?? []);
  const left = await leftByPrune(engine, stack, results, updates);
  // The `up` that has to follow a failed update starts everything.
  if (errors.length > 0)
    return { drift: left.drift, builds: [...started, ...builds], errors: [...errors, ...left.errors] };
  const after = await engine.compare(stack, state);
  // What takes a value that is the same as before, such as a url, has nothing to start.
  const told = [...started, ...builds.filter(({ urn }) => after.program.isDue(urn))];
  const due = after.program.dueSince(compared.program).filter(({ urn }) => told.every((build) => build.urn !== urn));
  return {
    drift: left.drift,
    builds: [
      ...told,
      ...due.map((actor) => ({
        ...actor,
        result: "not started" as const,
        reason: ignoredReason(actor.urn, differences.ignored) ?? DUE,
      })),
    ],
    errors: [
      ...left.errors,
      ...after.errors,
      ...(after.errors.length === 0 ? [] : [`${UNSEEN} run \`pulumi up --stack ${stack}\`.`]),
    ],
  };
}

/**
 * The results, with what a set with `prune` has left for a reason of its own, such as a `get` that looks at it. The update then takes it out of
 * state only, and the engine does not tell. The next refresh finds it again.
 */
async function leftByPrune(
  engine: Engine,
  stack: string,
  drift: readonly DriftItem[],
  updates: ReadonlyMap<string, ReportedStep>,
): Promise<Pick<StackReport, "drift" | "errors">> {
  const isPruned = ({ urn, restored }: DriftItem) =>
    restored === true && updates.get(urn)?.new.outputs["prune"] === true;
  if (!drift.some(isPruned)) return { drift, errors: [] };
  const { steps, errors } = await engine.previewRefresh(stack);
  const keyOf = ({ urn, name, kind }: DriftItem): string => JSON.stringify([urn, name, kind]);
  const still = new Set(driftItemsAmong(steps).map(keyOf));
  return {
    drift: drift.map((item) =>
      isPruned(item) && still.has(keyOf(item)) ? { ...item, restored: false, reason: STILL } : item,
    ),
    errors,
  };
}

function unwritten({ drift }: Differences, errors: readonly string[]): Partial<StackReport> {
  return { drift: leaveAll(drift, UNWRITTEN), errors };
}

/**
 * The changes that an update of some resources would make beside them, as the preview of that update shows, without a refresh. The
 * engine records the outputs of the whole stack in every update: an output that has left the program, or comes from a
 * resource that was never deployed, would be lost to those who read it.
 */
function sideEffects(steps: readonly ReportedStep[]): readonly string[] {
  const resources = steps.filter(({ op, type }) => !UNCHANGED.has(op) && type !== ROOT && !type.startsWith(PROVIDER));
  const root = steps.findLast(({ type }) => type === ROOT);
  return [
    ...resources.map(({ urn }) => `resource "${resourceName(urn)}"`),
    ...(root === undefined ? [] : lostOutputs(root)).map((name) => `stack output "${name}"`),
  ];
}

function lostOutputs({ old: { outputs: stored }, new: { outputs: planned } }: ReportedStep): readonly string[] {
  const gone = Object.keys(stored).filter((name) => !Object.hasOwn(planned, name));
  return [...gone, ...Object.keys(planned).filter((name) => hasUnknown(planned[name]))];
}

/** The outcome for a difference, by the update of its resource. */
function resultOf(step: ReportedStep | undefined): Pick<DriftItem, "restored" | "reason"> {
  if (step === undefined) return { restored: false, reason: UNREACHED };
  if (step.failed) return { restored: false, reason: FAILED };
  if (UNCHANGED.has(step.op)) return { restored: false, reason: UNCHANGED_BY_UPDATE };
  const isPostponed = step.ownType === BRANCHES && buildsOf(step.new.outputs).pending?.asleep;
  return isPostponed ? { restored: false, reason: OWED } : { restored: true };
}

/** The build that an update of an EnvironmentBranches caused, if any. */
function buildOf(step: ReportedStep | undefined): BuildItem | undefined {
  if (step?.ownType !== BRANCHES) return undefined;
  const { urn, ownType, old, new: now } = step;
  const [stored, updated] = [buildsOf(old.outputs), buildsOf(now.outputs)];
  const id = updated.build?.id === stored.build?.id ? undefined : updated.build?.id;
  const end = endOf(step, id, stored.pending, updated);
  if (end === undefined) return undefined;
  const resource = resourceOf(urn, ownType, { ...old.outputs, ...now.outputs });
  return { ...resource, ...end, ...(id !== undefined && { id }) };
}

/** How the build ended. @param id that of a new build */
function endOf(
  { op, failed }: ReportedStep,
  id: string | undefined,
  storedPending: PendingBuild | undefined,
  { pending, waitForBuild = true }: StoredBranches,
): Pick<BuildItem, "result" | "reason"> | undefined {
  const isUnawaited = pending?.status === "asked" && !waitForBuild;
  // Without a trace in state, nothing was asked of the service.
  const isRequested = id !== undefined || (pending !== undefined && !isUnawaited);
  if (failed) return isRequested ? { result: "failed" } : { result: "not started", reason: FAILED };
  if (id !== undefined) return { result: "succeeded" };
  if (op === "update" && pending?.asleep) return { result: "owed", reason: ASLEEP };
  return isUnawaited && !isDeepStrictEqual(pending, storedPending) ? { result: "queued" } : undefined;
}

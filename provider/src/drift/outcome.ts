import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { BuildItem, DriftItem, StackReport } from "./report-schema";
import { BRANCHES, resourceOf, type Step, unfinishedBuildOf } from "./engine-event";

const FAILED = "its update failed";
const UNREACHED = "the update did not reach this resource";
/** Why a build cannot be requested yet. */
const ASLEEP = "the environment does not run";
/** Why branches are not restored yet. */
export const OWED = `its build is owed, because ${ASLEEP}`;

const outputsSchema = z.object({
  build: z.object({ id: z.string() }).optional().catch(undefined),
  pending: z.looseObject({ status: z.string().optional() }).optional().catch(undefined),
});
type BuildState = z.output<typeof outputsSchema>;

/** Reads from the steps of `pulumi up` what was restored, and which builds ran. `targets` were to be updated. */
export function readOutcome(
  drift: readonly DriftItem[],
  targets: readonly string[],
  all: readonly Step[],
): Pick<StackReport, "drift" | "builds"> {
  // A refresh comes first. It is no update.
  const steps = new Map(all.filter(({ op }) => op !== "refresh").map((step) => [step.urn, step]));
  return {
    drift: drift.map((item) => (item.reason === undefined ? { ...item, ...resultOf(steps.get(item.urn)) } : item)),
    builds: targets.flatMap((urn) => buildOf(steps.get(urn))),
  };
}

function resultOf(step: Step | undefined): Pick<DriftItem, "restored" | "reason"> {
  if (step === undefined) return { restored: false, reason: UNREACHED };
  if (step.failed) return { restored: false, reason: FAILED };
  return waits(step) ? { restored: false, reason: OWED } : { restored: true };
}

/** Whether an EnvironmentBranches waits for its environment to run. */
function waits({ ownType, new: now }: Step): boolean {
  return unfinishedBuildOf(ownType, now.outputs)?.postponed !== undefined;
}

/** The build that an update of an EnvironmentBranches caused, if any. */
function buildOf(step: Step | undefined): readonly BuildItem[] {
  if (step?.ownType !== BRANCHES) return [];
  const { urn, ownType } = step;
  const [old, now] = [outputsSchema.parse(step.old.outputs), outputsSchema.parse(step.new.outputs)];
  const id = now.build?.id === old.build?.id ? undefined : now.build?.id;
  const end = endOf(step, id !== undefined, old, now);
  if (end === undefined) return [];
  const resource = resourceOf(urn, ownType, { ...step.old.outputs, ...step.new.outputs });
  return [{ ...resource, ...end, ...(id !== undefined && { id }) }];
}

function endOf(
  step: Step,
  isNew: boolean,
  old: BuildState,
  now: BuildState,
): Pick<BuildItem, "result" | "reason"> | undefined {
  // Without a trace in state, nothing was asked of the service.
  const isAwaited = now.pending?.status !== "notAwaited";
  if (step.failed)
    return isNew || (now.pending !== undefined && isAwaited)
      ? { result: "failed" }
      : { result: "not started", reason: FAILED };
  if (isNew) return { result: "succeeded" };
  if (step.op === "update" && waits(step)) return { result: "owed", reason: ASLEEP };
  return isAwaited || isDeepStrictEqual(now.pending, old.pending) ? undefined : { result: "queued" };
}

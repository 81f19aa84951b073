import type { BuildItem, DriftItem, StackReport, StackStatus } from "./report-schema";
import type { Engine } from "./engine";
import { readOutcome } from "./outcome";
import { type Differences, leaveAll, plan, type Plan } from "./plan";
import { isUnknown } from "../framework/properties";
import { resourceName, type Step } from "./engine-event";

const UNPREVIEWED = "an update could not be previewed";
const UNSTARTED = "the update could not be started";
/** Reasons why nothing of a stack was restored that also say that nothing was written, neither to the service nor to state. */
export const NOTHING_WRITTEN: ReadonlySet<string | undefined> = new Set([UNPREVIEWED, UNSTARTED]);

/** What came of restoring a stack. */
export type Healed = Pick<StackReport, "status" | "drift"> & Partial<Pick<StackReport, "builds" | "errors">>;

/** Brings a stack back to what was last deployed. Other changes of the program are left to an `up` of the user. */
export async function heal(engine: Engine, stack: string, differences: Differences): Promise<Healed> {
  const { planned, errors } = await prepare(engine, stack, differences);
  if (planned === undefined) return { status: "error", drift: leaveAll(differences.drift, UNPREVIEWED), errors };
  const { targets, drift, builds } = planned;
  // No target at all would mean every resource.
  if (targets.length === 0) return { status: statusOf(drift, builds), drift, builds };
  const run = await engine.restore(stack, targets);
  if (run.errors.length > 0 && run.steps.length === 0)
    return { status: "error", drift: leaveAll(drift, UNSTARTED), builds, errors: run.errors };
  const outcome = readOutcome(drift, targets, run.steps);
  const all = [...outcome.builds, ...builds];
  const status = run.errors.length > 0 ? "error" : statusOf(outcome.drift, all);
  return { status, drift: outcome.drift, builds: all, errors: run.errors };
}

/** Decides what to restore, and looks whether that would change anything else. Writes nothing. */
async function prepare(
  engine: Engine,
  stack: string,
  differences: Differences,
): Promise<{ readonly planned?: Plan; readonly errors: readonly string[] }> {
  try {
    const planned = plan(differences, await engine.compare(stack));
    if (planned.targets.length === 0) return { planned, errors: [] };
    const { steps, errors } = await engine.rehearse(stack, planned.targets);
    if (errors.length > 0) return { errors };
    const effects = sideEffects(steps);
    if (effects.length === 0) return { planned, errors };
    const drift = leaveAll(planned.drift, `an update would also change ${effects.join(", ")}`);
    return { planned: { targets: [], drift, builds: [] }, errors };
  } catch (error) {
    return { errors: [error instanceof Error ? error.message : String(error)] };
  }
}

function statusOf(drift: readonly DriftItem[], builds: readonly BuildItem[]): StackStatus {
  const unrestored = drift.filter(({ restored }) => restored === false);
  const isBuilt = builds.every(({ result }) => ["succeeded", "queued", "owed"].includes(result));
  if (unrestored.length === 0 && isBuilt) return "healed";
  if (unrestored.length > 0 && isBuilt && unrestored.every(({ kind }) => kind === "gone")) return "gone";
  return unrestored.length < drift.length ? "partly healed" : "drift";
}

const ROOT = "pulumi:pulumi:Stack";
/** Providers are part of every update: their settings are those of today. */
const PROVIDER = "pulumi:providers:";
const UNCHANGED: ReadonlySet<string> = new Set(["same", "read"]);

/**
 * What an update of some resources would change beside them, as the preview of that update shows, without a refresh. The
 * engine records the outputs of the whole stack in every update: an output that has left the program, or comes from a
 * resource that was never deployed, would be lost to those who read it.
 */
export function sideEffects(steps: readonly Step[]): readonly string[] {
  const resources = steps.filter(({ op, type }) => !UNCHANGED.has(op) && type !== ROOT && !type.startsWith(PROVIDER));
  const root = steps.findLast(({ type }) => type === ROOT);
  return [
    ...resources.map(({ urn }) => `resource "${resourceName(urn)}"`),
    ...(root === undefined ? [] : losses(root)),
  ];
}

function losses({ old, new: now }: Step): readonly string[] {
  const gone = Object.keys(old.outputs).filter((name) => !Object.hasOwn(now.outputs, name));
  const unknown = Object.keys(now.outputs).filter((name) => holdsUnknown(now.outputs[name]));
  return [...gone, ...unknown].map((name) => `stack output "${name}"`);
}

function holdsUnknown(value: unknown): boolean {
  if (isUnknown(value)) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(holdsUnknown);
}

import { hasUnknown } from "../framework/properties";
import type { Engine } from "./engine";
import { resourceName, type Step } from "./engine-event";
import { readOutcome } from "./outcome";
import { type Differences, leaveAll, plan } from "./plan";
import type { StackReport } from "./report-schema";

/** Why nothing of a stack was restored. It also says that nothing was written, neither to the service nor to state. */
export const UNWRITTEN = "the update could not be previewed or started";

/** Brings a stack back to what was last deployed. Other changes of the program are left to an `up` of the user. */
export async function heal(engine: Engine, stack: string, differences: Differences): Promise<Partial<StackReport>> {
  const unwritten = (errors: readonly string[]): Partial<StackReport> => {
    return { drift: leaveAll(differences.drift, UNWRITTEN), errors };
  };
  const compared = await engine.compare(stack);
  if (compared.errors.length > 0) return unwritten(compared.errors);
  const { targets, drift, builds } = plan(differences, compared.program);
  // No target at all would mean every resource.
  if (targets.length === 0) return { drift, builds };
  const rehearsed = await engine.rehearse(stack, targets);
  if (rehearsed.errors.length > 0) return unwritten(rehearsed.errors);
  const effects = sideEffects(rehearsed.steps);
  if (effects.length > 0) return { drift: leaveAll(drift, `an update would also change ${effects.join(", ")}`) };
  const { steps, errors } = await engine.restore(stack, targets);
  if (steps.length === 0 && errors.length > 0) return unwritten(errors);
  const outcome = readOutcome(drift, targets, steps);
  return { drift: outcome.drift, builds: [...outcome.builds, ...builds], errors };
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
  const unknown = Object.keys(now.outputs).filter((name) => hasUnknown(now.outputs[name]));
  return [...gone, ...unknown].map((name) => `stack output "${name}"`);
}

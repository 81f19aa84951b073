import { isUnknown } from "../framework/properties";
import { resourceName, type Step, stepsOf } from "./engine-event";

const ROOT = "pulumi:pulumi:Stack";
/** Providers are part of every update: their settings are those of today. */
const PROVIDER = "pulumi:providers:";
const UNCHANGED: ReadonlySet<string> = new Set(["same", "read"]);

/**
 * What an update of some resources would change beside them, as the preview of that update shows, without a refresh. The
 * engine records the outputs of the whole stack in every update: an output that has left the program, or comes from a
 * resource that was never deployed, would be lost to those who read it.
 */
export function sideEffects(events: readonly unknown[]): readonly string[] {
  const steps = stepsOf(events);
  const resources = steps.filter(({ op, type }) => !UNCHANGED.has(op) && type !== ROOT && !type.startsWith(PROVIDER));
  const root = steps.findLast(({ type }) => type === ROOT);
  return [
    ...resources.map(({ urn }) => `resource "${resourceName(urn)}"`),
    ...(root === undefined ? [] : losses(root)),
  ];
}

function losses({ old, new: found }: Step): readonly string[] {
  const gone = Object.keys(old.outputs).filter((name) => !Object.hasOwn(found.outputs, name));
  const unknown = Object.keys(found.outputs).filter((name) => holdsUnknown(found.outputs[name]));
  return [...gone, ...unknown].map((name) => `stack output "${name}"`);
}

function holdsUnknown(value: unknown): boolean {
  if (isUnknown(value)) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(holdsUnknown);
}

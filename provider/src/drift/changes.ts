import { parsePath } from "../framework/property-path";
import { type Change, mapSchema, type Outputs, own, servicesOf, textSchema } from "./change";
import { isSingleVariable } from "./declared-types";
import type { OwnStep } from "./engine-event";
import { readNote } from "./note";
import type { DriftKind } from "./report-schema";
import { failedWrites, setChange } from "./set-changes";

/** A single variable has no notes beside its encrypted value. */
const ENCRYPTED_DETAIL = "value or hidden flag";
/** A single variable that is hidden does not tell what changed beside its services. */
const UNCERTAIN_DETAIL = `; its ${ENCRYPTED_DETAIL} may differ, too`;
const LONE_DETAIL = "or its environment is gone";

/** What a previewed refresh found of one resource. */
export function changes(step: OwnStep, isEnvironmentSeen: boolean): readonly Change[] {
  const { op, ownType, old, new: found, detailedDiff } = step;
  if (op === "delete")
    return [{ ...nameOf(old.outputs), kind: "deleted", ...(!isEnvironmentSeen && { detail: LONE_DETAIL }) }];
  if (op !== "update") return [];
  if (isSingleVariable(ownType)) return single(step);
  const entries = Object.entries(detailedDiff);
  if (entries.length === 0) return failedWrites(found.outputs);
  return entries.flatMap(([path, { diffKind }]) => entry(parsePath(path), kindOf(diffKind), step));
}

function nameOf(outputs: Outputs): { readonly name?: string } {
  const name = textSchema.parse(outputs["name"]);
  return name === undefined ? {} : { name };
}

function single({ old: { outputs: old }, new: { outputs: found }, detailedDiff }: OwnStep): readonly Change[] {
  const since = textSchema.parse(found["updatedAt"]);
  const isHidden = old["hidden"] !== false;
  const isValue = Object.keys(detailedDiff).some((path) => parsePath(path)[0] === "value");
  const services = servicesOf(found["services"]);
  const isScope = services !== servicesOf(old["services"]);
  const common = { ...nameOf(old), ...(since && { since }) };
  const uncertain = isHidden && isValue ? UNCERTAIN_DETAIL : "";
  const scope: Change = { ...common, kind: "services", detail: `now ${services}${uncertain}` };
  const hidden = isHidden && { detail: ENCRYPTED_DETAIL };
  const value: Change = { ...common, kind: "changed", ...hidden, ...readNote(found["value"]) };
  if (!isScope) return [value];
  return isValue && !isHidden ? [value, scope] : [scope];
}

function entry(path: readonly string[], kind: DriftKind, step: OwnStep): readonly Change[] {
  const [property = "", name] = path;
  const { old, new: found } = step;
  if (property === "state") return [{ kind: "state", ...moved(old.outputs["state"], found.outputs["state"]) }];
  if (property === "branches" && name !== undefined) return [branch(name, kind, [old.outputs, found.outputs])];
  return setChange(path, kind, step) ?? [{ ...(name !== undefined && { name }), kind, detail: property }];
}

function branch(name: string, kind: DriftKind, states: readonly Outputs[]): Change {
  if (kind === "deleted") return { name, kind, detail: "repository" };
  const [from, to] = states.map((outputs) => own(mapSchema.parse(outputs["branches"]), name));
  return { name, kind: "branch", ...moved(from, to) };
}

function moved(from: unknown, to: unknown): { readonly detail?: string } {
  return typeof from === "string" && typeof to === "string" ? { detail: `${from} -> ${to}` } : {};
}

function kindOf(diffKind: string): DriftKind {
  if (diffKind.startsWith("add")) return "added";
  return diffKind.startsWith("delete") ? "deleted" : "changed";
}
